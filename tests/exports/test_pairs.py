"""Minimal pairs in the forms of BLiMP and MultiBLiMP."""

import csv
import gzip
import json

import pytest

from kasu.audits.data.items import read_benchmark
from kasu.exports.pairs import OF_BLIMP, OF_MULTIBLIMP

PAIRS = [
    {"sentence_good": "Cats eat.", "sentence_bad": "Cats eats.", "type": "N"},
    {"sentence_good": "The cat eats fish.", "sentence_bad": "The cats eats fish.", "type": "N"},
    {"sentence_good": "She eats fish.", "sentence_bad": "Fish eats She", "type": "O/O"},
    {"sentence_good": "so is it", "sentence_bad": "it is so", "type": "O/O"},
    {"sentence_good": "He eats.", "sentence_bad": "Him eats.", "type": "O/O"},
]
SET = [
    {"item_id": "s:1", "masked": "[MASK] eats.", "grammatical": "nom", "form_nom": "He",
     "form_acc": "Him", "form_gen": "His", "licence": "CC BY-SA 4.0"},
    {"item_id": "s:2", "masked": "I see [MASK].", "grammatical": "acc", "form_nom": "he",
     "form_acc": "him", "form_gen": "his", "licence": "CC BY-NC-SA 3.0"},
]  # fmt: skip
MATRIX = {"context": ["a", "b"], "candidates": ["c", "d"], "answer": 1}


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_pairs_by_paradigm_have_the_keys_of_blimp(lines, export):
    out, status, said = export(lines(PAIRS), "blimp", "--licence", "CC BY 4.0")
    assert (status, said) == (0, ["CC BY 4.0: test 5"])
    assert sorted(path.name for path in out.iterdir()) == ["LICENSE.md", "N.jsonl", "O_O.jsonl"]
    found = read(out / "N.jsonl")
    assert found[0] == {
        "sentence_good": "Cats eat.", "sentence_bad": "Cats eats.", "field": "",
        "linguistics_term": "N", "UID": "N", "simple_LM_method": True, "one_prefix_method": True,
        "two_prefix_method": False, "lexically_identical": False, "pair_id": 0,
        "licence": "CC BY 4.0", "attribution": "mine.jsonl",
    }  # fmt: skip
    assert list(found[0]) == [*OF_BLIMP, "licence", "attribution"]
    methods = ("one_prefix_method", "two_prefix_method", "lexically_identical")
    found += read(out / "O_O.jsonl")
    assert [[row[name] for name in methods] for row in found] == [
        [True, False, False],
        [True, True, False],
        [False, False, False],
        [False, False, True],
        [False, True, False],
    ]
    assert [(row["UID"], row["pair_id"]) for row in found] == [
        ("N", 0), ("N", 1), ("O/O", 0), ("O/O", 1), ("O/O", 2),
    ]  # fmt: skip


def test_keys_of_blimp_stay_as_they_are(lines, export):
    first = {
        "sentence_good": "Cats eat.", "sentence_bad": "Cats eats.", "field": "morphology",
        "linguistics_term": "agreement", "UID": "regular", "simple_LM_method": False,
        "one_prefix_method": False, "two_prefix_method": True, "lexically_identical": True,
        "pair_id": 17,
    }  # fmt: skip
    rows = [first, first | {"pair_id": 0}, first | {"pair_id": None}]
    out, _, _ = export(lines(rows), "blimp", "--licence", "MIT")
    found = read(out / "regular.jsonl")
    assert list(found[0]) == [*OF_BLIMP, "licence", "attribution"]
    assert [row | {"licence": "MIT", "attribution": "mine.jsonl"} for row in rows[:2]] == found[:2]
    assert found[2]["pair_id"] == 2


@pytest.mark.parametrize(
    ("form", "file"), [("blimp", "O_O.jsonl"), ("lm-eval", "data/kasu_mine_O_O.test.jsonl")]
)
def test_a_phenomenon_may_have_one_pair(lines, export, form, file):
    out, status, _ = export(lines(PAIRS[:3]), form, "--licence", "MIT")
    assert (status, len(read(out / file))) == (0, 1)


def test_a_set_is_a_pair_for_each_wrong_form_with_the_licence_of_its_row(build, export):
    out, status, _ = export(build({"items": SET}), "blimp")
    assert status == 0
    names = ["acc_gen", "acc_nom", "nom_acc", "nom_gen"]
    assert sorted(out.glob("*.jsonl")) == [out / f"subjects_{name}.jsonl" for name in names]
    (pair,) = read(out / "subjects_acc_nom.jsonl")
    assert (pair["sentence_good"], pair["sentence_bad"]) == ("I see him.", "I see he.")
    assert (pair["UID"], pair["licence"]) == ("subjects_acc_nom", "CC BY-NC-SA 3.0")
    assert pair["attribution"] == "a.conllu (Ane (2020)); b.conllu"
    assert "**CC BY-NC-SA 3.0**" in (out / "LICENSE.md").read_text()


