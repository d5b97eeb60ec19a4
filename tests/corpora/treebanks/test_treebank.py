"""Treebanks: CoNLL-U to parquet and back, and files that are not treebanks."""

import bz2
import gzip
import re
from itertools import islice
from pathlib import Path

import conllu
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.corpora.texts.compressed import pieces
from kasu.corpora.texts.sentences import SENTENCES
from kasu.corpora.treebanks.treebank import (
    COLUMNS,
    Sentence,
    Token,
    build_treebank,
    features,
    format_sentence,
    read_conllu,
    read_treebank,
    sentences_of,
    surface_text,
    tabulate,
    write_conllu,
)
from kasu.files.tables import read_tsv, write_parquet

# A multiword token, an empty node, enhanced dependencies, a cell with two spaces, a bare comment
TEXT = """\
# newdoc
# sent_id = a-1
# text = vámonos al mar
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\tA  b
1\tvamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\t_\tCase=Acc\t1\tobj\t1:obj|1.1:obj\t_
2.1\tvamos\tir\tVERB\t_\t_\t_\t_\t0:root\tCopyOf=1
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t5:case\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t5:det\t_
5\tmar\tmar\tNOUN\t_\tNumber[psor]=Sing\t1\tobl\t1:obl:a\tSpaceAfter=No|x=y=z

# no sentence id
1\tBai\tbai\tINTJ\t_\t_\t0\troot\t_\t_

"""


def written(tmp_path: Path, text: str, name: str = "t.conllu") -> Path:
    (tmp_path / name).write_bytes(text.encode())
    return tmp_path / name


def there_and_back(path: Path, tmp_path: Path) -> bytes:
    build_treebank(path, tmp_path / "x.parquet", tmp_path / "counts.tsv")
    write_conllu(tmp_path / "x.conllu", read_treebank(tmp_path / "x.parquet"))
    return (tmp_path / "x.conllu").read_bytes()


def word(number: int, head: int = 0, **cells: str) -> str:
    row = dict.fromkeys(COLUMNS, "_") | {"id": str(number), "form": "f", "head": str(head)}
    return "\t".join((row | cells).values())


def test_a_sentence(tmp_path):
    first, second = read_conllu(written(tmp_path, TEXT))
    assert (first.sentence_id, first.text, first.line) == ("a-1", "vámonos al mar", 1)
    assert first.comments[0] == "# newdoc"
    assert [token.id for token in first.tokens] == ["1-2", "1", "2", "2.1", "3-4", "3", "4", "5"]
    assert [token.form for token in first.words] == ["vamos", "nos", "a", "el", "mar"]
    assert first.tokens[2] == Token(
        "2", "nos", "nosotros", "PRON", "_", "Case=Acc", "1", "obj", "1:obj|1.1:obj", "_"
    )
    assert (second.sentence_id, second.text, second.line) == ("t:2", None, 13)


def test_features_of_a_cell():
    assert features("Case=Erg|Number[psor]=Sing") == {"Case": "Erg", "Number__psor": "Sing"}
    assert features("SpaceAfter=No|x=y=z|flag") == {
        "SpaceAfter": "No", "x": "y=z", "flag": "true",
    }  # fmt: skip
    assert features("_") == {}


def test_surface_text_shows_multiword_tokens(tmp_path):
    first, second = read_conllu(written(tmp_path, TEXT))
    assert surface_text(first.tokens) == "vámonos al mar"
    assert second.surface() == "Bai"


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT[:-1],  # no blank line at the end
        TEXT[:-2],  # no newline either
        TEXT + "\n",
        TEXT.replace("\n\n", "\n\n\n\n"),
        word(1) + "\n\n",
    ],
)
def test_a_round_trip_is_exact(tmp_path, text):
    assert there_and_back(written(tmp_path, text), tmp_path).decode() == text


def test_byte_order_mark_and_carriage_returns_are_lost(tmp_path):
    path = written(tmp_path, "\ufeff" + TEXT.replace("\n", "\r\n"))
    assert there_and_back(path, tmp_path).decode() == TEXT


def test_a_file_cut_off_within_its_last_line_break_is_read(tmp_path):
    path = written(tmp_path, TEXT.replace("\n", "\r\n") + "\r\n\r")
    assert len(list(read_treebank(path))) == len(list(read_treebank(written(tmp_path, TEXT))))


CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\0"), min_size=1)
UNSPACED = CELL.filter(lambda text: not re.search(r"\s", text))
NOTES = CELL.filter(lambda text: text == text.strip())
COMMENTS = st.lists(CELL.map(lambda text: f"# note {text}"), max_size=2)


