"""The files of the study's scores, and the predictions that they are read from."""

from itertools import product
from pathlib import Path

import pyarrow as pa
import pytest

from kasu.agreement.data.sentences import SCHEMA
from kasu.agreement.data.tasks import SLOTS, SPLITS
from kasu.agreement.evaluation.scores import compare, read_predictions, score, score_study
from kasu.agreement.models.predictions import PREDICTIONS, SUFFIX_PREDICTIONS
from kasu.agreement.runs import PredictionFile
from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv, write_counts, write_parquet
from kasu.results.scores import SCORES

GOLD = ["singular", "singular", "plural", "plural", "none", "none"]
PREDICTED = ["singular", "plural", "plural", "none", "none", "singular"]


def accuracy(rows: list[dict], **where: object) -> float:
    (row,) = (row for row in rows if (where | {"metric": "accuracy"}).items() <= row.items())
    return row["value"]


def write_predictions(
    path: Path, predicted: list[str], seeds=(None,), gold=GOLD, backwards=False
) -> Path:
    items = [*enumerate(zip(gold, predicted, strict=True))]
    rows = [
        {
            "item_id": f"s{number}|{variant}", "cluster": f"c{number}", "slot": slot, "gold": right,
            "prediction": guess, "variant": variant, "seed": seed,
        }
        for variant, seed, slot in product(("paper", "released"), seeds, SLOTS)
        for number, (right, guess) in (reversed(items) if backwards else items)
    ]  # fmt: skip
    write_parquet(path, rows, PREDICTIONS)
    return path


def write_items(path: Path) -> None:
    rows = [
        {"item_id": f"{name}|{variant}", "cluster": name, "variant": variant, "tokens": ["du"],
         "finite": [True], "licensed": [""], "suffixes": ["none"], "dative": "none",
         "third_plural_ergative": True}
        for name in "ab" for variant in ("paper", "released")
    ]  # fmt: skip
    columns = [SCHEMA.field(name) for name in rows[0]]
    write_parquet(path, rows, pa.schema(columns))


def run(
    folder: Path,
    corpora: tuple[str, ...] = ("demo",),
    untestable: str | None = None,
    times: int = 1,
) -> Path:
    folder.mkdir(exist_ok=True)
    counts = {f"{v}: {s}": 6 for v in ("paper", "released") for s in SPLITS}
    write_counts(folder / "counts.tsv", {"sentences": 9, **counts})
    write_items(folder / "test.parquet")
    gold = GOLD * times
    predicted = {"bilstm": (gold, (1, 2)), "majority": (["singular"] * len(gold), (None,))}
    runs = [
        PredictionFile(
            "verb_number",
            system,
            corpus,
            "base",
            write_predictions(folder / f"{system}-{corpus}.parquet", *predicted[system], gold),
        )
        for system, corpus in product(predicted, corpora)
    ]
    score_study(
        runs, dict.fromkeys(corpora, folder), folder / "scores.parquet",
        folder / "comparisons.tsv", folder / "claims.tsv", main_corpus=corpora[0],
        untestable=untestable, seed=1,
    )  # fmt: skip
    return folder


def test_study_is_scored_into_three_files(tmp_path):
    run(tmp_path)
    scores = read_parquet(tmp_path / "scores.parquet")
    assert scores.schema == SCORES
    rows = scores.to_pylist()
    found = {"table": "Table 4", "condition": "Base|ergative", "variant": "released", "seed": None}
    assert accuracy(rows, system="BiLSTM", **found) == 1.0
    assert accuracy(rows, system="majority", **found) == pytest.approx(1 / 3)
    assert len(read_tsv(tmp_path / "comparisons.tsv")) == 6
    assert len(read_tsv(tmp_path / "claims.tsv")) == 2 * 15


