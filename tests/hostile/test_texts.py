"""Bad or hostile texts and tables: each ends in a line, in a counted drop, or as stated here."""

import bz2
import gzip
import json
import lzma
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from kasu.blm.generation.seeds import COLUMNS as SEEDS
from kasu.blm.generation.seeds import read_seeds
from kasu.blm.generation.substitutions import COLUMNS as LEXICON
from kasu.blm.generation.substitutions import read_lexicon
from kasu.corpora.morphology.tagset import read_tagset
from kasu.corpora.paradigms.frequencies import read_frequencies
from kasu.corpora.paradigms.unimorph import read_paradigms
from kasu.corpora.texts.sentences import LineFormat, build_corpus, read_lines
from kasu.corpora.treebanks.treebank import read_conllu
from kasu.files.tables import read_parquet, read_tsv
from kasu.inflection.data.triples import read_triples
from kasu.job.run import job
from kasu.lm.scoring.items import read_items
from kasu.pretraining.data.pairs import make_pairs

ROOT = Path(__file__).resolve().parents[2]


def lines_of(path, **form):
    """The texts that are read, and the drops."""
    out = [path.parent / name for name in ("s.parquet", "counts.tsv", "drops.tsv")]
    read_lines(path, *out, source="t", form=LineFormat("eu", **form))
    return read_parquet(out[0])["text"].to_pylist()


def json_lines(path):
    return lines_of(path, fields=["text"])


def pairs(path):
    out = [path.parent / name for name in ("p.parquet", "counts.tsv", "drops.tsv")]
    make_pairs(path, *out)
    drops = {row["reason"]: int(row["count"]) for row in read_tsv(out[2])}
    return read_parquet(out[0])["sentence_good"].to_pylist(), drops


def conllu(path):
    return len(list(read_conllu(path)))


def paradigms(path):
    cells, drops = read_paradigms(path)
    return len(cells), dict(drops)


def frequencies(path):
    return dict(read_frequencies(path, ["etxe"]).counts)


def seeds(path):
    return len(read_seeds(path))


def items(path):
    return [item.sentence for item in read_items(path)]


def word(number, form="a", head="0"):
    return f"{number}\t{form}\t{form}\tNOUN\t_\t_\t{head}\troot\t_\t_\n"


def seed(**cells):
    row = {name: name for name in SEEDS} | cells
    return "\t".join(SEEDS) + "\n" + "\t".join(row.values()) + "\n"


def entry(*rows):
    return "\n".join(map("\t".join, (LEXICON, *rows))) + "\n"


def pair(good, bad):
    return f'{{"sentence_good":"{good}","sentence_bad":"{bad}","type":"t","level":"A"}}\n'


GOOD = "# sent_id = a\n# text = a b\n" + word(1) + word(2, "b", 1) + "\n"
TEXT = b"kaixo da\n" * 1000
NINES = "9" * 5000
HEAD = "# Corpus-Size: "

