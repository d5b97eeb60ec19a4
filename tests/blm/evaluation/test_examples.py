"""Examples of BLM: three problems, a network with two seeds, and a null."""

import pytest

from kasu.blm.data.problems import PROBLEMS
from kasu.blm.evaluation.examples import take_examples
from kasu.blm.models.predictions import PREDICTIONS
from kasu.files.tables import write_parquet
from kasu.results.examples import Answer, Option, read_examples

LABELS = ["Coord", "WNA", "True", "AE", "AE2", "AE3"]
RUN = {"regime": "allTrain", "fold": None, "model": "FFNN", "variant": "released", "seed": 1}


@pytest.fixture
def problems(tmp_path):
    nothing = dict.fromkeys(PROBLEMS.names)
    rows = [
        nothing
        | {"problem_id": f"type_I-{number}", "variant": variant, "answer": 2, "labels": LABELS}
        | {"context": [f"Sentence {place}." for place in range(1, 8)]}
        | {"candidates": [f"{variant} {label}." for label in LABELS]}
        for variant in ("paper", "released")
        for number in range(3)
    ]
    write_parquet(tmp_path / "test.parquet", rows, PROBLEMS)
    return [str(tmp_path / "test.parquet")]


@pytest.fixture
def take(tmp_path, problems):
    def run(networks, heuristics=(), **changed):
        files = {"problems": problems, "predictions": []}
        for name, rows in (("networks", networks), ("heuristics", heuristics)):
            write_parquet(tmp_path / f"{name}.parquet", list(rows), PREDICTIONS)
            files["predictions"].append(str(tmp_path / f"{name}.parquet"))
        out = tmp_path / "e.tsv"
        take_examples(files, out, run=RUN | changed, answers="released", language="fr", seed=1)
        return read_examples(out)

    return run


def test_a_matrix_shows_its_candidates_and_who_chose_which(take, predicted):
    other = ["AE", "True", "True"]
    networks = [
        *predicted(other, variant="paper"),
        *predicted(other, regime="bySeed"),
        *predicted(["True", "AE", "AE"]),
        *predicted(other, seed=2),
        *predicted(["True", "True", "True"], model="CNN"),
    ]
    nulls = predicted(["AE", "AE", "True"], model="medoid")
    nulls[0]["chosen"] = -1
    notes, examples = take(networks, nulls)
    assert notes == [
        "All 3 test problems of allTrain, each once per training type: "
        "1 right and 2 wrong, as FFNN answers."
    ]
    first = examples[0]
    assert (first.item, first.group) == ("type_I-0", "trained on type_I, tested on type_I")
    assert first.language == "fr"
    assert first.texts == tuple((str(place), f"Sentence {place}.") for place in range(1, 8))
    assert first.options == tuple(
        Option(label, f"released {label}.", label == "True") for label in LABELS
    )
    assert first.answers == (
        Answer("FFNN", "True", "right"),
        Answer("CNN", "True", "right"),
        Answer("medoid", "none", "wrong"),
    )
    by_item = {each.item: each.answers for each in examples}
    assert by_item["type_I-2"] == (
        Answer("FFNN", "AE", "wrong"),
        Answer("CNN", "True", "right"),
        Answer("medoid", "True", "right"),
    )


def test_cells_take_turns(take, predicted):
    right = ["True"] * 3
    networks = [*predicted(right), *predicted(right, train="type_II")]
    _, examples = take(networks)
    groups = [each.group for each in examples]
    assert len(set(groups[:2])) == len(set(groups[2:4])) == 2


def test_a_fold_counts_alone(take, predicted):
    rows = predicted(["True", "AE", "AE"], regime="bySeed")
    folds = [row | {"fold": fold} for fold in (1, 2) for row in rows]
    for row in folds[3:]:
        row["chosen"] = row["answer"]
    notes, _ = take(folds, regime="bySeed", fold=1)
    assert notes == [
        "All 3 test problems of bySeed, each once per training type: "
        "1 right and 2 wrong, as FFNN answers."
    ]


def test_a_run_without_predictions_says_so(take, predicted):
    notes, examples = take(predicted(["True"] * 3), model="CNN")
    assert (notes, examples) == (
        ["No example: there are no test problems of allTrain, each once per training type."],
        [],
    )
