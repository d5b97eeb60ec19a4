"""Files written whole or not at all: parquet with stable bytes, TSV with clear errors."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.files.tables import (
    ROW_GROUP,
    ParquetReader,
    ParquetWriter,
    file_hash,
    is_quoted,
    landing,
    read_counts,
    read_csv,
    read_parquet,
    read_tsv,
    write_counts,
    write_drops,
    write_parquet,
    write_text,
    write_tsv,
)
from kasu.job.run import job

NUMBERS = pa.schema([("number", pa.int32()), ("text", pa.string())])
PIECES = pa.schema([("number", pa.int32())])
WITHIN_A_CELL = st.characters(codec="utf-8", exclude_characters="\t\r\n")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_landing_renames_at_the_end(tmp_path):
    target = tmp_path / "new" / "file.txt"
    with landing(target) as part:
        part.write_text("whole")
        assert not target.exists()
        assert part.parent == target.parent
    assert target.read_text() == "whole"
    assert names(target.parent) == ["file.txt"]


def test_landing_leaves_nothing_and_keeps_the_old_file_on_failure(tmp_path):
    target = tmp_path / "file.txt"
    target.write_text("old")
    with pytest.raises(RuntimeError), landing(target) as part:
        part.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert names(tmp_path) == ["file.txt"]


def test_full_disk_ends_in_one_line_and_leaves_nothing(tmp_path, monkeypatch, capsys):
    def fsync(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(SystemExit) as end, job(tmp_path / "job.log"):
        write_text(tmp_path / "out" / "file.txt", "text")
    line = f"{tmp_path}/out/file.txt: the disk is full; free some space and run again"
    assert end.value.code == 1
    assert capsys.readouterr().err == f"error: {line}\n"
    assert (tmp_path / "job.log").read_text().endswith(f" error: {line}\n")
    assert names(tmp_path / "out") == []


@pytest.mark.skipif(not os.access("/dev/full", os.W_OK), reason="no /dev/full")
def test_full_disk_under_the_parquet_writer_is_an_expected_failure(tmp_path, capsys):
    rows = pa.table({"number": pa.array(range(10), pa.int32())})
    with (
        pytest.raises(SystemExit),
        job(tmp_path / "job.log"),
        ParquetWriter("/dev/full", PIECES) as writer,
    ):
        writer.write(rows)
    assert capsys.readouterr().err.endswith("the disk is full; free some space and run again\n")


@settings(max_examples=20)
@given(st.lists(st.integers(1, 2 * ROW_GROUP), min_size=1, max_size=5))
def test_parquet_bytes_do_not_depend_on_the_sizes_of_the_pieces(tmp_path_factory, sizes):
    folder = tmp_path_factory.mktemp("pieces")
    table = pa.table({"number": pa.array(range(sum(sizes)), pa.int32())})
    write_parquet(folder / "whole.parquet", table, PIECES)
    with ParquetWriter(folder / "pieces.parquet", PIECES) as writer:
        start = 0
        for size in sizes:
            writer.write(table.slice(start, size))
            start += size
    whole, pieces = folder / "whole.parquet", folder / "pieces.parquet"
    assert writer.rows == sum(sizes)
    assert pieces.read_bytes() == whole.read_bytes()


def test_row_groups_have_a_fixed_size(tmp_path):
    table = pa.table({"number": pa.array(range(2 * ROW_GROUP + 1), pa.int32())})
    write_parquet(tmp_path / "a.parquet", table, PIECES)
    groups = pq.ParquetFile(tmp_path / "a.parquet").metadata
    sizes = [groups.row_group(i).num_rows for i in range(groups.num_row_groups)]
    assert sizes == [ROW_GROUP, ROW_GROUP, 1]


def test_a_table_may_have_larger_row_groups(tmp_path):
    table = pa.table({"number": pa.array(range(7), pa.int32())})
    with landing(tmp_path / "a.parquet") as part, ParquetWriter(part, PIECES, 3) as writer:
        writer.write(table.slice(0, 2))
        writer.write(table.slice(2))
    groups = pq.ParquetFile(tmp_path / "a.parquet").metadata
    assert [groups.row_group(i).num_rows for i in range(groups.num_row_groups)] == [3, 3, 1]


def test_memory_does_not_grow_with_the_file_that_is_read(tmp_path):
    rng = np.random.default_rng(0)
    with landing(tmp_path / "a.parquet") as part, ParquetWriter(part, PIECES) as writer:
        for _ in range(100):  # numbers that do not compress: 64 kB a row group
            numbers = rng.integers(2**31, size=ROW_GROUP, dtype=np.int32)
            writer.write(pa.table({"number": numbers}))
    before = pa.total_allocated_bytes()
    held = [
        pa.total_allocated_bytes() - before
        for _ in ParquetReader(tmp_path / "a.parquet").batches(ROW_GROUP)
    ]
    assert len(held) == 100
    assert max(held) < 1_000_000


@pytest.mark.parametrize("first", [1, ROW_GROUP - 1, ROW_GROUP])
def test_row_groups_are_full_wherever_tables_end(tmp_path, first):
    table = pa.table({"number": range(ROW_GROUP + 1)}, PIECES)
    with landing(tmp_path / "a.parquet") as part, ParquetWriter(part, PIECES) as writer:
        writer.write(table.slice(0, first))
        writer.write(table.slice(first))
    groups = pq.ParquetFile(tmp_path / "a.parquet").metadata
    sizes = [groups.row_group(i).num_rows for i in range(groups.num_row_groups)]
    assert sizes == [ROW_GROUP, 1]


def test_parquet_of_mappings_keeps_order_and_nulls(tmp_path):
    rows = [{"number": 2, "text": "b"}, {"number": 1, "text": None}]
    write_parquet(tmp_path / "a.parquet", iter(rows), NUMBERS)
    assert read_parquet(tmp_path / "a.parquet").to_pylist() == rows


def test_parquet_without_a_row_keeps_its_columns(tmp_path):
    write_parquet(tmp_path / "a.parquet", [], NUMBERS)
    assert read_parquet(tmp_path / "a.parquet").schema.names == ["number", "text"]


def test_missing_column_of_parquet_is_one_line(tmp_path):
    write_parquet(tmp_path / "a.parquet", [], NUMBERS)
    with pytest.raises(KasuError, match=r"a\.parquet: no column 'lemma' among number, text; exp"):
        read_parquet(tmp_path / "a.parquet", ["lemma"])
    with pytest.raises(KasuError, match=r"a\.parquet: unreadable parquet \(.*lemma") as error:
        read_parquet(tmp_path / "a.parquet", ["lemma"], pc.field("number") == 1)
    assert "\n" not in str(error.value)


def test_two_columns_of_one_name_are_one_line(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table([[1], [2], [3]], ["a", "b", "b"]), path)
    for columns in (None, ["b"]):
        with pytest.raises(KasuError, match=r"a\.parquet: 'b' names two columns; expected a name"):
            read_parquet(path, columns)
    assert read_parquet(path, ["a"]).to_pylist() == [{"a": 1}]


def test_columns_of_parquet_come_in_the_order_asked_for(tmp_path):
    write_parquet(tmp_path / "a.parquet", [{"number": 1, "text": "b"}], NUMBERS)
    assert read_parquet(tmp_path / "a.parquet", ["text", "number"]).schema.names == [
        "text",
        "number",
    ]


def test_a_whole_parquet_is_read_without_pandas(tmp_path):
    write_parquet(tmp_path / "a.parquet", [{"number": 1, "text": "b"}], NUMBERS)
    code = (
        "import sys; from kasu.files.tables import read_parquet;"
        "assert read_parquet(sys.argv[1]).num_rows == 1; assert 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "a.parquet"], check=True)


@pytest.mark.parametrize("content", [b"", b"no parquet at all", b"PAR1" * 10])
def test_a_file_that_is_not_parquet_is_one_line(tmp_path, content):
    (tmp_path / "a.parquet").write_bytes(content)
    with pytest.raises(KasuError, match="unreadable parquet") as error:
        read_parquet(tmp_path / "a.parquet")
    assert "\n" not in str(error.value)


def test_missing_parquet_is_one_line(tmp_path):
    with pytest.raises(KasuError, match="unreadable parquet"):
        read_parquet(tmp_path / "none.parquet")


def test_damaged_page_of_parquet_is_detected(tmp_path):
    path = tmp_path / "a.parquet"
    write_parquet(path, [{"number": i, "text": f"{i}"} for i in range(5000)], NUMBERS)
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)
    with pytest.raises(KasuError, match="unreadable parquet"):
        read_parquet(path)


def streamed(path):
    return [row for batch in ParquetReader(path).batches(16) for row in batch.to_pylist()]


@pytest.mark.parametrize(
    "read", [streamed, lambda path: read_parquet(path).to_pylist()], ids=["streamed", "whole"]
)
def test_every_flipped_bit_of_a_page_is_detected_or_harmless(tmp_path, read):
    path = tmp_path / "a.parquet"
    write_parquet(path, [{"number": i, "text": f"{i % 7}"} for i in range(40)], NUMBERS)
    content, rows = path.read_bytes(), read_parquet(path).to_pylist()
    groups = pq.ParquetFile(path).metadata.row_group(0)
    end = 4 + sum(groups.column(i).total_compressed_size for i in range(groups.num_columns))
    detected = 0
    for bit in range(8 * 4, 8 * end):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            found = read(path)
        except KasuError as error:
            detected += str(error).startswith(f"{path}: unreadable parquet (")
        else:
            assert found == rows, f"bit {bit} of {8 * end}"
    assert detected > 0.8 * 8 * (end - 4)


@pytest.mark.parametrize("checksums", [False, True])
def test_parquet_is_streamed_with_and_without_checksums(tmp_path, checksums):
    path, table = tmp_path / "a.parquet", pa.table({"a": range(5), "b": list("vwxyz")})
    pq.write_table(table, path, write_page_checksum=checksums)
    file = ParquetReader(path)
    assert (file.rows, file.schema.names) == (5, ["a", "b"])
    assert [batch.to_pydict() for batch in file.batches(3, ["b"])] == [
        {"b": ["v", "w", "x"]},
        {"b": ["y", "z"]},
    ]
    assert read_parquet(path) == table


def test_streaming_a_missing_column_is_one_line(tmp_path):
    write_parquet(tmp_path / "a.parquet", [], NUMBERS)
    line = r"a\.parquet: no column 'lemma' among number, text; expected number, lemma$"
    with pytest.raises(KasuError, match=line):
        next(ParquetReader(tmp_path / "a.parquet").batches(columns=["number", "lemma"]))


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(["a", "b"], st.text(WITHIN_A_CELL)))))
def test_tsv_makes_a_round_trip(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "round.tsv"
    write_tsv(path, rows, ["a", "b"])
    assert read_tsv(path, ["a", "b"]) == rows


def test_tsv_writes_none_as_an_empty_cell(tmp_path):
    write_tsv(tmp_path / "a.tsv", [{"a": None, "b": 1.5}], ["a", "b"])
    assert (tmp_path / "a.tsv").read_bytes() == b"a\tb\n\t1.5\n"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"a\tc\n1\t2\n", r":1: no column 'b'; expected a, b"),
        (b"", r":1: no column 'a'; expected a, b"),
        (b"a\tb\n1\t2\n3\n", r":3: wrong number of cells; expected 2"),
        (b"a\tb\n1\t2\t3\n", r":2: wrong number of cells; expected 2"),
        (b"a\tb\ta\n1\t2\t3\n", r":1: 'a' names two columns; expected a name for each"),
        (b"a\tb\t b \n1\t2\t3\n", r":1: 'b' names two columns; expected a name for each"),
        (b"\n\na\tb\n1\n", r":4: wrong number of cells; expected 2"),
        (b"\na\tc\n", r":2: no column 'b'; expected a, b"),
        (b"a\tb\n1\t2\r3\t4\n", r":2: a carriage return inside the line; expected lines .*"),
        (b"a\tb\r1\t2\r", r":1: a carriage return inside the line; expected lines .* CR LF"),
        (b"a\tb\n1\t\xff\n", r":2: invalid UTF-8 at byte 3 of the line"),
    ],
)
def test_bad_tsv_names_the_line(tmp_path, content, line):
    (tmp_path / "a.tsv").write_bytes(content)
    with pytest.raises(KasuError, match=rf"a\.tsv{line}$"):
        read_tsv(tmp_path / "a.tsv", ["a", "b"])


@pytest.mark.parametrize(
    "cell",
    ['"Bai," dio.', '"Bai."', "''", '"', '""', '" "" "', 'a "b" c', "\\t", "a\x0cb\x85\u2028c"],
)
def test_quotes_and_odd_blanks_of_a_tsv_are_text(tmp_path, cell):
    path = tmp_path / "a.tsv"
    write_tsv(path, [{"a": cell, "b": cell}, {"a": "1", "b": "2"}], ["a", "b"])
    assert path.read_bytes() == f"a\tb\n{cell}\t{cell}\n1\t2\n".encode()
    assert read_tsv(path) == [{"a": cell, "b": cell}, {"a": "1", "b": "2"}]


def test_a_quotation_mark_does_not_join_two_lines(tmp_path):
    (tmp_path / "a.tsv").write_text('a\tb\n1\t"2\n3\t4"\n')
    assert read_tsv(tmp_path / "a.tsv") == [{"a": "1", "b": '"2'}, {"a": "3", "b": '4"'}]


@pytest.mark.parametrize("cell", ["a\tb", "a\nb", "a\rb", Path("a\tb")])
def test_a_cell_of_several_is_not_written(tmp_path, cell):
    with pytest.raises(KasuError, match=r"a\.tsv, b: a cell 'a\\.b'; expected one line, no tab"):
        write_tsv(tmp_path / "a.tsv", [{"a": 1, "b": cell}], ["a", "b"])
    assert names(tmp_path) == []


def test_an_empty_line_is_not_written_as_a_row(tmp_path):
    with pytest.raises(KasuError, match=r"a\.tsv: a row of one empty cell; expected a text"):
        write_tsv(tmp_path / "a.tsv", [{"a": ""}], ["a"])


def test_blanks_around_a_header_are_stripped(tmp_path):
    (tmp_path / "a.tsv").write_bytes(b"\r\na \t b\r\n 1\t2 \r\n\r\n")
    assert read_tsv(tmp_path / "a.tsv", ["a", "b"]) == [{"a": " 1", "b": "2 "}]


def test_a_byte_order_mark_is_no_part_of_a_header(tmp_path):
    (tmp_path / "a.tsv").write_bytes(b"\xef\xbb\xbfa\tb\n1\t2\n")
    assert read_tsv(tmp_path / "a.tsv", ["a", "b"]) == [{"a": "1", "b": "2"}]


def test_drops_are_in_order_of_reason(tmp_path):
    write_drops(tmp_path / "drops.tsv", {"too long": 2, "duplicate": 1})
    assert (tmp_path / "drops.tsv").read_text() == "reason\tcount\nduplicate\t1\ntoo long\t2\n"


def test_counts_are_in_order_of_the_steps(tmp_path):
    write_counts(tmp_path / "counts.tsv", {"sentences": 3, "items": 2})
    assert (tmp_path / "counts.tsv").read_text() == "step\tcount\nsentences\t3\nitems\t2\n"
    assert list(read_counts(tmp_path / "counts.tsv").items()) == [("sentences", 3), ("items", 2)]


def test_file_hash(tmp_path):
    (tmp_path / "f").write_bytes(b"abc")
    assert file_hash(tmp_path / "f") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def test_a_csv_is_read_without_its_blank_lines(tmp_path):
    (tmp_path / "a.csv").write_text('a, b\n\n1,"x, y"\n')
    assert read_csv(tmp_path / "a.csv") == [{"a": "1", "b": "x, y"}]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('sen\tx\n"""Bai,"" dio."\ta\n', True),
        ('a\r\n"""Bai"""\r\n', True),
        ('a\tb\n"x\ty"\t"two\nlines"', True),
        ("a\tb\nx\ty\n", False),
        ('a\tb\n"Bai," dio.\t"Bai.\n', False),
        ('a\tb\n"Bai."\t"Ez."\n', False),  # a writer would leave them as they are
        ('a\tb\n"""Bai,"" dio."\tmy "cell"\n', False),
        ('a\n"""Bai', False),
    ],
)
def test_a_tsv_is_quoted_if_each_mark_in_it_is(text, quoted):
    assert is_quoted(text) is quoted