# Reader, name of the file, content, the line after `DIR/<name>`
LINES = [
    (lines_of, "t.txt", "", ": no sentence in 0 lines; expected a text"),
    (lines_of, "t.txt", "\n\n \n", ": no sentence in 3 lines; expected a text"),
    (lines_of, "t.txt", "\0" * 1000, ": no sentence in 1 lines; expected a text"),
    (lines_of, "t.txt", "kaixo".encode("utf-16"), ":1: invalid UTF-8 at byte 1 of the line"),
    (lines_of, "t.txt", "mañana".encode("latin1"), ":1: invalid UTF-8 at byte 3 of the line"),
    (
        lines_of, "t.txt", "a b " * 5_000_000,
        ":1: a line of over 16777216 bytes; expected a text file",
    ),
    (
        lines_of, "t.gz", gzip.compress(TEXT)[:-9],
        ": cut off: gz data end before their end mark",
    ),
    (lines_of, "t.gz", "kaixo\n", ": damaged gz data (Not a gzipped file (b'ka'))"),
    (
        lines_of, "t.gz", gzip.compress(TEXT) + b"garbage",
        ": damaged gz data (Not a gzipped file (b'ga'))",
    ),
    (
        lines_of, "t.bz2", bz2.compress(TEXT) + b"garbage",
        ": damaged bz2 data (Invalid data stream)",
    ),
    (
        lines_of, "t.xz", lzma.compress(TEXT) + b"garbage",
        ": damaged xz data (Input format not supported by decoder)",
    ),
    (json_lines, "t.jsonl", '{"a":"b"}\n', ":1: no text in field 'text'; "
     "expected a string or a list of tokens"),
    (json_lines, "t.jsonl", '{"text":5}\n', ":1: no text in field 'text'; "
     "expected a string or a list of tokens"),
    (json_lines, "t.jsonl", "[]\n", ":1: list; expected one object per line"),
    (json_lines, "t.jsonl", '{"text":\n', ":1: invalid JSON; expected one object per line"),
    (json_lines, "t.jsonl", "[" * 100_000, ":1: invalid JSON; expected one object per line"),
    (
        json_lines, "t.jsonl", f'{{"text":"a b","n":{NINES}}}\n',
        ":1: invalid JSON; expected one object per line",
    ),
    (pairs, "p.jsonl", "", ": no pair in 0 lines; expected at least one"),
    (pairs, "p.jsonl", "[]\n", ":1: list; expected one object per line"),
    (pairs, "p.jsonl", '{"a":' * 100_000, ":1: invalid JSON; expected one object per line"),
    (pairs, "p.jsonl", f'{{"n":{NINES}}}\n', ":1: invalid JSON; expected one object per line"),
    (pairs, "p.jsonl", b'{"sentence_good":"\xff"}\n', ":1: invalid UTF-8 at byte 19 of the line"),
    (pairs, "p.jsonl", pair("a", "b").encode("utf-16"), ":1: invalid UTF-8 at byte 1 of the line"),
    (
        pairs, "p.jsonl", b'{"x":"' + b"a" * (17 << 20) + b'"}',
        ":1: a line of over 16777216 bytes; expected a text file",
    ),
    (conllu, "t.conllu", "", ": no sentence; expected a CoNLL-U file"),
    (conllu, "t.conllu", "\n\n\n", ": no sentence; expected a CoNLL-U file"),
    (conllu, "t.conllu", "# sent_id = a\n\n", ":1: comments without a token; "
     "expected tokens after them"),
    (conllu, "t.conllu", GOOD + GOOD, ":6: sent_id 'a' again (first in line 1); "
     "expected a different one for every sentence"),
    (conllu, "t.conllu", word(1, "") + "\n", ":1: no form; "
     "expected a word, or _ where there is none"),
    (conllu, "t.conllu", GOOD.replace("\tb\t", "\t\0\t"), ":4: a NUL character; "
     "expected a word, or _ where there is none"),
    (conllu, "t.conllu", word(NINES) + "\n", f":1: id '{NINES}'; "
     "expected a number, a range (1-2) or an empty node (1.1)"),
    (conllu, "t.conllu", word("1-999999999999", head="_") + word(1) + "\n",
     ":2: a multiword token up to 999999999999, but no word 2"),
    (conllu, "t.conllu", word(1, head=2) + word(2, head=1) + "\n",
     ":1: word 1 heads itself, through [2, 1]; expected a tree below 0"),
    (conllu, "t.conllu", "<!doctype html>", ":1: 1 columns; expected 10, tab-separated"),
    (paradigms, "eus", "", ": no form; expected lines of lemma, form, features"),
    (paradigms, "eus", "a b N;SG\n", ":1: 1 columns; expected lemma, form, features"),
    (paradigms, "eus", b"a\t\xff\tN;SG\n", ":1: invalid UTF-8 at byte 3 of the line"),
    (paradigms, "eus", "a\tb\0\tN;SG\n", ": no form; expected lines of lemma, form, features"),
    (read_triples, "low", "", ": no triple; expected lines of lemma, form, features"),
    (read_triples, "low", "a\tb\n", ":1: 2 columns; "
     "expected lemma, form, features, separated by tabs"),
    (read_triples, "low", "a\0\tb\tN\n", ":1: a NUL character; expected lemma, form, features"),
    (frequencies, "f.txt", "", ": no word; expected lines of a word and its count"),
    (frequencies, "f.txt", "etxe -5\n", ":1: 'etxe -5'; expected a word and a whole number"),
    (frequencies, "f.txt", f"etxe {NINES}\n", f":1: 'etxe {'9' * 35}'; "
     "expected a word and a whole number"),
    (frequencies, "f.txt", "etxe ²\n", ":1: 'etxe ²'; expected a word and a whole number"),
    (frequencies, "f.txt", f"Form\tFrequency\n{HEAD}{NINES}\netxe\t5\n",
     f":2: '# Corpus-Size: {'9' * 25}'; expected a size above 0, at most 18 digits"),
    (seeds, "s.tsv", "", ": no seeds; expected a header and one or more rows"),
    (seeds, "s.tsv", seed().split("\n")[0], ": no seeds; "
     "expected one or more rows below the header"),
    (seeds, "s.tsv", seed(prefix="a\0b"), ":2, column prefix: a NUL character; expected text"),
    (seeds, "s.tsv", seed(prefix="]a["), ":2, column prefix: ']a['; expected brackets in pairs"),
    (seeds, "s.tsv", seed(prefix="a [b"), ":2, column prefix: 'a [b'; expected brackets in pairs"),
    (
        seeds, "s.tsv", seed(prefix="[[a]]"),
        ":2, column prefix: '[[a]]'; expected brackets in pairs",
    ),
    (seeds, "s.tsv", seed().encode("utf-16"), ":1: invalid UTF-8 at byte 1 of the line"),
    (read_lexicon, "l.tsv", entry(), ": no word; expected one or more rows below the header"),
    (read_lexicon, "l.tsv", entry(["noun", *["a\0"] * (len(LEXICON) - 1)]), ":2, column singular: "
     "a NUL character; expected a form"),
    (items, "i.jsonl", "[" * 100_000, ":1: invalid JSON; expected one object per line"),
    (json_lines, "t.jsonl", '{"text":"a","text":"b"}\n', ":1: the key 'text' twice or more; "
     "expected each key once"),
    (items, "i.jsonl", '{"sentence_a":"\\ud800"}\n', ": item 1, sentence_a: '\\ud800'; "
     "expected a text"),
    (items, "i.tsv", "item_id\tsentence_a\n1\ta\n1\tb\n", ": item 1: another item has this "
     "item_id; expected one item each"),
    (items, "i.txt", "a,b\n", ": a file of items ending in '.txt'; "
     "expected .parquet, .jsonl, .tsv, .csv"),
]  # fmt: skip


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("case", range(len(LINES)))
def test_a_bad_file_is_one_line(tmp_path, line, case):
    read, name, content, expected = LINES[case]
    assert line(read, write(tmp_path / name, content)) == f"DIR/{name}{expected}"


