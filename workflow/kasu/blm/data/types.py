"""Generate the three types of BLM problems from seeds (An et al. 2023 §2.1; BLM-2 to -8)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from kasu.base.errors import KasuError
from kasu.blm.data.problems import CANDIDATES, CONTEXT, SLOT_NAMES, Problems
from kasu.blm.generation.fills import Fills
from kasu.blm.generation.grammar import (
    CLAUSES,
    SEQUENCES,
    STATES,
    answer_set,
    form_of,
    sentence,
)
from kasu.blm.generation.seeds import Seed
from kasu.blm.generation.slots import RANKS, SLOTS, Slot, ask_fills, find_slots
from kasu.blm.generation.substitutions import Lexicon, Pair
from kasu.job.run import seed_of

WAYS_TO_FILL = ("per_sentence", "per_problem")
WAYS_TO_RESAMPLE = ("shared", "independent")
_TRIES = 1_000  # draws before giving up; with 32 seeds two or three are enough
_RIGHT = CONTEXT  # the answer is the eighth sentence of a sequence


class _Sentences:
    """Distinct sentences, numbered in order of appearance."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def all_states(self, seed: Seed, clause: str) -> list[int]:
        """Number the grammatical sentence of each state, in the order of STATES."""
        return [self._number(sentence(seed, clause, form_of(state))) for state in STATES]

    def of_state(self, seed: Seed, clause: str, state: int) -> int:
        """Number the grammatical sentence of one state."""
        return self._number(sentence(seed, clause, form_of(STATES[state])))

    def answers(self, seed: Seed, clause: str, state: int, variant: str) -> list[int]:
        """Number the candidates for the right answer `state`, in the order of LABELS.

        Raises:
            KasuError: two of them are equal.
        """
        labels: dict[str, str] = {}
        for label, form in answer_set(STATES[state], clause, variant).items():
            text = sentence(seed, clause, form)
            if text in labels:
                found = f"{text!r} as {labels[text]} and as {label}"
                raise KasuError(seed.place, found, "six candidates that differ")
            labels[text] = label
        return list(map(self._number, labels))

    def _number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


def generate_type_i(seeds: Sequence[Seed], variants: Iterable[str]) -> Problems:
    """Generate every sequence of every seed: 72 problems per seed (BLM-3 to -5).

    Order: clause, sequence, seed.

    Raises:
        KasuError: a seed gives a problem two equal candidates.
    """
    sentences, variants = _Sentences(), tuple(variants)
    parts = []
    for clause in CLAUSES:
        # Number each sentence once: (seeds, states), and by variant (seeds, states, candidates)
        plain = np.array([sentences.all_states(seed, clause) for seed in seeds])
        answers = {
            variant: np.array(
                [
                    [sentences.answers(s, clause, at, variant) for at in range(len(STATES))]
                    for s in seeds
                ]
            )
            for variant in variants
        }
        # Then look up the sentences of each problem
        sequence, seed = _grid(len(SEQUENCES), len(seeds))
        states = SEQUENCES[sequence]
        none = np.full(len(seed), -1)
        parts.append(
            {
                "clause": np.full(len(seed), CLAUSES.index(clause)),
                "seed": seed,
                "sequence": sequence,
                "slot": none,
                "rank": none,
                "context": plain[seed[:, None], states[:, :CONTEXT]],
                **{v: answers[v][seed, states[:, _RIGHT]] for v in variants},
            }
        )
    return _join("type_I", parts, variants, sentences)


