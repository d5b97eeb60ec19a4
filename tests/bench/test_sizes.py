"""Synthetic dumps, and how costs grow with their size."""

import errno
import resource

import pytest
import sizes
from dumps import Pages

from kasu.base.limits import expected_failure
from kasu.corpora.texts.sentences import build_corpus
from kasu.corpora.wiki.articles import extract_articles
from kasu.files import tables
from kasu.files.tables import read_parquet, read_tsv

DUMP = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="eu">'
    '<siteinfo><namespaces><namespace key="0" case="first-letter"/></namespaces></siteinfo>\n'
    "<page><title>Bat</title><ns>0</ns><id>7</id><revision><id>3</id>"
    '<text xml:space="preserve">Etxea [[mendi handia|han]] eta hemen zuri dago 12 urte.</text>'
    "</revision></page>\n</mediawiki>\n"
)
WORDS = [first + second for first in "bdgkl" for second in ("ar", "en", "il", "or", "un")]


@pytest.fixture
def pages(tmp_path):
    path = tmp_path / "head.xml"
    path.write_text(DUMP)
    return Pages(path, WORDS)


def extract(dump, out):
    extract_articles(
        dump, out / "s.parquet", out / "c.tsv", out / "d.tsv", source="x", language="eu",
        patterns={}, workers=1,
    )  # fmt: skip


def test_a_synthetic_dump_has_other_words_and_the_same_markup(tmp_path, pages):
    dump = tmp_path / "a.xml"
    assert pages.write(dump, 600, "a", first=5) == 8
    extract(dump, tmp_path)
    table = read_parquet(tmp_path / "s.parquet").to_pydict()
    assert table["sentence_id"] == ["x:5:1", "x:6:1", "x:7:1"]
    assert len(set(table["text"])) == 3
    for text in table["text"]:
        first, link, *others, number, last = text.split()
        assert (first, link, number, last[-1]) == ("Etxea", "han", "12", ".")
        assert {*others, last[:-1]} <= set(WORDS)


def test_a_synthetic_dump_is_drawn_by_its_name(tmp_path, pages):
    drawn = []
    for name in ("a", "a", "b"):
        pages.write(tmp_path / "a.xml", 4000, name)
        drawn.append((tmp_path / "a.xml").read_bytes())
    assert drawn[0] == drawn[1] != drawn[2]


def test_deduplication_leaves_a_synthetic_dump(tmp_path, pages):
    pages.write(tmp_path / "a.xml", 4000, "a")
    extract(tmp_path / "a.xml", tmp_path)
    out = [tmp_path / name for name in ("all.parquet", "counts.tsv", "drops.tsv")]
    build_corpus([tmp_path / "s.parquet"], *out)
    steps = {row["step"]: row["count"] for row in read_tsv(out[1])}
    assert steps["sentences"] == steps["x: sentences"]


def test_a_disk_that_fills_amid_a_dump_is_one_line_and_leaves_nothing(tmp_path, pages, monkeypatch):
    monkeypatch.setattr(tables, "ROW_GROUP", 100)  # written while most of the dump is to come
    dump, out = tmp_path / "a.xml", tmp_path / "out"
    out.mkdir()
    pages.write(dump, 200_000, "a")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))  # as full as a disk of 4 kB
    try:
        with pytest.raises(OSError) as error:
            extract(dump, out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert error.value.errno == errno.EFBIG
    line = "larger than a file may be; expected a higher limit (ulimit -f)"
    assert str(expected_failure(error.value)) == f"{out / 's.parquet'}: {line}"
    assert list(out.iterdir()) == []


@pytest.mark.parametrize(("power", "expected"), [(1, 1), (1.1, 1.1), (0, 0)])
def test_the_exponent_of_costs(power, expected):
    costs = {size: 3 * size**power for size in (20, 200, 2000)}
    assert sizes.exponent(costs) == pytest.approx(expected)


def test_growth_compares_the_sizes_that_were_measured():
    rows = [
        {"item": f"extraction, {size} MB", "value": rate, "unit": "MB of XML/CPU-s", "peak_mb": mb}
        for size, rate, mb in ((20, "5", "200"), (2000, "5.0", "210"))
    ]
    rows += [{"item": "analysis, 20 MB", "value": "1", "unit": "MB of XML/CPU-s", "peak_mb": "9"}]
    rows += [{"item": "extraction, 20 MB: kept", "value": "1", "unit": "share", "peak_mb": ""}]
    (row,) = sizes.growth_rows(rows)
    assert row["item"] == "extraction: exponent of time over size, 20 to 2000 MB"
    assert (row["value"], row["peak_mb"]) == (1.0, 210)
    assert row["peer"] == "goal: under 1.05; memory at 20 MB, 200"
