"""What the paper's figures show of the generator (An et al. 2023, Figures 2-7, 10, 11; BLM-19)."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from kasu.base.errors import KasuError
from kasu.blm.data.types import generate_type_i
from kasu.blm.generation.fills import Fills
from kasu.blm.generation.grammar import (
    CLAUSES,
    RULES,
    SEQUENCES,
    STATES,
    VARIANTS,
    Form,
    answer_set,
    form_of,
    sentence,
)
from kasu.blm.generation.seeds import NUMBERS, PAIRED, Seed
from kasu.blm.generation.slots import RANKS, find_slots
from kasu.blm.generation.substitutions import Lexicon
from kasu.files.tables import write_tsv

COLUMNS = ("figure", "part", "row", "label", "structure", "text")
Row = tuple[str, int, str, str, str]  # COLUMNS without the figure
MASK = "MASK"
_ANSWER = 7  # the eighth sentence
_NUMBER_NAMES = {"sg": "sing", "pl": "plur"}


def demonstrate(
    seeds: Sequence[Seed],
    path: str | Path,
    *,
    lexicon: Lexicon,
    fills: Fills,
    seed: int = 0,
    sequence: int = 0,
) -> None:
    """Write what the figures show, for one seed and one sequence (COLUMNS).

    Figure 2: templates of context and answer sets; 3: the grammar; 4: the seed; 5: the sentences
    of each clause type and the answer sets; 6 and 11: the words replaced and their replacements;
    7: a problem as a network sees it; 10: the 24 sequences and what varies in them.

    Args:
        seeds: all seeds of a file.
        path: the TSV to write.
        seed: the number of a seed, from 0.
        sequence: the number of a row of SEQUENCES, from 0; the first is that of Figure 5.

    Raises:
        KasuError: there is no such seed or sequence, or a slot is not found.
    """
    if not (0 <= seed < len(seeds) and 0 <= sequence < len(SEQUENCES)):
        expected = f"less than {len(seeds)} and {len(SEQUENCES)}"
        raise KasuError("demonstration", f"seed {seed}, sequence {sequence}", expected)
    shown, states = seeds[seed], SEQUENCES[sequence]
    replacements = list(_replacements(shown, states, lexicon, fills))
    figures: dict[str, Iterable[Row]] = {
        "2": _templates(states),
        "3": _grammar(),
        "4": _seed(shown),
        "5": _sentences(shown, states),
        "6": [row for row in replacements if row[0] == "main"],
        "7": _problem(shown, sequence),
        "10": _sequences(),
        "11": replacements,
    }
    rows = [(figure, *row) for figure, part in figures.items() for row in part]
    write_tsv(path, (dict(zip(COLUMNS, row, strict=True)) for row in rows), COLUMNS)


def template(form: Form) -> str:
    """Write a form as Figure 2 does: `NP-sing PP1-sing VP-sing`."""
    attractors = [
        ("et NP" if name.startswith("conjunct") else "PP")
        + name[-4]
        + f"-{_NUMBER_NAMES[name[-2:]]}"
        for name in form.attractors
    ]
    subject, verb = (_NUMBER_NAMES[number] for number in (form.subject, form.verb))
    return " ".join([f"NP-{subject}", *attractors, f"VP-{verb}"])


def _templates(states: np.ndarray) -> Iterator[Row]:
    for row, at in enumerate(states, 1):
        yield "context", row, "", str(STATES[at]), template(form_of(STATES[at]))
    for variant in VARIANTS:
        answers = answer_set(STATES[states[_ANSWER]], "main", variant)
        for row, (label, form) in enumerate(answers.items(), 1):
            yield f"answer set, {variant}", row, label, str(form), template(form)


def _grammar() -> Iterator[Row]:
    for row, (left, right) in enumerate(
        ((left, right) for left, rights in RULES.items() for right in rights), 1
    ):
        yield "rules", row, left, "", f"{left} → {right}"


def _seed(seed: Seed) -> Iterator[Row]:
    columns = [f"{name}_{number}" for name in PAIRED for number in NUMBERS]
    for row, column in enumerate(("prefix", *columns, "relative"), 1):
        yield "seed", row, column, "", seed.chunks[column]


def _sentences(seed: Seed, states: np.ndarray) -> Iterator[Row]:
    for clause in CLAUSES:
        for row, at in enumerate(states, 1):
            form = form_of(STATES[at])
            yield clause, row, "", str(form), sentence(seed, clause, form)
    for clause in CLAUSES:
        for variant in VARIANTS:
            answers = answer_set(STATES[states[_ANSWER]], clause, variant)
            for row, (label, form) in enumerate(answers.items(), 1):
                part = f"answer set, {clause}, {variant}"
                yield part, row, label, str(form), sentence(seed, clause, form)


def _replacements(seed: Seed, states: np.ndarray, lexicon: Lexicon, fills: Fills) -> Iterator[Row]:
    """Mask each slot in the first sentence of the sequence and list its fills."""
    for clause in CLAUSES:
        for row, slot in enumerate(find_slots(seed, clause, lexicon), 1):
            request = slot.requests(clause)[states[0]]
            (pairs,) = fills.fills([request], RANKS)
            words = ", ".join(pair[request.number == "pl"] for pair in pairs)
            yield clause, row, slot.name, f"{request.before}{MASK}{request.after}", words


def _problem(seed: Seed, sequence: int) -> Iterator[Row]:
    problems = generate_type_i([seed], VARIANTS[:1])
    none = np.full(len(problems), -1)
    problem = problems.table(VARIANTS[0], 0, none, none).slice(sequence, 1).to_pylist()[0]
    for row, (text, state) in enumerate(
        zip(problem["context"], problem["context_states"], strict=True), 1
    ):
        yield "input", row, "", state, text
    columns = (problem[name] for name in ("labels", "candidate_states", "candidates"))
    for row, candidate in enumerate(zip(*columns, strict=True), 1):
        yield "candidates", row, *candidate


def _sequences() -> Iterator[Row]:
    varied = {
        "subject and verb number": ("alternates with every sentence", "2 orders"),
        "number of the first attractor": ("alternates with every two sentences", "2 orders"),
        "second attractor": ("changes after four sentences", "6 ordered pairs of none, sg, pl"),
    }
    for row, (label, (relation, orders)) in enumerate(varied.items(), 1):
        yield "attributes", row, label, orders, relation
    for row, states in enumerate(SEQUENCES, 1):
        texts = [str(STATES[at]) for at in states]
        yield "sequences", row, f"sequence {row - 1}", "", " ".join(texts)
