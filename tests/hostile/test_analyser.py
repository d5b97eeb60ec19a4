"""Texts and dictionaries that keep lt-proc busy or waiting."""

import os
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from kasu.corpora.morphology import apertium
from kasu.corpora.morphology.apertium import Analyser, analyse_corpus
from kasu.files.tables import read_parquet, read_tsv, write_parquet

TAGSET = Path(__file__).resolve().parents[2] / "resources" / "tagsets" / "eus.yaml"
TEXTS = pa.schema([("sentence_id", pa.string()), ("text", pa.string())])


def analyse(folder, dictionary, texts):
    """Analyse texts; return the surfaces of each and the counts."""
    rows = [{"sentence_id": str(n), "text": text} for n, text in enumerate(texts)]
    write_parquet(folder / "s.parquet", rows, TEXTS)
    out = folder / "a.parquet", folder / "counts.tsv"
    analyse_corpus(folder / "s.parquet", *out, dictionary=dictionary, tagset=TAGSET, workers=1)
    surfaces: dict[str, dict[int, str]] = {}
    for row in read_parquet(out[0]).to_pylist():
        surfaces.setdefault(row["sentence_id"], {})[row["unit"]] = row["surface"]
    found = {name: list(units.values()) for name, units in surfaces.items()}
    return found, {row["step"]: int(row["count"]) for row in read_tsv(out[1])}


def test_a_word_of_a_megabyte_is_counted_and_left_out(tmp_path, dictionary):
    texts = ["etxea", "a" * 1_000_000, "etxea da", None]
    found, counts = analyse(tmp_path, dictionary, texts)
    assert found == {"0": ["etxea"], "2": ["etxea", "da"]}
    assert counts["sentences"] == 2
    assert counts["sentences with a word of 10,000 characters, left out"] == 1
    assert counts["rows without text, left out"] == 1


def test_counts_name_nothing_that_was_not_left_out(tmp_path, dictionary):
    _, counts = analyse(tmp_path, dictionary, ["etxea", "a" * 9_999])
    assert not any("left out" in step for step in counts)


ACCEPTED = {
    "marks of the stream": ("etxea ^ $ / \\ < > { } [ ] @ [[x]] da", ["etxea", "x", "da"]),
    "superblanks": ("[<br>] etxea [] da", ["br", "etxea", "da"]),
    "a word blank": ("[[t:b:123]]etxea[[/]] da", ["etxea", "da"]),
    "NUL": ("etxea \0 da", ["etxea", "da"]),
    "U+FFFF": ("etxea \uffff da", ["etxea", "da"]),
    "line ends": ("etxea\n\nda\r\n", ["etxea", "da"]),
    "direction marks": ("\u202eetxea\u202c da", ["etxea", "da"]),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_odd_characters_cost_no_word(tmp_path, dictionary, case):
    text, expected = ACCEPTED[case]
    found, _ = analyse(tmp_path, dictionary, [text, "bi etxe"])
    assert [word for word in found["0"] if word in expected] == expected
    assert found["1"] == ["bi", "etxe"]


WAITS = f"#!{sys.executable}\nimport time\ntime.sleep(60)\n"
DEAF = f"#!{sys.executable}\nimport sys, time\nsys.stdin.buffer.read1()\ntime.sleep(60)\n"


@pytest.fixture(params=[WAITS, DEAF])
def stuck(request, tmp_path, monkeypatch):
    """An lt-proc on PATH that never answers, and a dictionary."""
    program = tmp_path / "bin" / "lt-proc"
    program.parent.mkdir()
    program.write_text(request.param)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(apertium, "DEADLINE", 0.2)
    (tmp_path / "a.bin").write_bytes(b"LTTB")
    return tmp_path / "a.bin"


def test_an_analyser_that_never_answers_is_one_line(stuck, line):
    analyser = Analyser(stuck)
    # More text than a pipe holds: feeding it must not wait either
    assert line(analyser.analyse, ["bat " * 50_000, "bi"]) == (
        f"lt-proc: no answer in 0.2 s to the sentence {'bat ' * 20!r}; expected a sound dictionary"
    )
    analyser.close()


def test_an_analyser_that_never_ends_is_one_line(stuck, line):
    expected = "lt-proc: has not ended after 0.2 s; expected a sound dictionary"
    assert line(Analyser(stuck).close) == expected
