"""Where the argument of a verb stands, on example (1) of the paper, and accuracy by it."""

import pyarrow as pa
import pytest

from kasu.agreement.data.tasks import SLOTS
from kasu.agreement.data.transforms import Sentence
from kasu.agreement.evaluation.attractors import (
    GROUPINGS,
    Place,
    find_argument,
    measure_attractors,
)
from kasu.agreement.figures.attractors import draw_attractors
from kasu.agreement.models.predictions import PREDICTIONS
from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv, write_parquet

TOKENS = ["Kutxazainek", "bezeroari", "liburuak", "eman", "dizkiote"]
SUFFIXES = ["-ek", "-ari", "-ak", "none", "none"]
FINITE = [False, False, False, False, True]
SENTENCE = Sentence(TOKENS, TOKENS, TOKENS, SUFFIXES, FINITE, 4)
LABELS = {"ergative": "plural", "absolutive": "plural", "dative": "singular"}


@pytest.mark.parametrize(
    ("slot", "number", "place"),
    [
        # liburuak could be an ergative, singular
        ("ergative", "plural", Place("overt", 4, 1, 1)),
        ("absolutive", "plural", Place("overt", 2, 0, 1)),
        ("dative", "singular", Place("overt", 3, 0, 1)),
        ("dative", "plural", Place("not overt", 0, 0, 1)),
        ("ergative", "none", Place("none", 0, 0, 1)),
    ],
)
def test_arguments_of_example_1(slot, number, place):
    assert find_argument(SENTENCE, slot, number) == place


def test_a_word_on_the_other_side_of_the_verb_is_no_attractor():
    after = SENTENCE._replace(suffixes=["-ek", "none", "none", "none", "-ak"], target=2)
    assert find_argument(after, "ergative", "plural") == Place("overt", 2, 0, 1)


def test_the_nearest_candidate_of_the_right_number_is_the_argument():
    two = SENTENCE._replace(suffixes=["-ek", "-ak", "-ek", "-ak", "none"])
    assert find_argument(two, "ergative", "plural") == Place("overt", 2, 1, 1)


def test_groups():
    far = Place("overt", 9, 3, 4)
    assert {by: name(far) for by, name in GROUPINGS.items()} == {
        "argument": "overt", "attractors": "2 or more", "distance": "7 or more",
        "verbs": "3 or more",
    }  # fmt: skip
    hidden = Place("not overt", 0, 0, 1)
    assert [name(hidden) for name in GROUPINGS.values()] == ["not overt", None, None, "1"]


def write_predictions(path, items, wrong=(), seeds=(1,), variant="paper"):
    """Predictions that are right but for the ergatives of some items."""
    nothing = dict.fromkeys(PREDICTIONS.names)
    rows = [
        nothing
        | {"item_id": item, "cluster": "c", "slot": slot, "variant": variant, "seed": seed}
        | {"gold": LABELS[slot]}
        | {"prediction": "none" if item in wrong and slot == "ergative" else LABELS[slot]}
        for seed in seeds
        for item in items
        for slot in SLOTS
    ]
    write_parquet(path, rows, PREDICTIONS)
    return path


@pytest.fixture
def dataset(tmp_path, write_dataset):
    """Ten sentences; between the ergative and the verb of the even ones stands an attractor."""
    columns = SENTENCE._asdict() | LABELS
    none = {"suffixes": ["-ek", "-ari", "none", "none", "none"]}
    rows = [
        columns
        | (none if number % 2 else {})
        | {"item_id": f"i{number}", "sentence_id": f"s{number}", "cluster": f"c{number}"}
        for number in range(10)
    ]
    return write_dataset(tmp_path / "test.parquet", rows, ["paper"])


