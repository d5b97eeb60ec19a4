"""What a sentence becomes: its units, the reason to drop it, its target verb and its labels."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from kasu.agreement.data.morphology import Unit, choose_reading
from kasu.agreement.data.sentences import (
    choose_target,
    make_items,
    read_units,
    reason_to_drop,
    show_units,
)
from kasu.agreement.data.tasks import SLOTS
from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, write_parquet


@pytest.fixture
def units(tmp_path, write_corpus) -> Callable[[str], list[Unit]]:
    """Read the units of a sentence."""

    def read(text: str) -> list[Unit]:
        ((_, _, found),) = read_units(*write_corpus(tmp_path, {"s": text}))
        return found

    return read


WALKED = "^walked/walk<vbsint><past>$"
"""A finite verb that shows no number."""


# Filters


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no lexical unit"),
        ("da", "fewer than 2 units"),
        ("ura da", None),
        ("ura " * 59 + "da", None),
        ("ura " * 60 + "da", "more than 60 units"),
        ("^NONE/*NONE$ da", "NONE in the analysis"),
        ("^x/NONE<n>$ da", "NONE in the analysis"),
        ("ura Zzxq", "no finite verb"),
        ("ura dena", None),
        (f"ura {WALKED}", "no finite verb that shows a number"),
        (f"ura {WALKED} da", None),
    ],
)
def test_reason_to_drop(units, eus, text, reason):
    assert reason_to_drop(units(text), eus, [2, 60]) == reason


# Targets


@pytest.fixture
def target(eus) -> Callable[[Sequence[Unit], str, int], int | None]:
    def choose(words: Sequence[Unit], variant: str, seed: int) -> int | None:
        tokens = [unit.surface for unit in words]
        chosen = [choose_reading(unit, variant, eus) for unit in words]
        return choose_target(tokens, words, chosen, variant, eus, seed)

    return choose


def test_target_is_drawn_by_sentence_and_seed(units, target):
    words = units("ura da daude dio")
    assert [target(words, "paper", seed) for seed in range(8)] == [3, 2, 1, 3, 1, 3, 3, 1]
    assert target(words, "paper", 1) == target(words, "paper", 1)


def test_drawn_targets_are_about_uniform(units, target):
    words = units("ura da daude dio")
    drawn = [target(words, "paper", seed) for seed in range(3000)]
    assert {at: abs(drawn.count(at) - 1000) < 100 for at in set(drawn)} == {
        1: True, 2: True, 3: True
    }  # fmt: skip


def test_paper_draws_from_chosen_readings_only(units, target):
    words = units("dena ura da")
    assert {target(words, "paper", seed) for seed in range(50)} == {2}
    assert target(units("dena ura"), "paper", 1) is None


def test_released_takes_the_first_finite_unit(units, target):
    assert target(units("ura dena daude da"), "released", 1) == 1


@pytest.mark.parametrize("variant", ["paper", "released"])
def test_a_finite_verb_that_shows_no_number_is_no_target(units, eus, options, target, variant):
    words = units(f"ura {WALKED} da {WALKED}")
    assert {target(words, variant, seed) for seed in range(50)} == {2}
    assert show_units(words, eus, options)["finite"] == [False, True, True, True]


# Items


def test_item_of_a_sentence(units, eus, options):
    found = make_items("s", "k", units("ura dio"), eus, options)
    assert found["released"] == {
        "item_id": "s|released",
        "sentence_id": "s",
        "cluster": "k",
        "variant": "released",
        "tokens": ["ura", "dio"],
        "lemmas": ["ur", "ukan"],
        "stems": ["ur", "dio"],
        "suffixes": ["-a", "none"],
        "finite": [False, True],
        "licensed": ["", "-a -ak -ari"],
        "target": 1,
        "ergative": "singular",
        "absolutive": "singular",
        "dative": "singular",
        "third_plural_ergative": False,
    }
    assert found["paper"]["lemmas"] == ["ur", "erran"]
    assert found["paper"]["dative"] == "none"


def test_a_word_with_a_finite_reading_has_no_suffix(units, eus, options):
    gara = "^gara/izan<vbsint><pri><NR_GU>/gar<n>+a<det><art><sg>$"
    found = make_items("s", "k", units(f"ura {gara}"), eus, options)
    assert found["paper"]["suffixes"] == ["-a", "none"]
    assert found["paper"]["finite"] == [False, True]


def test_released_labels_a_target_by_its_chosen_reading_finite_or_not(units, eus, options):
    found = make_items("s", "k", units("ura dirudienez"), eus, options)
    assert list(found) == ["released"]
    item = found["released"]
    assert (item["target"], item["lemmas"]) == (1, ["ur", "dirudienez"])
    assert [item[slot] for slot in SLOTS] == ["none", "none", "none"]


@pytest.mark.parametrize(
    ("verb", "marked"),
    [
        ("^dute/ukan<vbsint><pri><NR_HU><NK_HK>$", True),
        ("^dugu/ukan<vbsint><pri><NR_HU><NK_GU>$", False),
        ("^duzue/ukan<vbsint><pri><NR_HU><NK_ZK>$", False),
        # third person plural, but not of the ergative
        ("^die/ukan<vbsint><pri><NR_HU><NI_HK><NK_HU>$", False),
        ("daude", False),
    ],
)
def test_third_person_plural_ergatives_are_marked(units, eus, options, verb, marked):
    found = make_items("s", "k", units(f"ura {verb}"), eus, options)
    assert [item["third_plural_ergative"] for item in found.values()] == [marked, marked]


@pytest.mark.parametrize("polite", ["singular", "plural"])
def test_polite_number(units, eus, options, polite):
    found = make_items("s", "k", units("ura zaude"), eus, {**options, "polite": polite})
    assert found["paper"]["absolutive"] == polite


def test_slot_that_the_analyser_does_not_mark_is_none(tmp_path, write_corpus, eus, options):
    sentences, analyses = write_corpus(tmp_path, {"a": "ura dio"})
    table = read_parquet(analyses).drop_columns(["dative"])
    write_parquet(analyses, table, table.schema)
    ((_, _, words),) = read_units(sentences, analyses)
    assert make_items("a", "k", words, eus, options)["released"]["dative"] == "none"


# Units


def test_units_are_in_order_and_sentences_without_units_are_kept(tmp_path, write_corpus):
    found = read_units(*write_corpus(tmp_path, {"a": "ura dio", "b": "»", "c": "da"}))
    assert [
        (name, key, [(unit.surface, len(unit.readings)) for unit in words])
        for name, key, words in found
    ] == [
        ("a", "key of a", [("ura", 1), ("dio", 2)]),
        ("b", "key of b", []),
        ("c", "key of c", [("da", 1)]),
    ]


def test_analysis_of_another_corpus_is_one_line(tmp_path: Path, write_corpus):
    sentences, _ = write_corpus(tmp_path / "one", {"a": "da", "b": "da"})
    _, analyses = write_corpus(tmp_path / "other", {"a": "da", "c": "da"})
    with pytest.raises(KasuError, match=r"analyses\.parquet: sentence c is not in "):
        list(read_units(sentences, analyses))
