"""`kasu compare`: every difference between two result folders."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kasu.cli import main
from kasu.compare import folders as compare
from kasu.compare import tables as compare_tables


def write(folder: Path, files: dict[str, object]) -> str:
    """Write texts as they are, and lists and dicts as parquet; return the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            pq.write_table(pa.table(content), path, row_group_size=2)
    return str(folder)


@pytest.fixture
def compared(tmp_path, capsys):
    """Compare the two folders that hold the given files: exit status and lines printed."""

    def compared(old: dict, new: dict, *arguments: str) -> tuple[int, list[str]]:
        folders = write(tmp_path / "old", old), write(tmp_path / "new", new)
        status = main(["compare", *folders, *arguments])
        printed = capsys.readouterr()
        return status, (printed.out + printed.err).splitlines()

    return compared


SCORES = {"system": ["lstm", "ngram", "lstm"], "n": [1, 2, 3], "value": [0.5, 0.25, None]}


def test_equal_folders(compared):
    files = {"a/scores.parquet": SCORES, "a/t.tsv": "a\tb\n1\t2\n", "README.md": "# Kasu\n"}
    assert compared(files, files) == (0, ["files equal: 3"])


def test_how_a_parquet_was_written_does_not_count(compared, tmp_path):
    write(tmp_path / "old", {"s.parquet": SCORES})
    (tmp_path / "new").mkdir()
    pq.write_table(pa.table(SCORES), tmp_path / "new/s.parquet", compression="zstd")
    assert compared({}, {}) == (0, ["files equal: 1"])


def test_nan_equals_nan_and_zero_equals_minus_zero(compared):
    old, new = {"v": [float("nan"), 0.0, 1.0]}, {"v": [float("nan"), -0.0, None]}
    assert compared({"s.parquet": old}, {"s.parquet": new}) == (
        1,
        [
            "s.parquet: different",
            "  rows changed: 1; cells: v (1)",
            "    row 3, v: 1.0 -> None",
            "files equal: 0; different: 1",
        ],
    )


def test_files_of_one_side(compared):
    assert compared({"a.md": "", "b.md": ""}, {"b.md": "", "c.json": "{}"}) == (
        1,
        [
            "a.md: only in OLD",
            "c.json: only in NEW",
            "files equal: 1; only in OLD: 1; only in NEW: 1",
        ],
    )


def test_logs_benchmarks_states_the_page_and_hidden_files_are_left_out(compared):
    names = ["logs/a.log", "blm/b.log", "benchmarks/a.tsv", "blm/work/s.parquet",
             "report/index.html", ".snakemake_timestamp", ".x/a.tsv"]  # fmt: skip
    same = {"a.tsv": "a\n"}
    assert compared(same | dict.fromkeys(names, "x"), same) == (0, ["files equal: 1"])


@pytest.mark.parametrize("name", ["work", "logs", "benchmarks"])
def test_sources_and_corpora_may_have_the_names_of_what_is_left_out(compared, name):
    paths = [f"corpora/{name}/counts.tsv", f"corpora/texts/{name}/counts.tsv"]
    old, new = dict.fromkeys(paths, "1"), dict.fromkeys(paths, "2")
    status, lines = compared(old, new)
    assert (status, lines[-1]) == (1, "files equal: 0; different: 2")


def test_other_files_are_compared_by_bytes(compared):
    old, new = {"a.npy": b"\0\xff", "a.json": "{}"}, {"a.npy": b"\0\xfe\4", "a.json": "{ }"}
    assert compared(old, new) == (
        1,
        [
            "a.json: different",
            "  bytes differ (size 2 -> 3)",
            "  line 1: '{}' -> '{ }'",
            "a.npy: different",
            "  bytes differ (size 2 -> 3)",
            "files equal: 0; different: 2",
        ],
    )


def test_the_first_line_that_differs_in_a_text(compared):
    old, new = {"README.md": "# Kasu\n\nOne.\nTwo.\n"}, {"README.md": "# Kasu\n\nOne.\n"}
    assert compared(old, new)[1][1:3] == [
        "  bytes differ (size 18 -> 13)",
        "  line 4: 'Two.' -> None",
    ]