@settings(max_examples=40)
@given(data=st.data())
def test_a_round_trip_keeps_any_cells(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    sentences = []
    for number in range(data.draw(st.integers(1, 3))):
        rows = []
        for at in range(1, data.draw(st.integers(1, 3)) + 1):
            form, lemma, misc = (data.draw(each) for each in (CELL, CELL, NOTES))
            upos, xpos, value, deprel, deps = (data.draw(UNSPACED) for _ in range(5))
            feats = "A=" + value.replace("|", "")
            cells = (form, lemma, upos, xpos, feats + "b", str(at - 1), deprel, deps, misc)
            rows.append(Token(str(at), *cells))
        comments = data.draw(COMMENTS)
        sentences.append(Sentence(f"t:{number + 1}", None, 1, 2, comments, rows))
    write_conllu(folder / "t.conllu", sentences)
    assert [s[3:] for s in read_conllu(folder / "t.conllu")] == [s[3:] for s in sentences]
    before = (folder / "t.conllu").read_bytes()
    assert there_and_back(folder / "t.conllu", folder) == before


def test_reading_does_not_depend_on_the_size_of_pieces(tmp_path, monkeypatch):
    other = TEXT[: TEXT.find("\n\n")].replace("a-1", "b-1")
    text = "\ufeff\r\n" + TEXT.replace("\n", "\r\n") + "\r\n\r\n" + other
    path = written(tmp_path, text)
    whole = list(read_conllu(path))
    assert [(s.sentence_id, s.line, s.newlines) for s in whole] == [
        ("a-1", 2, 2), ("t:2", 14, 4), ("b-1", 19, 0),
    ]  # fmt: skip
    content = path.read_bytes()
    for size in (1, 2, 3, 7):
        cut = [(content[i : i + size], i) for i in range(0, len(content), size)]
        monkeypatch.setattr("kasu.corpora.treebanks.treebank.pieces", lambda _, cut=cut: cut)
        assert list(read_conllu(path)) == whole


def test_lines_are_numbered_through_blank_lines(tmp_path):
    path = written(tmp_path, "\n\n" + word(1) + "\n\n\n\n# c\n" + word(1) + "\n" + word(2, 1))
    assert [sentence.line for sentence in read_conllu(path)] == [3, 7]


def test_counts(tmp_path):
    build_treebank(written(tmp_path, TEXT), tmp_path / "t.parquet", tmp_path / "counts.tsv")
    assert {row["step"]: row["count"] for row in read_tsv(tmp_path / "counts.tsv")} == {
        "sentences": "2",
        "words": "6",
        "multiword tokens": "2",
        "empty nodes": "1",
        "sentences without a text": "1",
    }


def test_parquet_has_one_row_per_sentence_and_one_cell_per_line(tmp_path):
    build_treebank(written(tmp_path, TEXT), tmp_path / "t.parquet", tmp_path / "counts.tsv")
    rows = pq.read_table(tmp_path / "t.parquet").to_pylist()
    assert [row["sentence_id"] for row in rows] == ["a-1", "t:2"]
    assert rows[0]["head"] == ["_", "0", "1", "_", "_", "5", "5", "1"]


@pytest.mark.parametrize(("ending", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_compressed_files(tmp_path, ending, compress):
    (tmp_path / f"t.conllu{ending}").write_bytes(compress(TEXT.encode()))
    assert [s.sentence_id for s in read_treebank(tmp_path / f"t.conllu{ending}")] == ["a-1", "t:2"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["1\ta\tb"], "1: 3 columns; expected 10, tab-separated"),
        ([word(1) + "\tx"], "1: 11 columns; expected 10, tab-separated"),
        (
            [word(1), "# late"],
            "2: a comment among tokens; expected comments before the first token",
        ),
        (["# sent_id = x"], "1: comments without a token; expected tokens after them"),
        ([word(1), word(2, 3)], "2: head '3' of word 2 does not exist; expected 0 to 2"),
        ([word(1, head="-1")], "1: head '-1' of word 1 does not exist; expected 0 to 1"),
        ([word(1, head="01")], "1: head '01' of word 1 does not exist; expected 0 to 1"),
        ([word(1), word(2, 2)], "2: word 2 heads itself, through [2]; expected a tree below 0"),
        (
            [word(1), word(2, 4), word(3, 2), word(4, 3)],
            "2: word 2 heads itself, through [4, 3, 2]; expected a tree below 0",
        ),
        ([word(1), word(1)], "2: id 1 again; expected 2"),
        ([word(1), word(3)], "2: id 3 out of order; expected 2"),
        ([word(2)], "1: id 2 out of order; expected 1"),
        ([word(1, id="_")], "1: id '_'; expected a number, a range (1-2) or an empty node (1.1)"),
        ([word(1, id="x")], "1: id 'x'; expected a number, a range (1-2) or an empty node (1.1)"),
        ([word(1), word(1, id="1-2")], "2: multiword token 1-2; expected 2-…"),
        ([word(1, id="1-2"), word(1, id="1-3"), word(1)], "2: multiword token 1-3; expected 1-…"),
        ([word(1, id="1-2"), word(1)], "2: a multiword token up to 2, but no word 2"),
        ([word(1), word(1, id="1.2")], "2: empty node 1.2; expected 1.1 or 2"),
        ([word(1), word(1, id="1.1"), word(1, id="1.1")], "3: empty node 1.1; expected 1.2 or 2"),
        (
            ["# sent_id = x", word(1), "", "# sent_id = x", word(1)],
            "4: sent_id 'x' again (first in line 1); expected a different one for every sentence",
        ),
        ([word(1), " ", word(1)], "2: 1 columns; expected 10, tab-separated"),
    ],
)
def test_an_invalid_treebank_names_the_line(tmp_path, rows, message):
    path = written(tmp_path, "\n".join(rows) + "\n\n")
    with pytest.raises(KasuError) as error:
        list(read_conllu(path))
    assert str(error.value) == f"{path}:{message}"


def test_invalid_utf8_names_line_and_byte(tmp_path):
    path = written(tmp_path, TEXT)
    path.write_bytes(TEXT.encode().replace(b"Bai", b"B\xffi"))
    with pytest.raises(KasuError, match=r"t\.conllu:14: invalid UTF-8 at byte 4 of the line"):
        list(read_conllu(path))


def test_a_sentence_without_end_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr("kasu.corpora.treebanks.treebank.LONGEST", 1_000)
    path = written(tmp_path, TEXT + "x" * 2_000)
    with pytest.raises(KasuError, match=r"t\.conllu:16: a sentence of over 1000 bytes; expected"):
        list(read_conllu(path))


def test_errors_leave_no_half_file(tmp_path):
    path = written(tmp_path, TEXT + "1\tx\n")
    with pytest.raises(KasuError):
        build_treebank(path, tmp_path / "out" / "t.parquet", tmp_path / "out" / "counts.tsv")
    assert list((tmp_path / "out").iterdir()) == []


def test_missing_file_is_one_line(tmp_path):
    with pytest.raises(KasuError, match=r"none\.conllu: no such treebank"):
        read_treebank(tmp_path / "none.conllu")


def test_parquet_of_something_else_is_one_line(tmp_path):
    write_parquet(tmp_path / "t.parquet", [], SENTENCES)
    with pytest.raises(KasuError, match=r"t\.parquet: columns .*; expected a treebank"):
        list(read_treebank(tmp_path / "t.parquet"))


def test_damaged_parquet_is_one_line(tmp_path):
    (tmp_path / "t.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(KasuError, match=r"t\.parquet: unreadable parquet"):
        list(read_treebank(tmp_path / "t.parquet"))


def test_the_same_treebank_gives_the_same_bytes(tmp_path):
    path = written(tmp_path, TEXT)
    for name in ("a.parquet", "b.parquet"):
        build_treebank(path, tmp_path / name, tmp_path / "counts.tsv")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


# Real treebanks


@pytest.mark.real
def test_every_treebank_of_the_mirror_makes_an_exact_round_trip(mirror):
    paths = sorted(mirror.rglob("*.conllu*"))
    assert len(paths) >= 37
    wrong = []
    for number, path in enumerate(paths):
        # Every fourth whole, across the pieces in which it is read; of the others the beginning
        most = None if number % 4 == 0 else 300
        sentences = [*islice(read_conllu(path), most)]
        batches = tabulate(sentences).combine_chunks().to_batches()
        ours = "".join(format_sentence(s) for batch in batches for s in sentences_of(batch))
        theirs = b"".join(piece for piece, _ in pieces(path))
        if ours.encode() != (theirs[: len(ours.encode())] if len(sentences) == most else theirs):
            wrong.append(path)
    assert wrong == []


@pytest.mark.real
def test_georgian_makes_a_round_trip_through_files(mirror, tmp_path):
    for path in (mirror / "ud" / "UD_Georgian-GLC").glob("*.conllu"):
        assert there_and_back(path, tmp_path) == path.read_bytes()


@pytest.mark.real
def test_cells_equal_those_of_the_conllu_package(mirror):
    # Unlike Kasu, the package cuts cells at two spaces and drops what follows a second = in a value
    path = mirror / "ud" / "UD_Georgian-GLC" / "ka_glc-ud-dev.conllu"
    with path.open(encoding="utf-8") as file:
        theirs = list(conllu.parse_incr(file))
    ours = list(read_conllu(path))
    assert [s.sentence_id for s in ours] == [t.metadata["sent_id"] for t in theirs]
    for sentence, tokens in zip(ours, theirs, strict=True):
        assert sentence.text == tokens.metadata["text"]
        words = tokens.filter(id=lambda number: isinstance(number, int))
        for mine, token in zip(sentence.words, words, strict=True):
            assert (mine.form, mine.upos, mine.deprel) == (
                token["form"], token["upos"], token["deprel"],
            )  # fmt: skip
            assert (int(mine.id), int(mine.head)) == (token["id"], token["head"])
            assert (mine.lemma, mine.xpos) == (token["lemma"], token["xpos"] or "_")
            parts = (token["feats"] or {}).items()
            assert mine.feats == ("|".join(f"{name}={value}" for name, value in parts) or "_")
