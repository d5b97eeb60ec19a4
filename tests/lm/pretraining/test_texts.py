import gzip

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_parquet
from kasu.lm.pretraining.texts import CorpusPart, read_texts

SCHEMA = pa.schema([("text", pa.string()), ("split_key", pa.string())])


@pytest.fixture
def corpus(tmp_path):
    rows = [{"text": f"Text {number}.", "split_key": f"{number}"} for number in range(50)]
    write_parquet(tmp_path / "corpus.parquet", rows, SCHEMA)
    return tmp_path / "corpus.parquet"


def test_the_parts_are_disjoint_and_complete(corpus):
    parts = [set(read_texts(corpus, CorpusPart(name, 0.2, 1))) for name in ("train", "validation")]
    assert set.union(*parts) == set(read_texts(corpus))
    assert not set.intersection(*parts)
    assert 0 < len(parts[1]) < 20


def test_a_plain_text_has_one_sentence_per_line(tmp_path):
    with gzip.open(tmp_path / "a.txt.gz", "wt", encoding="utf-8") as file:
        file.write("Etxe bat.\n\nBi etxe.\n")
    assert list(read_texts(tmp_path / "a.txt.gz")) == ["Etxe bat.", "Bi etxe."]


def test_a_plain_text_has_no_parts(tmp_path):
    (tmp_path / "a.txt").write_text("Bai.\n")
    with pytest.raises(KasuError, match="a text without split keys"):
        list(read_texts(tmp_path / "a.txt", CorpusPart("train", 0.1, 1)))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", "a.txt: no sentence; expected a longer text"),
        ("a.txt", b"\x00\x01\x02\n", "a.txt:1: a binary file; expected a text"),
        ("a.txt", b"\x89PNG\xff\n", "a.txt:1: invalid UTF-8 at byte 1"),
        ("a.parquet", b"PAR", "a.parquet: unreadable parquet"),
        ("a.parquet", b"", "a.parquet: unreadable parquet"),
    ],
)
def test_no_text_is_one_line(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(KasuError, match=message):
        list(read_texts(tmp_path / name))


def test_a_flipped_byte_within_a_table_is_one_line(corpus):
    content = bytearray(corpus.read_bytes())
    content[content.index(b"\x28\xb5\x2f\xfd") + 20] ^= 1  # in a page of zstandard
    corpus.write_bytes(content)
    with pytest.raises(KasuError, match=r"corpus\.parquet: unreadable parquet"):
        list(read_texts(corpus))


@pytest.mark.parametrize(
    ("row", "kind", "message"),
    [
        ({"text": None, "split_key": "1"}, pa.string(), "row 2, text: None; expected a text"),
        ({"text": "Bai.", "split_key": None}, pa.string(), "row 2, split_key: None; expected a"),
        ({"text": 3, "split_key": "1"}, pa.int32(), "row 1, text: 3; expected a text"),
    ],
)
def test_a_row_without_text_is_one_line(tmp_path, row, kind, message):
    schema = pa.schema([("text", kind), ("split_key", pa.string())])
    rows = [row] if kind == pa.int32() else [{"text": "Ez.", "split_key": "0"}, row]
    write_parquet(tmp_path / "a.parquet", rows, schema)
    with pytest.raises(KasuError, match=message):
        list(read_texts(tmp_path / "a.parquet", CorpusPart("train", 0.5, 1)))


def test_a_table_without_text_is_one_line(tmp_path):
    write_parquet(tmp_path / "a.parquet", [{"form": "a"}], pa.schema([("form", pa.string())]))
    with pytest.raises(KasuError, match=r"a.parquet: no column 'text'"):
        list(read_texts(tmp_path / "a.parquet"))


@pytest.mark.parametrize(("share", "count"), [(0.2, 11), (0.9, 47)])
def test_the_share_of_the_held_out_text(corpus, share, count):
    assert len(list(read_texts(corpus, CorpusPart("validation", share, 1)))) == count