def test_changed_cells_are_counted_by_column_and_the_first_five_shown(compared):
    new = SCORES | {"system": ["lstm", "trigram", "LSTM"], "n": [7, 8, 9], "value": [0.5, 0.3, 1.0]}
    assert compared({"s.parquet": SCORES}, {"s.parquet": new}) == (
        1,
        [
            "s.parquet: different",
            "  rows changed: 3; cells: system (2), n (3), value (2)",
            "    row 1, n: 1 -> 7",
            "    row 2, system: 'ngram' -> 'trigram'",
            "    row 2, n: 2 -> 8",
            "    row 2, value: 0.25 -> 0.3",
            "    row 3, system: 'lstm' -> 'LSTM'",
            "files equal: 0; different: 1",
        ],
    )


def test_columns(compared):
    old = {"a": pa.array([1], pa.int32()), "b": ["x"], "c": ["y"]}
    new = {"c": ["y"], "d": ["z"], "a": pa.array([1], pa.int64())}
    assert compared({"s.parquet": old, "t.tsv": "a\tb\n"}, {"s.parquet": new, "t.tsv": "b\n"}) == (
        1,
        [
            "s.parquet: different",
            "  columns only in OLD: b",
            "  columns only in NEW: d",
            "  column a: type int32 -> int64",
            "  columns in another order: c, d, a",
            "t.tsv: different",
            "  columns only in OLD: a",
            "files equal: 0; different: 2",
        ],
    )


def test_the_fields_of_structs_are_compared_as_cells(compared):
    def cell(a: float, *b: float) -> dict:
        return {"v": [{"a": a, "b": [{"c": each} for each in b]}]}

    old, new = cell(float("nan"), 1.0, 2.0), cell(float("nan"), 1.0001, 3.0)
    lines = ["a.parquet: different", "  rows changed: 1; cells: v (1)"]
    for tolerance, change in (("0", "v.b[0].c: 1.0 -> 1.0001"), ("0.01", "v.b[1].c: 2.0 -> 3.0")):
        status, printed = compared({"a.parquet": old}, {"a.parquet": new}, "--tolerance", tolerance)
        assert (status, printed[:3]) == (1, [*lines, f"    row 1, {change}"])
    same = compared({"a.parquet": old}, {"a.parquet": new}, "--tolerance", "1")
    assert same == (0, ["files equal: 1"])


def test_the_element_of_a_list_and_the_place_in_a_long_text(compared):
    text = "Etxe berria mendi ondoan dago, eta ibaia handik gertu pasatzen da beti."
    old = {"s.parquet": {"v": [[1.0, 2.0], [3.0]], "t": [text + " Bai.", "a"]}}
    new = {"s.parquet": {"v": [[1.0, 2.5], [3.0, 4.0]], "t": [text + " Ez.", "a"]}}
    assert compared(old, new)[1][2:5] == [
        "    row 1, v[1]: 2.0 -> 2.5",
        "    row 1, t: …tu pasatzen da beti. Bai.' -> …tu pasatzen da beti. Ez.'",
        "    row 2, v: [3.0] -> [3.0, 4.0]",
    ]


def test_elements_that_count_as_equal_are_not_shown(compared):
    old = {"a.parquet": pa.table({"v": [[float("nan"), 1.0, 2.0]]})}
    new = {"a.parquet": pa.table({"v": [[float("nan"), 1.0001, 3.0]]})}
    _, lines = compared(old, new, "--tolerance", "0.01")
    assert "    row 1, v[2]: 2.0 -> 3.0" in lines


def test_a_row_more_does_not_shift_the_rest(compared):
    old = "item\tvalue\na\t0.5\nb\t0.25\n"
    new = "item\tvalue\nz\t0.1\na\t0.5\nb\t0.75\n"
    assert compared({"t.tsv": old}, {"t.tsv": new}) == (
        1,
        [
            "t.tsv: different",
            "  rows changed: 1; cells: value (1)",
            "    row 2, value: '0.25' -> '0.75'",
            "  rows only in NEW: 1",
            "    row 1, item='z', value='0.1'",
            "files equal: 0; different: 1",
        ],
    )


def test_no_row_in_common(compared):
    assert compared({"t.tsv": "a\nx\n"}, {"t.tsv": "a\n"}) == (
        1,
        [
            "t.tsv: different",
            "  rows only in OLD: 1",
            "    row 1, a='x'",
            "files equal: 0; different: 1",
        ],
    )
    old, new = {"s.parquet": {"a": ["x"], "n": [1]}}, {"s.parquet": {"a": ["y", "z"], "n": [1, 2]}}
    assert compared(old, new)[1][1:6:2] == ["  rows only in OLD: 1", "  rows only in NEW: 2",
                                            "    row 2, a='z', n=2"]  # fmt: skip