def test_accuracy_by_group_and_its_figure(tmp_path, dataset):
    items = [f"i{number}" for number in range(10)]
    files = {
        "bilstm": write_predictions(tmp_path / "b", items, wrong=["i0", "i2", "i1"], seeds=(1, 2)),
        "majority": write_predictions(tmp_path / "m", items, seeds=(None,)),
    }
    measure_attractors(dataset, files, tmp_path / "a.tsv", seed=1)
    rows = read_tsv(tmp_path / "a.tsv")
    found = {
        row["group"]: (float(row["accuracy"]), row["n"], row["runs"])
        for row in rows
        if (row["system"], row["slot"], row["by"]) == ("bilstm", "ergative", "attractors")
    }
    assert found == {"0": (0.8, "5", "2"), "1": (0.6, "5", "2")}
    assert {row["accuracy"] for row in rows if row["system"] == "majority"} == {"1.0"}
    # Odd sentences have no absolutive that one can see
    absolutives = {
        row["group"]: row["n"]
        for row in rows
        if (row["system"], row["slot"], row["by"]) == ("bilstm", "absolutive", "argument")
    }
    assert absolutives == {"not overt": "5", "overt": "5"}
    draw_attractors(tmp_path / "a.tsv", tmp_path / "a.svg", variant="paper", nulls=["majority"])
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")


def test_groups_have_an_interval_over_seeds(tmp_path, dataset):
    items = [f"i{number}" for number in range(10)]
    paths = [
        write_predictions(tmp_path / f"b{seed}", items, wrong=wrong, seeds=(seed,))
        for seed, wrong in ((1, ["i0"]), (2, ["i0", "i2"]), (3, ["i0", "i2", "i4"]))
    ]
    write_parquet(
        tmp_path / "b", pa.concat_tables([read_parquet(path) for path in paths]), PREDICTIONS
    )
    one = write_predictions(tmp_path / "m", items, seeds=(None,))
    measure_attractors(
        dataset, {"bilstm": tmp_path / "b", "majority": one}, tmp_path / "a.tsv", seed=1
    )
    found = {
        row["system"]: (row["accuracy"], row["seeds_low"], row["seeds_high"])
        for row in read_tsv(tmp_path / "a.tsv")
        if (row["slot"], row["by"], row["group"]) == ("ergative", "attractors", "1")
    }
    # 0.8, 0.6 and 0.4: 0.6 ± 4.3027 · 0.2 / √3
    assert [float(each) for each in found["bilstm"]] == pytest.approx([0.6, 0.1032, 1], abs=1e-4)
    assert found["majority"] == ("1.0", "", "")


@pytest.mark.parametrize("items", [["i1", "i0"], ["i0"]])
def test_predictions_of_another_test_set_end_in_one_line(tmp_path, dataset, items):
    items = [*items, *(f"i{number}" for number in range(2, 10))]
    path = write_predictions(tmp_path / "b", items)
    with pytest.raises(KasuError, match="other items than the test set"):
        measure_attractors(dataset, {"bilstm": path}, tmp_path / "a.tsv", seed=1)


def test_a_variant_that_a_system_did_not_run_on_has_no_row(tmp_path, dataset):
    path = write_predictions(tmp_path / "b", ["i0"], variant="released")
    measure_attractors(dataset, {"bilstm": path}, tmp_path / "a.tsv", seed=1)
    assert read_tsv(tmp_path / "a.tsv") == []


def test_without_suffixes_of_arguments_nothing_is_measured(
    tmp_path, write_subjects, draw_sentences
):
    write_subjects(tmp_path / "test.parquet", draw_sentences(5, 1))
    rows = [
        dict.fromkeys(PREDICTIONS.names)
        | {"item_id": f"s{number}", "slot": "subject", "variant": "paper"}
        for number in range(5)
    ]
    write_parquet(tmp_path / "m", rows, PREDICTIONS)
    measure_attractors(
        tmp_path / "test.parquet", {"majority": tmp_path / "m"}, tmp_path / "a.tsv", seed=1
    )
    assert read_tsv(tmp_path / "a.tsv") == []
    draw_attractors(tmp_path / "a.tsv", tmp_path / "a.svg", variant="paper", nulls=["majority"])