def generate_type_ii(
    seeds: Sequence[Seed],
    lexicon: Lexicon,
    fills: Fills,
    variants: Iterable[str],
    fill: str = "per_sentence",
    ranks: int = RANKS,
) -> Problems:
    """Generate type I with one word replaced: 240 sequences per seed, five fills each (BLM-6).

    Order: clause, slot, rank, sequence, seed.

    Args:
        lexicon: says which words are determiners, subjects and verbs.
        fill: `per_sentence`: each context sentence has the fill of that rank for its own text, and
            all candidates have that of the right answer. `per_problem`: all have that of the right
            answer.
        ranks: how many fills to use for each slot.

    Raises:
        KasuError: the way to fill is unknown, a slot is not found, a seed has no slot with enough
            fills, or a fill gives a problem two equal candidates. A slot with too few is left out.
    """
    if fill not in WAYS_TO_FILL:
        raise KasuError("fill", repr(fill), " or ".join(WAYS_TO_FILL))
    sentences, variants = _Sentences(), tuple(variants)
    slots = {clause: [find_slots(seed, clause, lexicon) for seed in seeds] for clause in CLAUSES}
    pairs = ask_fills(slots, fills, ranks)
    parts = []
    for clause in CLAUSES:
        for at, name in enumerate(SLOTS[clause]):
            # A seed without enough fills for the slot has no problems of it
            of_seeds = zip(slots[clause], pairs[clause], strict=True)
            filled = {
                seed: _fill_slot(sentences, slot[at], pair[at], clause, fill, variants)
                for seed, (slot, pair) in enumerate(of_seeds)
                if pair[at]
            }
            if filled:
                place = {"clause": CLAUSES.index(clause), "slot": SLOT_NAMES.index(name)}
                parts.append(_problems_of_slot(filled, place, ranks, variants))
    return _join("type_II", parts, variants, sentences)


def _problems_of_slot(
    filled: Mapping[int, tuple[np.ndarray, np.ndarray]],
    place: Mapping[str, int],
    ranks: int,
    variants: Sequence[str],
) -> dict[str, np.ndarray]:
    """Build the problems of one slot of a clause type: 24 sequences, each with every fill.

    Args:
        filled: by seed, what `_fill_slot` returns.
        place: positions of clause type and slot.
    """
    # (seeds, ranks, right states, states) and (seeds, ranks, right states, variants, candidates)
    context, answers = (np.array(numbers) for numbers in zip(*filled.values(), strict=True))
    rank, sequence, row = _grid(ranks, len(SEQUENCES), len(filled))
    states = SEQUENCES[sequence]
    right = states[:, _RIGHT]
    return {
        **{name: np.full(len(row), at) for name, at in place.items()},
        "seed": np.array([*filled])[row],
        "sequence": sequence,
        "rank": rank,
        "context": context[row[:, None], rank[:, None], right[:, None], states[:, :CONTEXT]],
        **{v: answers[row, rank, right, i] for i, v in enumerate(variants)},
    }


def _fill_slot(
    sentences: _Sentences,
    slot: Slot,
    pairs: Sequence[Sequence[Pair]],
    clause: str,
    fill: str,
    variants: Sequence[str],
) -> tuple[np.ndarray, np.ndarray]:
    """Number the sentences of a seed with one slot filled.

    Args:
        pairs: [state][rank], the fills for the sentence of each state.

    Returns:
        Context sentences (ranks, right states, states) and candidates (ranks, right states,
        variants, candidates): for each rank and each state that the answer may have.
    """
    count = len(STATES)
    contexts, candidates = [], []
    for ranked in zip(*pairs, strict=True):
        filled = [slot.fill(pair) for pair in ranked]
        if fill == "per_problem":
            # All states in the words of the right answer's fill
            contexts.append([sentences.all_states(seed, clause) for seed in filled])
        else:
            # Each state in the words of its own fill, whatever the right answer
            own = [sentences.of_state(seed, clause, state) for state, seed in enumerate(filled)]
            contexts.append([own] * count)
        candidates.append(
            [
                [sentences.answers(seed, clause, state, variant) for variant in variants]
                for state, seed in enumerate(filled)
            ]
        )
    return np.array(contexts), np.array(candidates)