def test_order_of_rows(compared):
    old = {"s.parquet": {"item": ["a", "b", "b", "c"], "v": [[1.0], [2.0], [3.0], [4.0]]}}
    new = {"s.parquet": {"item": ["b", "c", "a", "b"], "v": [[3.0], [4.5], [1.0], [2.0]]}}
    assert compared(old, new)[1][1] == "  rows changed: 4; cells: item (4), v (4)"
    assert compared(old, new, "--sort") == (
        1,
        [
            "s.parquet: different",
            "  rows changed: 1; cells: v (1)",
            "    row 4, v[0]: 4.0 -> 4.5",
            "files equal: 0; different: 1",
        ],
    )


def test_key(compared):
    old = {"s.parquet": {"item": ["a", "b"], "prediction": ["x", "y"]}}
    new = {"s.parquet": {"item": ["b", "a"], "prediction": ["y", "z"]}}
    assert compared(old, new, "--key", "item") == (
        1,
        [
            "s.parquet: different",
            "  rows changed: 1; cells: prediction (1)",
            "    row 1, prediction: 'x' -> 'z'",
            "files equal: 0; different: 1",
        ],
    )
    assert compared(old, new, "--sort")[1][1:5] == [
        "  rows only in OLD: 1",
        "    row 1, item='a', prediction='x'",
        "  rows only in NEW: 1",
        "    row 2, item='a', prediction='z'",
    ]


def test_a_key_of_some_tables_counts_there(compared):
    old = {"a.tsv": "n\n1\n", "b.tsv": "k\tv\n1\t2\n3\t4\n", "c.md": ""}
    new = {"a.tsv": "n\n2\n", "b.tsv": "k\tv\n3\t4\n1\t5\n", "c.md": ""}
    assert compared(old, new, "--key", " k") == (
        1,
        [
            "a.tsv: different",
            "  rows changed: 1; cells: n (1)",
            "    row 1, n: '1' -> '2'",
            "b.tsv: different",
            "  rows changed: 1; cells: v (1)",
            "    row 1, v: '2' -> '5'",
            "files equal: 1; different: 2",
        ],
    )


@pytest.mark.parametrize(
    ("key", "named"), [("nokey", "'nokey'"), ("k, w", "'k', 'w'"), ("k,x", "'k', 'x'"), ("", "''")]
)
def test_a_key_that_no_table_of_both_folders_has_is_one_line(compared, key, named):
    old = {"a.tsv": "k\tv\n1\t2\n", "b.tsv": "x\n1\n", "c.tsv": "k\tw\n"}
    assert compared(old, old | {"c.tsv": "k\n"}, "--key", key) == (
        2,
        [
            f"error: --key: no table in both folders has {named}; "
            "expected columns of one, such as 'item,system'"
        ],
    )


def test_tolerance(compared):
    old = {"s.parquet": {"v": [0.5, 1.0]}, "t.tsv": "a\tb\nx\t0.5\ny\t0.6\n"}
    new = {"s.parquet": {"v": [0.5001, 1.0]}, "t.tsv": "a\tb\ny\t0.5999\nx\t0.5001\n"}
    assert compared(old, new, "--tolerance", "0.001", "--sort") == (0, ["files equal: 2"])
    assert compared(old, new, "--tolerance", "0.00001", "--sort")[0] == 1
    assert compared({"t.tsv": "a\nx\n"}, {"t.tsv": "a\ny\n"}, "--tolerance", "1")[0] == 1


@pytest.mark.parametrize(
    ("before", "after", "tolerance"),
    [(2**53, 2**53 + 1, "0.5"), ("12345678901234567890", "12345678901234567899", "0.5"),
     ("1_12", "11_2", "0.5"), (True, False, "1")],
)  # fmt: skip
def test_a_tolerance_is_for_numbers_and_integers_are_exact(compared, before, after, tolerance):
    old, new = ({"a.parquet": {"a": [cell]}} for cell in (before, after))
    assert compared(old, new, "--tolerance", tolerance)[0] == 1


def test_ignore(compared):
    old, new = {"a.md": "", "b/c.svg": "1"}, {"a.md": "", "b/c.svg": "2"}
    assert compared(old, new, "--ignore", "*.svg") == (0, ["files equal: 1"])


