"""Datasets from released files: what is read, kept, counted and refused."""

from pathlib import Path

import pytest
import yaml

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv
from kasu.inflection.data.triples import (
    SPLITS,
    Triple,
    read_dataset,
    read_items,
    read_splits,
    read_triples,
    write_dataset,
)
from kasu.transduction.items import Item

SOURCES = [{"name": "task", "licence": "CC BY-SA 3.0", "citation": "them"}]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def build(folder: Path, **texts: str) -> Path:
    files = {split: write(folder / split, text) for split, text in texts.items()}
    read_splits(files, folder / "dataset", language="tiny", sources=SOURCES)
    return folder / "dataset"


def numbers(path: Path, key: str) -> dict[str, int]:
    return {row[key]: int(row["count"]) for row in read_tsv(path)}


def test_a_line_is_lemma_form_features(tmp_path):
    path = write(tmp_path / "x", "walk\twalked\tV;PST\n\nwalk\twalk\tV;NFIN")
    assert read_triples(path) == [
        Triple("walk", "walked", "V;PST"),
        Triple("walk", "walk", "V;NFIN"),
    ]


def test_a_form_keeps_its_blanks_and_the_line_is_stripped(tmp_path):
    path = write(tmp_path / "x", "\u00a0tîp (1)\ttîp \tDEF;N;PL \u3000\r\nlīdõ\tlīm\u00a0\tV\n")
    assert read_triples(path) == [
        Triple("tîp (1)", "tîp ", "DEF;N;PL"),
        Triple("līdõ", "līm\u00a0", "V"),
    ]


def test_features_lose_the_blanks_around_a_semicolon(tmp_path):
    path = write(tmp_path / "x", "a\tb\tN;PRIV ; SG\na\tc\tV; NFIN ;\na\td\tN;MASC FEM;\n")
    assert [triple.features for triple in read_triples(path)] == [
        "N;PRIV;SG", "V;NFIN;", "N;MASC FEM;",
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["e\u0301", "é", "\u05d0\u05d1\u202e", "a_b", "ن\u064e", "#"])
def test_forms_are_kept_code_point_by_code_point(tmp_path, form):
    assert read_triples(write(tmp_path / "x", f"a\t{form}\tN\n"))[0].form == form
    dataset = build(tmp_path, low=f"a\t{form}\tN\n", dev="a\tb\tV\n", test="a\tc\tADJ\n")
    assert read_dataset(dataset / "low.parquet")[0].form == form


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "x: no triple; expected lines of lemma, form, features"),
        ("\n \n", "x: no triple; expected lines of lemma, form, features"),
        ("a\tb\tN\n\na\tN\n", "x:3: 2 columns; expected lemma, form, features, separated by tabs"),
        ("a\tb\tc\tN\n", "x:1: features in the fourth column (N); expected lemma, form, features"),
        (
            "a\tb\tN\tc\td\n",
            "x:1: 5 columns; expected lemma, form, features, separated by tabs",
        ),
        (
            "a\tb\rc\tN\n",
            "x:1: a carriage return inside the line; expected lines that end in LF or CR LF",
        ),
        ("a\tb\t\n", "x:1: 2 columns; expected lemma, form, features, separated by tabs"),
    ],
)
def test_other_files_are_refused(tmp_path, text, error):
    with pytest.raises(KasuError) as raised:
        read_triples(write(tmp_path / "x", text))
    assert str(raised.value) == f"{tmp_path}/{error}"


def test_a_dataset_has_one_file_per_split_in_file_order(tmp_path):
    low = "b\tbs\tN;PL\na\tas\tN;PL\n"
    dataset = build(tmp_path, low=low, dev="c\tcs\tN;PL\n", test="d\tds\tN;PL\n")
    assert {s: [t.form for t in read_dataset(dataset / f"{s}.parquet")] for s in SPLITS} == {
        "low": ["bs", "as"], "medium": [], "high": [], "dev": ["cs"], "test": ["ds"],
    }  # fmt: skip
    card = (dataset / "README.md").read_text(encoding="utf-8")
    assert "**CC BY-SA 3.0**" in card
    assert "| low | 2 |" in card


