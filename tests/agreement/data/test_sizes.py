from pathlib import Path

import pyarrow as pa
import pytest

from kasu.agreement.data.sizes import keep_at_most, limit_of
from kasu.files.tables import ROW_GROUP, read_parquet, write_parquet

ITEM = pa.schema([("sentence_id", pa.string()), ("variant", pa.string())])


def keep(path: Path, count: int, most: int, seed: int = 1) -> dict[str, list[int]]:
    """The sentences of each variant that are kept of so many."""
    rows = [
        {"sentence_id": f"{number:06}", "variant": variant}
        for number in range(count)
        for variant in ("paper", "released")
    ]
    write_parquet(path, rows, ITEM)
    dropped = keep_at_most(path, most, seed)
    assert dropped == dict.fromkeys(("paper", "released"), max(count - most, 0))
    table = read_parquet(path).to_pylist()
    return {
        v: [int(row["sentence_id"]) for row in table if row["variant"] == v]
        for v in ("paper", "released")
    }


def test_both_variants_keep_the_same_sentences_in_order(tmp_path):
    kept = keep(tmp_path / "items", 12, 4)
    assert kept["paper"] == kept["released"] == sorted(kept["paper"])
    assert len(kept["paper"]) == 4


def test_a_variant_that_lacks_sentences_keeps_those_it_shares(tmp_path):
    rows = [
        {"sentence_id": f"{number:06}", "variant": variant}
        for number in range(40)
        for variant in ("paper", "released")
        if variant == "paper" or number % 3
    ]
    write_parquet(tmp_path / "items", rows, ITEM)
    assert keep_at_most(tmp_path / "items", 15, 1) == {"paper": 25, "released": 11}
    kept: dict[str, set[int]] = {"paper": set(), "released": set()}
    for row in read_parquet(tmp_path / "items").to_pylist():
        kept[row["variant"]].add(int(row["sentence_id"]))
    assert {number for number in kept["paper"] if number % 3} <= kept["released"]


def test_fewer_are_a_part_of_more(tmp_path):
    few, more = (set(keep(tmp_path / "items", 40, most)["paper"]) for most in (5, 15))
    assert few < more


def test_of_equal_sentences_the_first_are_kept(tmp_path):
    item = pa.schema([*ITEM, ("number", pa.int64())])
    rows = [{"sentence_id": f"{n % 3}", "variant": "paper", "number": n} for n in range(300)]
    write_parquet(tmp_path / "items", rows, item)
    keep_at_most(tmp_path / "items", 150, 1)
    kept = [row["number"] for row in read_parquet(tmp_path / "items").to_pylist()]
    of_each = [[n for n in kept if n % 3 == name] for name in range(3)]
    assert sorted(map(len, of_each)) == [0, 50, 100]
    assert all(
        numbers == list(range(numbers[0], 150, 3)) for numbers in of_each if len(numbers) == 50
    )


def test_the_sentences_depend_on_the_seed(tmp_path):
    one, two = (keep(tmp_path / "items", 40, 5, seed)["paper"] for seed in (1, 2))
    assert one != two


def test_the_draw_is_about_uniform(tmp_path):
    kept = keep(tmp_path / "items", 3000, 1000)["paper"]
    thirds = [sum(start <= number < start + 1000 for number in kept) for start in (0, 1000, 2000)]
    assert thirds == [pytest.approx(333, abs=50)] * 3


def test_files_of_several_row_groups(tmp_path):
    kept = keep(tmp_path / "items", ROW_GROUP, ROW_GROUP - 1)
    assert len(kept["paper"]) == len(kept["released"]) == ROW_GROUP - 1


@pytest.mark.parametrize("most", [3, 4])
def test_a_file_with_no_more_keeps_its_bytes(tmp_path, most):
    keep(tmp_path / "limited", 3, most)
    keep(tmp_path / "whole", 3, 10**6)
    assert (tmp_path / "limited").read_bytes() == (tmp_path / "whole").read_bytes()


def test_the_limit_is_a_step_of_the_counts():
    assert limit_of("train") == "max_sentences: train"