def test_pieces_of_different_length(compared, tmp_path, monkeypatch):
    monkeypatch.setattr(compare_tables, "PIECE", 3)
    rows = list(range(100))
    write(tmp_path / "old", {"s.parquet": {"n": rows}})
    (tmp_path / "new").mkdir()
    pq.write_table(pa.table({"n": [*rows[:98], 7, 99]}), tmp_path / "new/s.parquet")
    old = "n\n" + "".join(f"{n}\n" for n in rows)
    assert compared({"t.tsv": old}, {"t.tsv": old.replace("98", "7")}) == (
        1,
        [
            "s.parquet: different",
            "  rows changed: 1; cells: n (1)",
            "    row 99, n: 98 -> 7",
            "t.tsv: different",
            "  rows changed: 1; cells: n (1)",
            "    row 99, n: '98' -> '7'",
            "files equal: 0; different: 2",
        ],
    )


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ({}, {"a.md": ""}, "{old}: no such folder"),
        ({"a.log": ""}, {"a.md": ""}, "{old}: no files to compare; expected a folder of results"),
        ({"a.parquet": "PAR1"}, {"a.parquet": SCORES}, "{old}/a.parquet: unreadable parquet ("
         "Parquet file size is 4 bytes, smaller than the minimum file footer (8 bytes))"),
        ({"a.tsv": "a\tb\n1\n"}, {"a.tsv": "a\tb\n"}, "{old}/a.tsv:2: 1 cells; expected 2"),
    ],
)  # fmt: skip
def test_errors(compared, tmp_path, old, new, line):
    assert compared(old, new) == (2, ["error: " + line.format(old=tmp_path / "old")])


def test_the_library_gives_findings(tmp_path):
    array = np.zeros(3).tobytes()
    write(tmp_path / "old", {"a.npy": array})
    write(tmp_path / "new", {"a.npy": array, "b.md": ""})
    findings = compare.compare_folders(tmp_path / "old", tmp_path / "new", compare.Options())
    assert [(finding.path, finding.state) for finding in findings] == [
        ("a.npy", "equal"),
        ("b.md", "only in NEW"),
    ]


def test_blank_lines_are_no_rows(compared):
    old, new = {"t.tsv": "a\tb\n1\t2\n"}, {"t.tsv": "\na\tb\n\n1\t2\n\n"}
    assert compared(old, new) == compared(old, {"t.tsv": "a\tb\n1\t2\n\n"})
    assert compared(old, new)[0] == 0


@pytest.mark.parametrize("content", [b"a\tb\n1\t\xff\n", b"\xff\tb\n1\t2\n"])
def test_a_table_that_is_no_text_is_one_line(compared, content):
    status, (line,) = compared({"t.tsv": "a\tb\n1\t2\n"}, {"t.tsv": content})
    assert status == 2
    assert "t.tsv: unreadable TSV ('utf-8' codec can't decode byte 0xff" in line


def test_quotation_marks_are_text(compared):
    old, new = 'a\tb\n"1"\t"\n2\t"\n', 'a\tb\n1\t"\n2\t"\n'
    status, lines = compared({"t.tsv": old}, {"t.tsv": new})
    assert status == 1
    assert lines[1:3] == ["  rows changed: 1; cells: a (1)", "    row 1, a: '\"1\"' -> '1'"]


def test_two_columns_of_one_name_are_one_line(compared):
    status, (line,) = compared({"t.tsv": "a\ta\n1\t2\n"}, {"t.tsv": "a\ta\n1\t3\n"})
    assert status == 2
    assert line.endswith("old/t.tsv: 'a' names two columns; expected a name for each")


def test_folders_behind_links_count(compared, tmp_path):
    for side in ("old", "new"):
        disk = tmp_path / "disk" / side
        write(disk, {"results/t.tsv": f"a\n{side}\n", "models/m.txt": "m", "models/.lock": side})
        (tmp_path / side).symlink_to(disk / "results")
        for name in ("bert", "gpt"):
            (disk / "results" / name).symlink_to(disk / "models")
        (disk / "models" / "ring").symlink_to(disk / "results")
    status, lines = compared({}, {})
    assert (status, lines[0], lines[-1]) == (1, "t.tsv: different", "files equal: 2; different: 1")


@pytest.mark.parametrize("target", ["loop", "/nowhere/weights"])
def test_a_link_to_nothing_is_one_line(compared, tmp_path, target):
    write(tmp_path / "old", {"a.md": ""})
    (link := tmp_path / "old" / "loop").symlink_to(target)
    line = f"error: {link}: a link to nothing; expected a file or a folder"
    assert compared({}, {"a.md": ""}) == (2, [line])


def test_blanks_around_the_name_of_a_column_do_not_count(compared):
    assert compared({"t.tsv": "a \tb\n1\t2\n"}, {"t.tsv": "a\t b\n1\t2\n"})[0] == 0