@pytest.mark.parametrize("other", ["\u00e9", "e\u0301"])
def test_further_forms_of_a_cell_stay_in_training_and_the_last_in_test(tmp_path, other):
    lines = f"\u00e9\tone\tV\nb\tx\tV\n{other}\ttwo\tV\n"
    dataset = build(tmp_path, low=lines, dev="\n" + lines, test=lines)
    assert [t.form for t in read_dataset(dataset / "low.parquet")] == ["one", "x", "two"]
    assert [t.form for t in read_dataset(dataset / "test.parquet")] == ["x", "two"]
    counts = numbers(dataset / "counts.tsv", "step")
    assert (counts["low: rows"], counts["low: lemmata"]) == (3, 2)
    assert counts["low: further forms of a cell"] == 1
    assert numbers(dataset / "drops.tsv", "reason") == {
        "dev: blank line": 1,
        "dev: the cell again, later": 1,
        "test: the cell again, later": 1,
    }


@pytest.mark.parametrize(
    ("texts", "error"),
    [
        ({"low": "a\tb\tN\n", "dev": "a\tb\tN\n"}, "dataset tiny: no test file"),
        ({"dev": "a\tb\tN\n", "test": "a\tb\tN\n"}, "dataset tiny: no training file"),
    ],
)
def test_a_language_needs_training_dev_and_test(tmp_path, texts, error):
    with pytest.raises(KasuError, match=error):
        build(tmp_path, **texts)


def test_the_same_files_give_the_same_bytes(tmp_path):
    def bytes_of(name: str) -> list[bytes]:
        (tmp_path / name).mkdir()
        dataset = build(tmp_path / name, low="a\tb\tN\n", dev="a\tc\tV\n", test="a\td\tX\n")
        return [path.read_bytes() for path in sorted(dataset.iterdir())]

    assert bytes_of("one") == bytes_of("two")


@pytest.mark.real
def test_a_real_language_keeps_every_line(mirror, tmp_path):
    released = mirror / "sigmorphon2018" / "task1" / "all"
    files = {"low": "train-low", "medium": "train-medium", "high": "train-high"}
    files = {s: released / f"kurmanji-{files.get(s, s)}" for s in SPLITS}
    read_splits(files, tmp_path, language="kurmanji", sources=SOURCES, released=True)
    for split, path in files.items():
        rows = read_dataset(tmp_path / f"{split}.parquet")
        assert "".join("\t".join(row) + "\n" for row in rows) == path.read_text(encoding="utf-8")
    assert numbers(tmp_path / "drops.tsv", "reason") == {}


def test_a_split_as_items(tmp_path):
    splits = {"low": [Triple("etxe", "etxea", "N;ABS;SG")]}
    write_dataset(tmp_path, splits, {}, language="basque", sources=[])
    assert read_items(tmp_path / "low.parquet") == [Item("etxe", ("N", "ABS", "SG"), "etxea")]


@pytest.mark.parametrize(("given", "code"), [({"code": "ast"}, "ast"), ({}, "und")])
def test_the_card_has_the_code_of_the_language_and_not_its_name(tmp_path, given, code):
    files = {split: write(tmp_path / split, "a\tb\tN\n") for split in ("low", "dev", "test")}
    read_splits(files, tmp_path, language="asturian", sources=SOURCES, **given)
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert yaml.safe_load(card.split("---\n")[1])["language"] == [code]


def test_dashes_are_left_out_unless_they_were_released(tmp_path):
    texts = {
        "low": "a\tas\tN;PL\nb\t–\tN;PL\n", "dev": "c\t--\tN;PL\nc\tc\tN;SG\n",
        "test": "d\td\tN;SG\nd\t-\tN;PL\n",
    }  # fmt: skip
    dataset = build(tmp_path, **texts)
    assert [len(read_dataset(dataset / f"{split}.parquet")) for split in texts] == [1, 1, 1]
    drops = {"low: no form": 1, "dev: no form": 1, "test: no form": 1}
    assert numbers(dataset / "drops.tsv", "reason") == drops
    files = {split: tmp_path / split for split in texts}
    read_splits(files, dataset, language="tiny", sources=SOURCES, released=True)
    assert [len(read_dataset(dataset / f"{split}.parquet")) for split in texts] == [2, 2, 2]


@pytest.mark.parametrize("wrong", ["low", "dev", "test"])
def test_a_split_whose_columns_have_another_order_is_refused(tmp_path, wrong):
    texts = dict.fromkeys(("low", "dev", "test"), "a\tas\tN;PL\n") | {wrong: "a\tN;PL\tas\n"}
    with pytest.raises(KasuError, match=f"{wrong}:1: features in the second column"):
        build(tmp_path, **texts)
    assert not (tmp_path / "dataset").exists()