ACCEPTED = [
    (lines_of, "t.txt", "kai\0xo mundua\n", ["kaixo mundua"]),
    (lines_of, "t.txt", "\ufeffkaixo mundua\r\nbi\r\n", ["kaixo mundua", "bi"]),
    (lines_of, "t.txt", "man\u0303ana da\n", ["mañana da"]),
    (lines_of, "t.txt", "bat da\rbi da\n", ["bat da bi da"]),
    (lines_of, "t.xz", lzma.compress(b"kaixo da\n") + b"\0" * 8, ["kaixo da"]),
    (lines_of, "t.bz2", bz2.compress(b"kaixo ") + bz2.compress(b"da\n"), ["kaixo da"]),
    (json_lines, "t.jsonl", '{"text":"kaixo \\ud800 mundua"}\n', ["kaixo mundua"]),
    (pairs, "p.jsonl", "\ufeff" + pair("a b", "a c"), (["a b"], {})),
    (pairs, "p.jsonl", pair("a b", "a c") + pair("a", "a"), (["a b"], {"equal halves": 1})),
    (pairs, "p.jsonl", pair("a\\u0000 b", "a c"), (["a b"], {})),
    (conllu, "t.conllu", "\ufeff" + GOOD.replace("\n", "\r\n"), 1),
    (conllu, "t.conllu", word(1) + word(2) + "\n", 1),
    (conllu, "t.conllu", GOOD.replace("text = a b", "text = other"), 1),
    (conllu, "t.conllu", GOOD.rstrip("\n"), 1),
    (paradigms, "eus", "a\tb\tN;SG\n" * 5, (1, {"the same line again": 4})),
    (paradigms, "eus", "a\tb\tN;SG\nc\td\0\tN;SG\n", (1, {"a NUL character": 1})),
    (frequencies, "f.txt", "etxe 5\netxe 5\n", {"etxe": 10}),
    (seeds, "s.tsv", "\ufeff" + seed(prefix="a [b] c").replace("\n", "\r\n"), 1),
    (items, "i.jsonl", '\ufeff{"sentence_a":"x"}\n', ["x"]),
]


@pytest.mark.parametrize("case", range(len(ACCEPTED)))
def test_an_odd_file_is_read_as_stated(tmp_path, case):
    read, name, content, expected = ACCEPTED[case]
    assert read(write(tmp_path / name, content)) == expected


READERS = (lines_of, pairs, conllu, paradigms, frequencies, seeds, read_lexicon, read_tagset)


