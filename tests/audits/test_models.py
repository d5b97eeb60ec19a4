"""A model's scores beside the best null: beyond it, and where it is wrong."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kasu.audits.audit import Beside, audit_benchmark
from kasu.audits.data.findings import MODEL
from kasu.audits.data.items import read_benchmark
from kasu.base.errors import KasuError
from kasu.files.tables import write_parquet
from kasu.lm.scoring.accuracy import accuracies
from kasu.results.statistics import wilson

SCORES = pa.schema(
    [("item_id", pa.string()), ("column", pa.string()), ("definition", pa.string()),
     ("log_probability", pa.float64())]
)  # fmt: skip
# The longer half is right in 60 of 100
ROWS = [{"sen": "ab", "wrong_sen": "c", "phenomenon": f"p{at % 2}"} for at in range(60)]
ROWS += [{"sen": "a", "wrong_sen": "cd", "phenomenon": f"p{at % 2}"} for at in range(40)]


def write_scores(path, right, *, definition="causal", columns=("sen", "wrong_sen")):
    rows = [
        {"item_id": str(item), "column": column, "definition": definition,
         "log_probability": float(score)}
        for item, won in enumerate(right, 1)
        for column, score in zip(columns, (won, 0.5), strict=True)
    ]  # fmt: skip
    write_parquet(path, rows, SCORES)
    return path


def found(path, *scores):
    audit = audit_benchmark(read_benchmark(path), Beside(scores=scores))
    return [each for each in audit.findings if each.check == MODEL]


def test_beyond_the_best_null(benchmark, tmp_path):
    # Right in 54 of the 60 and in 26 of the 40
    right = [1] * 54 + [0] * 6 + [1] * 26 + [0] * 14
    scores = write_scores(tmp_path / "gpt.scores.parquet", right)
    share, beyond, where, *groups = found(benchmark(ROWS), scores)
    assert (share.name, share.items, share.share) == ("gpt, causal", 100, 0.8)
    assert (share.low, share.high) == wilson(80, 100)
    assert (beyond.name, beyond.share) == ("gpt, causal, beyond longer", pytest.approx(0.2))
    # 26 items are gained and 6 lost: the error of the mean is 0.053
    assert (beyond.low, beyond.high) == pytest.approx((0.2 - 0.104, 0.2 + 0.104), abs=0.012)
    assert float(beyond.says.removeprefix("permutation p ")) < 0.002
    assert (where.name, where.items, where.share) == (
        "gpt, causal, where longer is wrong", 40, 0.65,
    )  # fmt: skip
    assert (where.low, where.high) == wilson(26, 40)
    by_group = np.array(right).reshape(50, 2).mean(axis=0)
    assert [(each.group, each.share) for each in groups] == [
        ("p0", by_group[0]), ("p1", by_group[1]),
    ]  # fmt: skip


def test_clusters_are_those_of_kasu_score(benchmark, tmp_path):
    items = benchmark([row | {"lemma": f"l{at // 10}"} for at, row in enumerate(ROWS)])
    right = [1] * 54 + [0] * 6 + [1] * 26 + [0] * 14
    path = write_scores(tmp_path / "gpt.scores.parquet", right)
    table = pq.read_table(path)
    for name, of in (("untrained", False), ("unknown", 0)):
        table = table.append_column(name, [[of] * table.num_rows])
    (share, *_), (row, *_) = found(items, path), accuracies(items, table)
    assert (share.low, share.high) == (row.low, row.high)
    assert row.low < wilson(80, 100)[0]


def test_candidates_have_numbers(benchmark, tmp_path):
    items = benchmark([{"candidates": ["a", "b"], "label": 1}] * 2)
    columns = ("candidate_1", "candidate_2")
    scores = write_scores(tmp_path / "s.parquet", [1, 0], columns=columns)
    assert found(items, scores)[0].share == 0.5


@pytest.mark.parametrize(
    ("count", "options", "line"),
    [
        (101, {}, ": item 101: not in ITEMS; expected scores of its items"),
        (99, {}, ": item 100: not scored; expected scores of all options; take items that"
         " --too-long drop left out from ITEMS, too"),
        (100, {"columns": ("sen", "x")}, ": item 1: not scored; expected scores of all options"),
        (100, {"columns": ("x", "y")}, ": no scores; expected scores of sen, wrong_sen"),
    ],
)  # fmt: skip
def test_scores_of_other_items_are_one_line(benchmark, tmp_path, count, options, line):
    scores = write_scores(tmp_path / "s.parquet", [1] * count, **options)
    items = benchmark(ROWS)
    with pytest.raises(KasuError) as error:
        found(items, scores)
    assert str(error.value).replace(str(items), "ITEMS") == f"{scores}{line}"


def test_a_score_given_twice_is_one_line(benchmark, tmp_path):
    # As of two seeds in one file: which of them counts?
    paths = [write_scores(tmp_path / f"{won}.parquet", [won] * 100) for won in (1, 0)]
    both = [row for path in paths for row in pq.read_table(path).to_pylist()]
    write_parquet(tmp_path / "s.parquet", both, SCORES)
    found_twice = "s.parquet: item 1: causal of sen a second time; expected each score once"
    with pytest.raises(KasuError, match=found_twice):
        found(benchmark(ROWS), tmp_path / "s.parquet")


def test_two_files_of_one_name_are_one_line(benchmark, tmp_path):
    one, other = (write_scores(tmp_path / each / "s.parquet", [1] * 100) for each in "ab")
    with pytest.raises(KasuError, match=r"b/s.parquet: a second 's, causal'; expected files of"):
        found(benchmark(ROWS), one, other)


@pytest.mark.parametrize(
    ("rows", "columns", "sizes", "line"),
    [
        ([{"sen": "ab", "wrong_sen": "c"}, {"sen": "abc", "wrong_sen": "c"}], ("sen", "wrong_sen"),
         [3, 1, 2, 1], "item 1: a score of sen with 3 characters; expected 2, as in ITEMS"),
        ([{"masked": "[MASK] a", "form_x": "abc", "form_y": "d", "grammatical": "x"}],
         ("form_x", "form_y"), [3, 4],
         "item 1: a score of form_y with 4 characters; expected 1 or 3, as in ITEMS"),
        ([{"sen": "ab", "wrong_sen": "c"}], ("sen", "wrong_sen"), [None, 1], None),
        ([{"masked": "[MASK] a", "form_x": "abc", "form_y": "d", "grammatical": "x"}],
         ("form_x", "form_y"), [5, 1], None),
    ],
)  # fmt: skip
def test_scores_of_other_texts_are_one_line(benchmark, tmp_path, rows, columns, sizes, line):
    """As of items without names in another order."""
    items = benchmark(rows)
    path = write_scores(tmp_path / "s.parquet", [1] * len(rows), columns=columns)
    table = pq.read_table(path)
    pq.write_table(table.append_column("characters", pa.array(sizes, pa.int32())), path)
    if line is None:
        assert found(items, path)[0].share == 1
        return
    with pytest.raises(KasuError) as error:
        found(items, path)
    assert str(error.value).replace(str(items), "ITEMS") == f"{path}: {line}"