def generate_type_iii(
    type_ii: Problems, candidates: str, seed: int, parts: np.ndarray | None = None
) -> Problems:
    """Resample type II: the same abstract sequences, each sentence from another problem (BLM-7).

    Every context sentence becomes a random type II context sentence of the same clause type and
    state; no two sentences of a problem come from the same type II problem.

    Args:
        candidates: `shared`: all six come from one type II problem; `independent`: each from its
            own.
        parts: (problems,) the part of each problem; sentences are exchanged within a part only
            (S-11). None: all problems are one part.

    Raises:
        KasuError: the way to resample is unknown, or there are too few problems to draw from.
    """
    if candidates not in WAYS_TO_RESAMPLE:
        raise KasuError("candidates", repr(candidates), " or ".join(WAYS_TO_RESAMPLE))
    parts = np.zeros(len(type_ii), np.int64) if parts is None else parts
    # Columns: the context sentences, then one or six sources of the candidates
    sources = 1 if candidates == "shared" else CANDIDATES
    states = np.concatenate(
        [type_ii.states, np.repeat(type_ii.states[:, _RIGHT:], sources - 1, axis=1)], axis=1
    )
    # A sentence is exchanged with those of its kind: the same part, clause, role and state
    role = np.concatenate([np.zeros(CONTEXT, np.int64), np.ones(sources, np.int64)])
    kinds = (parts * len(CLAUSES) + type_ii.clause)[:, None] * 2 + role
    kinds = kinds * len(STATES) + states  # (problems, 7 + sources)
    draw = np.random.default_rng(seed_of(seed, "type_III"))
    drawn = _draw_apart(kinds, draw)
    # From flat positions of cells to the problem of each and its place in it
    problem, position = np.divmod(drawn, kinds.shape[1])
    answers = problem[:, CONTEXT:]
    return replace(
        type_ii,
        type="type_III",
        seed=type_ii.seed[answers[:, 0]],
        context=type_ii.context[problem[:, :CONTEXT], position[:, :CONTEXT]],
        context_seeds=type_ii.seed[problem[:, :CONTEXT]],
        candidates={
            variant: numbers[answers, np.arange(CANDIDATES)]
            for variant, numbers in type_ii.candidates.items()
        },
    )


def _draw_apart(kinds: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Draw for each cell a random cell of its kind; cells of one row come from different rows.

    Args:
        kinds: (rows, width) a number for the kind of each cell.

    Returns:
        (rows, width) flat positions of the cells drawn.

    Raises:
        KasuError: no such draw was found.
    """
    rows, width = kinds.shape
    flat = kinds.ravel()
    # In the order of kinds, the cells of one kind are a run: by cell, where its run begins, and its
    # length
    order = np.argsort(flat, kind="stable")
    firsts = np.searchsorted(flat[order], flat, "left")
    counts = np.searchsorted(flat[order], flat, "right") - firsts
    drawn = np.full(rows * width, -1)
    again = np.arange(rows * width)
    for _ in range(_TRIES):
        drawn[again] = order[firsts[again] + draw.integers(0, counts[again])]
        # Draw again each cell that comes from the same row as a cell to its left
        source = drawn.reshape(rows, width) // width
        repeated = np.zeros((rows, width), bool)
        for at in range(1, width):
            repeated[:, at] = (source[:, at : at + 1] == source[:, :at]).any(axis=1)
        again = np.flatnonzero(repeated)
        if not again.size:
            return drawn.reshape(rows, width)
    raise KasuError("type III", "too few problems to draw each sentence from another", "more seeds")


def _grid(*sizes: int) -> list[np.ndarray]:
    """Return all combinations, one array per dimension; the last varies fastest."""
    return [axis.ravel() for axis in np.indices(sizes)]


def _join(
    type_: str,
    parts: Sequence[Mapping[str, np.ndarray]],
    variants: Sequence[str],
    sentences: _Sentences,
) -> Problems:
    """Concatenate the parts; each has the other columns and, by variant, an array of candidates."""
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    candidates = {variant: columns.pop(variant) for variant in variants}
    return Problems(
        type=type_,
        origin=columns["seed"],
        sentences=list(sentences.numbers),
        context_seeds=np.repeat(columns["seed"][:, None], CONTEXT, axis=1),
        candidates=candidates,
        **columns,
    )