def test_suffixes_are_scored_among_the_rest(tmp_path):
    run(tmp_path)
    rows = [
        {"item_id": "s1", "cluster": "c1", "position": 0, "gold": "-ek", "prediction": "-ek",
         "variant": "paper", "seed": 1}
    ]  # fmt: skip
    write_parquet(tmp_path / "suffix.parquet", rows, SUFFIX_PREDICTIONS)
    score_study(
        [
            PredictionFile(task, "bilstm", "demo", "base", tmp_path / name)
            for task, name in (("verb_number", "bilstm-demo.parquet"), ("suffix", "suffix.parquet"))
        ],
        {"demo": tmp_path}, tmp_path / "scores.parquet", tmp_path / "comparisons.tsv",
        tmp_path / "claims.tsv", main_corpus="demo", untestable="made up", seed=1,
    )  # fmt: skip
    scored = read_parquet(tmp_path / "scores.parquet").to_pylist()
    assert {(row["table"], row["predictions"]) for row in scored} == {
        ("Table 4", "bilstm-demo.parquet"), ("Table 5", "suffix.parquet"),
        ("Table 6", "suffix.parquet"), ("section 5", None), ("section 6.1", None),
        ("section 7", None),
    }  # fmt: skip
    claims = read_tsv(tmp_path / "claims.tsv")
    assert len(claims) == 2 * 15 + 13
    assert sum("§7.1" in row["claim"] for row in claims) == 13


def test_the_facts_of_the_corpus_are_among_the_scores(tmp_path):
    rows = read_parquet(run(tmp_path, ("demo", "news")) / "scores.parquet").to_pylist()
    facts = [row for row in rows if row["system"] == "corpus" and row["variant"] == "paper"]
    assert {row["table"] for row in facts} == {"section 5", "section 6.1", "section 7"}
    assert {row["predictions"] for row in facts} == {None}
    assert len(facts) == 2 * (4 + 1 + 2)
    assert {row["condition"] for row in facts if row["table"] == "section 5"} == {"", "news"}


def test_of_several_corpora_none_is_nameless_if_none_is_the_papers(tmp_path):
    folder = run(tmp_path, ("spanish", "finnish"), "the language of the corpus is es, not eu")
    rows = read_parquet(folder / "scores.parquet").to_pylist()
    assert {row["condition"].rpartition("|")[-1] for row in rows} == {"spanish", "finnish"}
    compared = read_tsv(folder / "comparisons.tsv")
    assert {row["condition"].rpartition("|")[-1] for row in compared} == {"spanish", "finnish"}
    assert len(read_tsv(folder / "claims.tsv")) == 2 * 15
    alone = read_parquet(run(tmp_path, ("mine",), "local") / "scores.parquet").to_pylist()
    assert {"", "Base|ergative"} <= {row["condition"] for row in alone}


def test_claims_are_judged_on_the_main_corpus_and_the_papers_condition(tmp_path):
    rows = read_tsv(run(tmp_path, ("demo", "news")) / "claims.tsv")
    assert len(rows) == 2 * 15
    (ergative,) = (
        r for r in rows if "number of the ergative" in r["claim"] and r["variant"] == "paper"
    )
    # 6 items right of 6 against 2 of 6: each item is a cluster, run twice
    assert ergative["evidence"].startswith("bilstm 1.0000, majority 0.3333, difference +0.6667 ")


def test_the_second_corpus_has_its_name_in_the_condition(tmp_path):
    rows = read_parquet(run(tmp_path, ("demo", "news")) / "scores.parquet").to_pylist()
    conditions = {row["condition"] for row in rows}
    assert {"Base|dative", "Base|dative|news"} <= conditions


def test_scores_are_sorted_with_the_row_over_all_seeds_first(tmp_path):
    rows = read_parquet(run(tmp_path) / "scores.parquet").to_pylist()
    keys = [(row["table"], row["system"], row["condition"], row["metric"]) for row in rows]
    assert keys == sorted(keys)
    chosen = {"system": "BiLSTM", "condition": "Base|dative", "metric": "accuracy"}
    of = [row for row in rows if all(row[key] == value for key, value in chosen.items())]
    assert [(row["variant"], row["seed"]) for row in of] == [
        ("paper", None), ("paper", 1), ("paper", 2),
        ("released", None), ("released", 1), ("released", 2),
    ]  # fmt: skip


