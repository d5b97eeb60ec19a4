"""Generate type II and III of BLM problems, against a plain loop over problems (BLM-6, -7)."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measuring import row

from kasu.blm.data.datasets import build_type_i, build_type_ii, build_type_iii
from kasu.blm.generation.fills import LexiconFills
from kasu.blm.generation.grammar import CLAUSES, SEQUENCES, STATES, answer_set, form_of, sentence
from kasu.blm.generation.seeds import read_seeds
from kasu.blm.generation.slots import RANKS, find_slots
from kasu.blm.generation.substitutions import read_lexicon

SEEDS = Path(__file__).resolve().parent.parent / "resources" / "seeds"
RELEASED = "papers/blm-agrf/seeds_FR_fragments.csv"
SOURCE = {"name": "seeds", "licence": "not stated", "citation": "none"}
SETTINGS = {
    "variant": ["released"],
    "capitals": "lower",
    "split": "random",
    "test": 0.1,
    "validation": 0.2,
    "seed": 1,
    "fill": "per_sentence",
    "candidates": "shared",
}
RULES: dict[str, Any] = {"settings": SETTINGS, "language": "fr", "sources": [SOURCE]}


def seconds(work: Callable[[], None]) -> float:
    """The wall seconds of a call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def plain_type_ii(path: Path, lexicon: Path) -> None:
    """Type II problem by problem: each sentence is requested, filled and assembled again."""
    known = read_lexicon(lexicon)
    source = LexiconFills(known, 1)
    problems = []
    for seed in read_seeds(path):
        for clause in CLAUSES:
            for slot in find_slots(seed, clause, known):
                requests = slot.requests(clause)
                for rank in range(RANKS):
                    for states in SEQUENCES:
                        pairs = [source.fills([requests[at]], RANKS)[0][rank] for at in states]
                        filled = [slot.fill(pair) for pair in pairs]
                        right = STATES[states[7]]
                        forms = answer_set(right, clause, "released").values()
                        problems.append(
                            [
                                sentence(one, clause, form_of(STATES[at]))
                                for one, at in zip(filled[:7], states[:7], strict=True)
                            ]
                            + [sentence(filled[7], clause, form) for form in forms]
                        )


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Wall seconds for all files of each type, on one core, with parquet and splits."""
    seeds = mirror / RELEASED if mirror else SEEDS / "fra.tsv"
    lexicon = SEEDS / "fra.lexicon.tsv"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        known = read_lexicon(lexicon)
        second = folder / "type_II"
        took = [
            seconds(lambda: build_type_i(seeds, folder / "type_I", **RULES)),
            seconds(
                lambda: build_type_ii(
                    seeds, second, lexicon=known, fills=LexiconFills(known, 1), **RULES
                )
            ),
            seconds(
                lambda: build_type_iii(second / "problems.parquet", folder / "type_III", **RULES)
            ),
        ]
    plain = seconds(lambda: plain_type_ii(seeds, lexicon))
    peer = f"problem by problem, unwritten, {plain:.2f}"
    return [
        row("BLM type I", took[0], "s", ""),
        row("BLM type II", took[1], "s", peer, plain / took[1]),
        row("BLM type III", took[2], "s", ""),
    ]
