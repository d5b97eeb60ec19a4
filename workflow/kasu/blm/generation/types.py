"""The three types of BLM problems from seeds (An et al. 2023 §2.1; BLM-2 to -8)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from kasu.base.errors import KasuError
from kasu.base.run import seed_of
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

WAYS_TO_FILL = ("per_sentence", "per_problem")
WAYS_TO_RESAMPLE = ("shared", "independent")
_TRIES = 1_000  # draws before giving up; two or three do for 32 seeds
_RIGHT = CONTEXT  # the answer is the eighth sentence of a sequence


class _Sentences:
    """Distinct sentences, numbered as they come."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def states(self, seed: Seed, clause: str) -> list[int]:
        """The grammatical sentences of a seed, in the order of STATES."""
        return [self._number(sentence(seed, clause, form_of(state))) for state in STATES]

    def one(self, seed: Seed, clause: str, state: int) -> int:
        """The grammatical sentence of a state."""
        return self._number(sentence(seed, clause, form_of(STATES[state])))

    def answers(self, seed: Seed, clause: str, state: int, variant: str) -> list[int]:
        """The candidates where that state is right, in the order of LABELS."""
        forms = answer_set(STATES[state], clause, variant).values()
        return [self._number(sentence(seed, clause, form)) for form in forms]

    def _number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


def generate_type_i(seeds: Sequence[Seed], variants: Iterable[str]) -> Problems:
    """Every sequence of every seed: 72 problems a seed (BLM-3 to -5).

    Order: clause, sequence, seed.
    """
    found, variants = _Sentences(), tuple(variants)
    parts = []
    for clause in CLAUSES:
        plain = np.array([found.states(seed, clause) for seed in seeds])
        answers = {
            variant: np.array(
                [
                    [found.answers(s, clause, at, variant) for at in range(len(STATES))]
                    for s in seeds
                ]
            )
            for variant in variants
        }
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
    return _join("type_I", parts, variants, found)


def generate_type_ii(
    seeds: Sequence[Seed],
    lexicon: Lexicon,
    fills: Fills,
    variants: Iterable[str],
    fill: str = "per_sentence",
    ranks: int = RANKS,
) -> Problems:
    """Type I with one word replaced: 240 sequences a seed, five times each (BLM-6).

    Order: clause, slot, rank, sequence, seed.

    Args:
        lexicon: which words are determiners, subjects, verbs.
        fill: `per_sentence`: each context sentence takes the fill of that rank for its own text,
            all candidates that of the right answer. `per_problem`: all take that of the right
            answer.

    Raises:
        KasuError: an unknown way to fill, a slot that is not found, too few fills.
    """
    if fill not in WAYS_TO_FILL:
        raise KasuError("fill", repr(fill), " or ".join(WAYS_TO_FILL))
    found, variants = _Sentences(), tuple(variants)
    slots = {clause: [find_slots(seed, clause, lexicon) for seed in seeds] for clause in CLAUSES}
    pairs = ask_fills(slots, fills, ranks)
    rank, sequence, seed = _grid(ranks, len(SEQUENCES), len(seeds))
    states = SEQUENCES[sequence]
    right = states[:, _RIGHT]
    parts = []
    for clause in CLAUSES:
        for at, name in enumerate(SLOTS[clause]):
            filled = [
                _fill_slot(found, slot[at], pair[at], clause, fill, variants)
                for slot, pair in zip(slots[clause], pairs[clause], strict=True)
            ]
            context = np.array([contexts for contexts, _ in filled])
            answers = np.array([candidates for _, candidates in filled])
            parts.append(
                {
                    "clause": np.full(len(seed), CLAUSES.index(clause)),
                    "seed": seed,
                    "sequence": sequence,
                    "slot": np.full(len(seed), SLOT_NAMES.index(name)),
                    "rank": rank,
                    "context": context[
                        seed[:, None], rank[:, None], right[:, None], states[:, :CONTEXT]
                    ],
                    **{v: answers[seed, rank, right, i] for i, v in enumerate(variants)},
                }
            )
    return _join("type_II", parts, variants, found)