def test_a_table_has_the_columns_of_multiblimp(build, export):
    out, _, _ = export(build({"items": SET}), "multiblimp")
    with (out / "en/data.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, dialect="excel-tab"))
    assert list(rows[0]) == [*OF_MULTIBLIMP, "licence", "attribution"]
    assert {name: cell for name, cell in rows[2].items() if cell} == {
        "sen": "I see him.", "wrong_sen": "I see he.", "verb": "him", "swap_head": "he",
        "feature_vals": "acc -> nom", "prefix": "I see", "phenomenon": "subjects_acc_nom",
        "lang": "en", "grammatical_feature": "acc", "ungrammatical_feature": "nom",
        "licence": "CC BY-NC-SA 3.0", "attribution": "a.conllu (Ane (2020)); b.conllu",
    }  # fmt: skip


def test_columns_of_multiblimp_stay_as_they_are(lines, export):
    """Also where a file has some of them alone."""
    row = {"sen": "Ane eats.", "wrong_sen": "Ane eat.", "verb": "eats", "verb_idx": "1",
           "child": "Ane", "distance": "1", "lang": "en", "phenomenon": "SV-#",
           "grammatical_feature": "SG", "wo": "", "prefix": ""}  # fmt: skip
    out, _, _ = export(lines([row]), "multiblimp", "--licence", "MIT", "--language", "eng")
    with (out / "eng/data.tsv").open(encoding="utf-8", newline="") as file:
        (found,) = csv.DictReader(file, dialect="excel-tab")
    assert {name: cell for name, cell in found.items() if cell or name in row} == row | {
        "swap_head": "eat.", "licence": "MIT", "attribution": "mine.jsonl",
    }  # fmt: skip


def test_columns_of_agreement_pairs_have_multiblimps_names(lines, export):
    row = {"sen": 'He "eats".', "wrong_sen": 'He "eat".', "right_value": "Sing", "order": "SV",
           "wrong_value": "Plur", "controller": "He", "certainty": "+", "distance": 1}  # fmt: skip
    out, _, _ = export(lines([row]), "multiblimp", "--licence", "MIT", "--language", "eng")
    with (out / "eng/data.tsv").open(encoding="utf-8", newline="") as file:
        (found,) = csv.DictReader(file, dialect="excel-tab")
    assert {name: cell for name, cell in found.items() if cell} == {
        "sen": 'He "eats".', "wrong_sen": 'He "eat".', "verb": '"eats".', "swap_head": '"eat".',
        "feature_vals": "Sing -> Plur", "prefix": "He", "phenomenon": "mine", "lang": "eng",
        "grammatical_feature": "Sing", "ungrammatical_feature": "Plur", "child": "He", "wo": "SV",
        "agreement_certainty": "+", "licence": "MIT", "attribution": "mine.jsonl",
    }  # fmt: skip


@pytest.mark.parametrize("good", ['"Bai," dio.', '"Bai."', "bat\tbi", 'Non "x"?', "Bai"])
def test_what_is_exported_is_read_as_it_was(lines, export, good):
    row = {"sen": good, "wrong_sen": f"{good} Ez"}
    out, _, _ = export(lines([row]), "multiblimp", "--licence", "MIT")
    (options,) = read_benchmark(out / "und/data.tsv").options
    assert options == [good, f"{good} Ez"]


def test_the_columns_are_those_released(mirror):
    with gzip.open(mirror / "papers/multiblimp/eng/data.tsv.gz", "rt", encoding="utf-8") as file:
        assert tuple(next(csv.reader(file, dialect="excel-tab"))) == OF_MULTIBLIMP


@pytest.mark.parametrize(
    ("row", "line"),
    [
        (MATRIX, "multiple choice for blimp; expected minimal pairs or sets"),
        ({"lemma": "go", "form": "went"}, "columns lemma, form; expected sentence_good and"),
        ({**PAIRS[0], "sentence_bad": "Cats eat."}, "'Cats eat.' as right and as wrong; expected"),
        ({**PAIRS[0], "sentence_bad": " "}, "item 1: an option without text; expected a text"),
        (
            {"masked": "[MASK] eats.", "grammatical": "nom", "form_nom": "He", "form_acc": ""},
            "item 1: an option without text; expected a text",
        ),
    ],
)
def test_what_has_no_pairs_is_one_line_and_nothing_is_written(lines, export, row, line):
    out, status, said = export(lines([row, row]), "blimp", "--licence", "MIT")
    assert (status, len(said)) == (2, 1)
    assert line in said[0]
    assert not out.exists()


def test_paradigms_of_one_name_are_one_line(lines, export):
    rows = [{**PAIRS[0], "type": kind} for kind in ("a b", "a b", "A/b", "A/b")]
    _, _, said = export(lines(rows), "blimp", "--licence", "MIT")
    assert said[0].endswith(": 'a b' and 'A/b' as one name, 'A_b'; expected names apart")
