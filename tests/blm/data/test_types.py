"""The three types of problems: their counts, order and properties."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pytest

from kasu.base.errors import KasuError
from kasu.blm.data.datasets import build_type_i, build_type_ii, build_type_iii
from kasu.blm.data.names import TYPES
from kasu.blm.data.problems import PROBLEMS, load_problems, read_variant
from kasu.blm.data.types import generate_type_i, generate_type_ii, generate_type_iii
from kasu.blm.generation.fills import LexiconFills
from kasu.blm.generation.grammar import LABELS, STATES
from kasu.blm.generation.seeds import read_seeds
from kasu.blm.generation.substitutions import Pair, read_lexicon
from kasu.files.tables import read_tsv

ROOT = Path(__file__).resolve().parents[3] / "resources" / "seeds"
SETTINGS = {
    "variant": ["released", "paper"], "capitals": "lower", "split": "random", "folds": None,
    "test": 0.1, "validation": 0.2, "seed": 1, "fill": "per_sentence", "candidates": "shared",
}  # fmt: skip
SOURCE = {"name": "seeds", "licence": "not stated", "citation": "none"}
FILES = ("problems", "train", "validation", "test")


def build(seeds: Path, lexicon: Path, folder: Path, **changes) -> Path:
    known = read_lexicon(lexicon)
    rules = {"settings": {**SETTINGS, **changes}, "language": "fr", "sources": [SOURCE]}
    fills = LexiconFills(known, 1)
    build_type_i(seeds, folder / "type_I", **rules)
    build_type_ii(seeds, folder / "type_II", lexicon=known, fills=fills, **rules)
    build_type_iii(folder / "type_II" / "problems.parquet", folder / "type_III", **rules)
    return folder


@pytest.fixture(scope="session")
def french(tmp_path_factory) -> Path:
    """All types, from the shipped French seeds."""
    folder = tmp_path_factory.mktemp("french")
    return build(ROOT / "fra.tsv", ROOT / "fra.lexicon.tsv", folder)


@pytest.fixture(scope="session")
def english(tmp_path_factory) -> Path:
    """All types, from the shipped English seeds, split by seed, with capitals kept."""
    folder = tmp_path_factory.mktemp("english")
    rules = {"split": "by_seed", "capitals": "keep", "candidates": "independent"}
    return build(ROOT / "eng.tsv", ROOT / "eng.lexicon.tsv", folder, **rules)


def rows(folder: Path, type_: str, variant="released", file="problems", columns=None) -> list[dict]:
    table = read_variant(folder / type_ / f"{file}.parquet", variant)
    return table.select(columns or table.column_names).to_pylist()


def counts(folder: Path, type_: str) -> dict[str, int]:
    path = folder / type_ / "counts.tsv"
    return {row["step"]: int(row["count"]) for row in read_tsv(path)}


def test_counts_of_type_i(french):
    found = counts(french, "type_I")
    assert [found[k] for k in ("problems", "main", "completive", "relative")] == [
        2304, 768, 768, 768
    ]  # fmt: skip
    assert found["distinct context sentences"] == 3 * 384


@pytest.mark.parametrize("type_", ["type_II", "type_III"])
def test_counts_of_types_ii_and_iii(french, type_):
    found = counts(french, type_)
    assert [found[k] for k in ("problems", "main", "completive", "relative")] == [
        38400, 7680, 15360, 15360
    ]  # fmt: skip


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("variant", SETTINGS["variant"])
def test_one_right_answer_and_each_label_once(french, type_, variant):
    table = read_variant(french / type_ / "problems.parquet", variant)
    assert table.schema == PROBLEMS
    for labels, answer in zip(
        table["labels"].to_pylist(), table["answer"].to_pylist(), strict=True
    ):
        assert set(labels) == set(LABELS)
        assert len(labels) == 6
        assert labels[answer] == "True"


def test_ids_are_unique(french):
    for type_ in TYPES:
        names = [row["problem_id"] for row in rows(french, type_, columns=["problem_id"])]
        assert len(set(names)) == len(names)
        assert (
            names[33]
            == {
                "type_I": "type_I-main-01-01-released",
                "type_II": "type_II-main-01-01-subject-0-released",
                "type_III": "type_III-main-01-01-subject-0-released",
            }[type_]
        )


@pytest.mark.parametrize("variant", SETTINGS["variant"])
def test_type_i_candidates_differ_and_n2_alter_is_the_sixth_sentence(french, variant):
    for row in rows(french, "type_I", variant):
        assert len(set(row["candidates"])) == 6
        assert row["candidates"][row["answer"]] not in row["context"]
        if variant == "released":
            assert row["candidates"][row["labels"].index("N2_alter")] == row["context"][5]


def test_mis_num_copies_a_context_sentence_in_128_main_and_relative_problems(french):
    copies = Counter()
    for row in rows(french, "type_I"):
        text = row["candidates"][row["labels"].index("mis_num")]
        copies[row["clause"]] += text in row["context"]
    assert copies == {"main": 128, "completive": 0, "relative": 128}


def test_file_order_is_sequence_then_seed(french):
    found = rows(french, "type_I")[:768]
    assert [(row["sequence"], row["seed"]) for row in found] == [
        (sequence, seed) for sequence in range(24) for seed in range(32)
    ]


def test_the_right_answer_is_equally_often_in_each_position(french):
    places = Counter(row["answer"] for row in rows(french, "type_II", columns=["answer"]))
    assert all(abs(count - 6400) < 4 * 73 for count in places.values())  # 73: one sigma


def test_candidates_of_type_ii_share_a_fill_and_context_sentences_do_not(french):
    found = rows(french, "type_II", file="test")
    row = next(r for r in found if (r["slot"], r["seed"]) == ("matrix_subject", 0))  # Paul
    first_words = [text.split()[0] for text in row["candidates"]]
    assert len(set(first_words)) == 1
    assert len({text.split()[0] for text in row["context"]}) > 2


def test_fill_per_problem(tmp_path):
    seeds, lexicon = read_seeds(ROOT / "eng.tsv"), read_lexicon(ROOT / "eng.lexicon.tsv")
    fills = LexiconFills(lexicon, 1)
    problems = generate_type_ii(seeds, lexicon, fills, ["released"], "per_problem")
    rows = problems.clause == 1
    for at in np.flatnonzero(rows & (problems.slot == 2)):  # matrix_subject
        texts = [problems.sentences[i] for i in problems.context[at]]
        texts += [problems.sentences[i] for i in problems.candidates["released"][at]]
        assert len({text.partition(" says")[0] for text in texts if " says" in text}) <= 1
        assert len({text.split()[0] for text in texts}) == 1


def test_type_iii_keeps_states_and_takes_sentences_of_type_ii(french):
    second = read_variant(french / "type_II" / "problems.parquet", "released")
    known = {}
    for context, states, clause in zip(
        *(second[name].to_pylist() for name in ("context", "context_states", "clause")), strict=True
    ):
        known.update({text: (state, clause) for text, state in zip(context, states, strict=True)})
    columns = ["clause", "context", "context_states", "context_seeds"]
    third = rows(french, "type_III", columns=columns)
    for row in third[::7]:
        assert [known[text] for text in row["context"]] == [
            (state, row["clause"]) for state in row["context_states"]
        ]
    assert second["context_states"].to_pylist() == [row["context_states"] for row in third]
    assert np.mean([len(set(row["context_seeds"])) for row in third]) > 5


def test_type_iii_draws_each_sentence_from_another_problem():
    seeds, lexicon = read_seeds(ROOT / "eng.tsv"), read_lexicon(ROOT / "eng.lexicon.tsv")
    second = generate_type_ii(seeds, lexicon, LexiconFills(lexicon, 1), ["released"])
    # Number the problems in place of their seeds, and see what comes back
    second.seed = np.arange(len(second))
    for candidates in ("shared", "independent"):
        third = generate_type_iii(second, candidates, 1)
        sources = np.concatenate([third.context_seeds, third.seed[:, None]], axis=1)
        assert {len(set(row)) for row in sources.tolist()} == {8}


@pytest.mark.parametrize("variant", SETTINGS["variant"])
def test_equal_candidates_are_one_line(variant):
    seed = read_seeds(ROOT / "ita.tsv", "keep")[0]
    chunks = {**seed.chunks, "subject_pl": seed.chunks["subject_sg"]}
    text = "La lampada sul tavolo costa troppo ."
    with pytest.raises(KasuError) as error:
        generate_type_i([replace(seed, chunks=chunks)], [variant])
    assert str(error.value) == (
        f"{seed.place}: {text!r} as True and as N1_alter; expected six candidates that differ"
    )


def test_a_fill_without_number_is_one_line():
    """A name without a plural, where nothing else shows the number of the subject."""
    seeds, lexicon = read_seeds(ROOT / "eng.tsv"), read_lexicon(ROOT / "eng.lexicon.tsv")

    class Names(LexiconFills):
        def fills(self, requests, count):
            return [[Pair("sheep", "sheep")] * count for _ in requests]

    with pytest.raises(KasuError, match=r"eng.tsv:2: 'The sheep .* as True and as N1_alter"):
        generate_type_ii(seeds, lexicon, Names(lexicon, 1), ["released"])


def test_unknown_ways_are_refused():
    seeds, lexicon = read_seeds(ROOT / "eng.tsv"), read_lexicon(ROOT / "eng.lexicon.tsv")
    with pytest.raises(KasuError, match="fill: 'all'; expected per_sentence or per_problem"):
        generate_type_ii(seeds, lexicon, LexiconFills(lexicon, 1), ["released"], "all")
    with pytest.raises(KasuError, match="candidates: 'all'; expected shared or independent"):
        generate_type_iii(generate_type_i(seeds, ["released"]), "all", 1)
    settings = {**SETTINGS, "variant": ["printed"]}
    with pytest.raises(KasuError, match=r"variant: \['printed'\]"):
        build_type_i(ROOT / "eng.tsv", "x", settings=settings, language="en", sources=[SOURCE])


def test_each_sentence_has_one_state(french):
    states = {}
    for type_ in TYPES:
        for variant in SETTINGS["variant"]:
            table = read_variant(french / type_ / "test.parquet", variant)
            for part, kind in (("context", "context_states"), ("candidates", "candidate_states")):
                texts, kinds = (pc.list_flatten(table[name]).to_pylist() for name in (part, kind))
                for text, state in zip(texts, kinds, strict=True):
                    assert states.setdefault(text, state) == state


def test_problems_state_the_states_of_their_sentences(french):
    texts = {str(state) for state in STATES}
    for row in rows(french, "type_I", "paper")[:50]:
        assert set(row["context_states"]) <= texts
        assert row["candidate_states"][row["answer"]] in texts - set(row["context_states"])


def test_files_are_reproducible(english, tmp_path):
    rules = {"split": "by_seed", "capitals": "keep", "candidates": "independent"}
    again = build(ROOT / "eng.tsv", ROOT / "eng.lexicon.tsv", tmp_path, **rules)
    for path in english.rglob("*.*"):
        assert (again / path.relative_to(english)).read_bytes() == path.read_bytes()


def test_a_problems_file_is_read_as_written(french):
    problems = load_problems(
        french / "type_II" / "problems.parquet", SETTINGS["variant"], "type_II"
    )
    table = read_variant(french / "type_II" / "problems.parquet", "paper")
    (row,) = table.slice(20_000, 1).to_pylist()
    assert [problems.sentences[i] for i in problems.context[20_000]] == row["context"]
    by_label = dict(zip(row["labels"], row["candidates"], strict=True))
    assert [problems.sentences[i] for i in problems.candidates["paper"][20_000]] == [
        by_label[label] for label in LABELS
    ]


def test_another_language_keeps_its_names(english):
    row = next(r for r in rows(english, "type_I") if r["clause"] == "completive")
    assert row["context"][0] == "Mary says that the lamp on the table costs too much ."


def test_by_seed_no_test_seed_occurs_in_training(english):
    parts = {}
    for type_ in TYPES:
        found = {file: rows(english, type_, file=file) for file in FILES[1:]}
        seeds = {
            file: {s for row in part for s in (row["seed"], *row["context_seeds"])}
            for file, part in found.items()
        }
        parts[type_] = seeds
        texts = {
            file: {t for row in part for t in row["context"] + row["candidates"]}
            for file, part in found.items()
        }
        assert not texts["train"] & texts["test"]
        assert not texts["validation"] & texts["test"]
    assert parts["type_I"] == parts["type_II"] == parts["type_III"]
    assert [len(parts["type_I"][file]) for file in FILES[1:]] == [5, 2, 1]


def test_card_and_drops(french):
    card = (french / "type_II" / "README.md").read_text()
    assert "num_examples: 55296" in card  # 27,648 of each variant
    reasons = {row["reason"] for row in read_tsv(french / "type_II" / "drops.tsv")}
    assert {"another gender", "elision broken"} <= reasons


@pytest.mark.real
def test_counts_with_the_authors_seeds(mirror, tmp_path):
    seeds = mirror / "papers" / "blm-agrf" / "seeds_FR_fragments.csv"
    build(seeds, ROOT / "fra.lexicon.tsv", tmp_path, variant=["released"])
    for type_, sizes in (
        ("type_I", [2304, 768, 768, 768, 1658, 415, 231]),
        ("type_II", [38400, 7680, 15360, 15360, 27648, 6912, 3840]),
        ("type_III", [38400, 7680, 15360, 15360, 27648, 6912, 3840]),
    ):
        assert list(counts(tmp_path, type_).values())[:7] == sizes