def test_scores_are_the_same_bytes_twice(tmp_path):
    one, two = run(tmp_path / "one"), run(tmp_path / "two")
    for name in ("scores.parquet", "comparisons.tsv", "claims.tsv"):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def test_comparisons_of_all_corpora_are_corrected_together(tmp_path):
    rows = read_tsv(run(tmp_path, ("demo", "news", "web"), times=3) / "comparisons.tsv")
    paper = [row for row in rows if row["variant"] == "paper"]
    assert len(paper) == 9
    lowest = min(float(row["permutation_p"]) for row in paper)
    assert lowest < 0.01
    # Those of the other variant are another family
    assert min(float(row["holm_p"]) for row in paper) == pytest.approx(9 * lowest)


def test_predictions_are_read_as_numbers_and_categories(tmp_path):
    paths = {
        "majority": write_predictions(tmp_path / "a.parquet", GOLD),
        "bilstm": write_predictions(
            tmp_path / "b.parquet", PREDICTED, seeds=(1, 2), backwards=True
        ),
    }
    data = read_predictions(paths, "released")
    assert data.dtypes.map(str).to_dict() == {
        "item_id": "int8",
        "cluster": "int8",
        **dict.fromkeys(("slot", "gold", "prediction", "variant"), "category"),
        "seed": "float64",
        "system": "category",
    }
    assert len(data) == 6 * 3 + 6 * 3 * 2
    # all labels, in their order, whichever of them a file has
    assert list(data["prediction"].cat.categories) == ["none", "singular", "plural"]
    assert list(data["slot"].cat.categories) == ["ergative", "absolutive", "dative", "subject"]
    # the last item comes first in the file of the second system
    assert data["item_id"].tolist()[:18:6] == [0, 0, 0]
    assert data["item_id"].tolist()[18::6] == [5] * 6
    assert set(data["variant"]) == {"released"}


def test_scores_do_not_depend_on_the_order_of_rows(tmp_path):
    """Whatever the order of systems and of their rows, the names of items tell."""
    paths = {
        "majority": write_predictions(tmp_path / "a.parquet", GOLD),
        "bilstm": write_predictions(tmp_path / "b.parquet", PREDICTED, seeds=(1,), backwards=True),
    }
    data = read_predictions(paths, "paper")
    rows = [vars(each) for each in score(data, paths, "base", "", 1)]
    assert accuracy(rows, system="BiLSTM", condition="Base|dative") == 0.5
    row = next(row for row in rows if row["system"] == "BiLSTM" and row["metric"] == "recall")
    assert (row["low"], row["high"]) == pytest.approx((0.1307, 0.9836), abs=1e-4)
    (row, *_) = compare(data, "base", "", 1)
    assert (row["a"], row["b"], row["difference"]) == ("bilstm", "majority", -0.5)
    assert (row["low"], row["high"]) == pytest.approx((-1, 0.0747), abs=1e-4)


def test_systems_must_share_their_items(tmp_path):
    paths = {
        "bilstm": write_predictions(tmp_path / "a.parquet", GOLD),
        "majority": write_predictions(tmp_path / "b.parquet", GOLD[:5], gold=GOLD[:5]),
    }
    with pytest.raises(KasuError, match=r"b\.parquet: other test items than the first system's"):
        read_predictions(paths, "paper")


def test_predictions_without_a_column_are_one_line(tmp_path):
    write_parquet(tmp_path / "a.parquet", [{"x": 1}], pa.schema([("x", pa.int64())]))
    with pytest.raises(KasuError, match=r"a\.parquet: unreadable parquet"):
        read_predictions({"bilstm": tmp_path / "a.parquet"}, "paper")