def _fill_slot(
    found: _Sentences,
    slot: Slot,
    pairs: Sequence[Sequence[Pair]],
    clause: str,
    fill: str,
    variants: Sequence[str],
) -> tuple[np.ndarray, np.ndarray]:
    """The sentences of a seed with one slot filled.

    Args:
        pairs: [state][rank], the fills for the sentence of each state.

    Returns:
        Context sentences (ranks, right states, states) and candidates (ranks, right states,
        variants, candidates).
    """
    count = len(STATES)
    contexts, candidates = [], []
    for ranked in zip(*pairs, strict=True):
        filled = [slot.fill(pair) for pair in ranked]
        if fill == "per_problem":
            contexts.append([found.states(seed, clause) for seed in filled])
        else:
            own = [found.one(seed, clause, state) for state, seed in enumerate(filled)]
            contexts.append([own] * count)
        candidates.append(
            [
                [found.answers(seed, clause, state, variant) for variant in variants]
                for state, seed in enumerate(filled)
            ]
        )
    return np.array(contexts), np.array(candidates)


def generate_type_iii(
    type_ii: Problems, candidates: str, seed: int, parts: np.ndarray | None = None
) -> Problems:
    """Type II resampled: the same abstract sequences, each sentence from another problem (BLM-7).

    Every context sentence becomes a random type II context sentence of the same clause type and
    state; no two sentences of a problem come from one type II problem.

    Args:
        candidates: `shared`: all come from one type II problem; `independent`: each from its own.
        parts: (problems,) sentences are exchanged within a part only (S-11); None: all are one.

    Raises:
        KasuError: an unknown way to resample; too few problems to draw from.
    """
    if candidates not in WAYS_TO_RESAMPLE:
        raise KasuError("candidates", repr(candidates), " or ".join(WAYS_TO_RESAMPLE))
    parts = np.zeros(len(type_ii), np.int64) if parts is None else parts
    sources = 1 if candidates == "shared" else CANDIDATES
    states = np.concatenate(
        [type_ii.states, np.repeat(type_ii.states[:, _RIGHT:], sources - 1, axis=1)], axis=1
    )
    # A sentence is drawn among all that share its part, clause, role and state
    role = np.concatenate([np.zeros(CONTEXT, np.int64), np.ones(sources, np.int64)])
    kinds = (parts * len(CLAUSES) + type_ii.clause)[:, None] * 2 + role
    kinds = kinds * len(STATES) + states
    draw = np.random.default_rng(seed_of(seed, "type_III"))
    drawn = _draw_apart(kinds, draw)
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
    """For each cell a random cell of the same kind, the cells of a row from different rows.

    Raises:
        KasuError: that cannot be done.
    """
    rows, width = kinds.shape
    flat = kinds.ravel()
    order = np.argsort(flat, kind="stable")
    firsts = np.searchsorted(flat[order], flat, "left")
    counts = np.searchsorted(flat[order], flat, "right") - firsts
    drawn = np.full(rows * width, -1)
    again = np.arange(rows * width)
    for _ in range(_TRIES):
        drawn[again] = order[firsts[again] + draw.integers(0, counts[again])]
        source = drawn.reshape(rows, width) // width
        repeated = np.zeros((rows, width), bool)
        for at in range(1, width):
            repeated[:, at] = (source[:, at : at + 1] == source[:, :at]).any(axis=1)
        again = np.flatnonzero(repeated)
        if not again.size:
            return drawn.reshape(rows, width)
    raise KasuError("type III", "too few problems to draw each sentence from another", "more seeds")


def _grid(*sizes: int) -> list[np.ndarray]:
    """All combinations, the last running fastest: one array a dimension."""
    return [axis.ravel() for axis in np.indices(sizes)]


def _join(
    type_: str,
    parts: Sequence[Mapping[str, np.ndarray]],
    variants: Sequence[str],
    found: _Sentences,
) -> Problems:
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    candidates = {variant: columns.pop(variant) for variant in variants}
    return Problems(
        type=type_,
        origin=columns["seed"],
        sentences=list(found.numbers),
        context_seeds=np.repeat(columns["seed"][:, None], CONTEXT, axis=1),
        candidates=candidates,
        **columns,
    )