@pytest.mark.parametrize("read", READERS)
def test_what_is_no_regular_file_is_one_line(tmp_path, line, read):
    path = tmp_path / "a"
    expected = "No such file or directory; expected a file"
    assert line(read, path) == f"DIR/a: {expected}"
    os.mkfifo(path)
    assert line(read, path) == "DIR/a: a pipe or device; expected a file"
    path.unlink()
    path.mkdir()
    assert line(read, path) == "DIR/a: a folder; expected a file"
    (tmp_path / "b").symlink_to("b")
    expected = "Too many levels of symbolic links; expected a file"
    assert line(read, tmp_path / "b") == f"DIR/b: {expected}"


COLUMNS = ("sentence_id", "source", "article", "text")


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([4]), "columns sentence_id (string), source (string), article (string), "
         "text (int64); expected text in sentence_id, source, article, text"),
        (pa.array([None], pa.string()), "a row without text; expected a sentence in every row"),
    ],
)  # fmt: skip
def test_sentences_of_another_kind_are_one_line(tmp_path, line, column, expected):
    texts = [pa.array(["a"], pa.string())] * 3
    pq.write_table(pa.table([*texts, column], names=COLUMNS), tmp_path / "s.parquet")
    out = [tmp_path / name for name in ("o.parquet", "counts.tsv", "drops.tsv")]
    found = line(build_corpus, [tmp_path / "s.parquet"], *out)
    assert found == f"DIR/s.parquet: {expected}"


def test_parquet_whose_text_is_not_utf8_is_one_line(tmp_path, line):
    buffers = [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")]
    text = pa.Array.from_buffers(pa.string(), 1, buffers)
    pq.write_table(pa.table({"sentence_a": text}), tmp_path / "i.parquet")
    expected = "DIR/i.parquet: text that is not UTF-8 (invalid start byte)"
    assert line(items, tmp_path / "i.parquet") == expected


def test_a_file_that_the_system_refuses_is_one_line(tmp_path, capsys):
    with pytest.raises(SystemExit), job(tmp_path / "log"):
        (tmp_path / ("a" * 300)).write_text("")
    *_, last = capsys.readouterr().err.splitlines()
    assert last == f"error: {tmp_path}/{'a' * 300}: File name too long"


def test_what_was_found_does_not_break_the_line(tmp_path, line):
    path = write(tmp_path / "i.jsonl", json.dumps({"sentence_a": "x", "item_id": "a\nb"}) * 2)
    assert line(items, path) == "DIR/i.jsonl:1: invalid JSON; expected one object per line"
    row = json.dumps({"sentence_a": "x", "item_id": "a\n"}) + "\n"
    both = write(tmp_path / "i.jsonl", row * 2)
    expected = "DIR/i.jsonl: item a\\n: another item has this item_id; expected one item each"
    assert line(items, both) == expected


TAGSET = yaml.load((ROOT / "resources" / "tagsets" / "eus.yaml").read_text(), yaml.BaseLoader)
TAGSETS = {
    "empty": ("", ": found NoneType; expected a map of keys"),
    "a list": ("[a]", ": found list; expected a map of keys"),
    "invalid UTF-8": (b"\xff: a", ":1: invalid UTF-8 at byte 1 of the line"),
    "nested deeply": ("[" * 3000, ": nested too deeply; expected YAML"),
    "slots in a list": ({"slots": ["a"]}, ", slots: ['a']; expected a valid dictionary"),
    "slots as text": ({"slots": "a"}, ", slots: a; expected a valid dictionary"),
    "a slot as text": ({"slots": {"erg": "x"}}, ", slots.erg: x; expected a valid dictionary"),
    "the article as text": ({"article": "a"}, ", article: a; expected a valid dictionary"),
    "an article without lemma": (
        {"article": {"tag": "y"}},
        ", article.lemma: {'tag': 'y'}; expected Field required",
    ),
    "suffixes in a list": ({"suffixes": ["a"]}, ", suffixes: ['a']; expected a valid dictionary"),
    "a suffix of three marks": (
        {"suffixes": {"k": [["a", "b", "c"]]}},
        ", suffixes.k.0: ['a', 'b', 'c']; "
        "expected Tuple should have at most 2 items after validation, not 3",
    ),
    "no nominals": ({"nominal": None}, ", nominal: null; expected a valid list"),
    "two tags of a finite verb": ({"finite": ["a"]}, ", finite: ['a']; expected a valid string"),
    "a key twice": (
        yaml.safe_dump(TAGSET) + "finite: zzz\n",
        ": 'finite' again in line 73; expected YAML",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TAGSETS)
def test_a_bad_tagset_is_one_line(tmp_path, line, case):
    content, expected = TAGSETS[case]
    if isinstance(content, dict):
        content = yaml.safe_dump({**TAGSET, **content})
    assert line(read_tagset, write(tmp_path / "t.yaml", content)) == f"DIR/t.yaml{expected}"
