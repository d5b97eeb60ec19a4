"""The registry, and the sources of entries of the config."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.sources.registry import (
    COLUMNS,
    Source,
    each_once,
    fill,
    mirror_folders,
    read_registry,
    resolve,
    slug_of,
    undated,
)

DOWNLOADS = Path("downloads")
DUMP = Source(
    "{wiki}-{date}",
    "wikipedia/{wiki}/{wiki}-{date}.xml.bz2",
    "https://dumps.example/{wiki}/{date}/{wiki}-{date}.xml.bz2",
    checksums="https://dumps.example/{wiki}/{date}/{wiki}-{date}-sha1sums.txt",
    citation="dump of {wiki}, {date}",
)
LINES = Source("wikipedia/eu/commonvoice_wiki.eu.txt", "wikipedia/eu/commonvoice_wiki.eu.txt")
REGISTRY = {source.name: source for source in (DUMP, LINES)}


def write_registry(folder: Path, *rows: dict[str, str]) -> Path:
    path = folder / "sources.tsv"
    lines = ["\t".join(COLUMNS), *("\t".join(row.get(c, "") for c in COLUMNS) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_reads_a_line(tmp_path):
    sha256 = "ab" * 32
    row = {"name": "n", "path": "a/b.txt", "url": "https://h/b", "bytes": "12", "sha256": sha256}
    registry = read_registry(write_registry(tmp_path, row))
    assert registry == {"n": Source("n", "a/b.txt", "https://h/b", 12, sha256)}


def test_an_unknown_size_is_none(tmp_path):
    registry = read_registry(write_registry(tmp_path, {"name": "n", "path": "a"}))
    assert registry["n"].bytes is None


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("name", "two words"),
        ("path", "../outside"),
        ("path", "a/../../outside"),
        ("path", "/etc/passwd"),
        ("path", "a//b"),
        ("path", "a\\b"),
        ("path", ""),
        ("url", "file:///etc/passwd"),
        ("url", "ftp://h/b"),
        ("url", "https:///b"),
        ("url", "https://user:word@h/b"),
        ("url", "https://h:port/b"),
        ("bytes", "-1"),
        ("bytes", "1e3"),
        ("sha256", "abc"),
        ("sha256", "G" * 64),
        ("checksums", "sums.txt"),
        ("path", "{wiki}.txt"),
    ],
)
def test_names_file_line_and_column_of_a_bad_cell(tmp_path, column, cell):
    good = {"name": "first", "path": "first"}
    path = write_registry(tmp_path, good, {"name": "n", "path": "p", column: cell})
    with pytest.raises(KasuError, match=f"^{re.escape(str(path))}:3: .*column {column}"):
        read_registry(path)


@pytest.mark.parametrize("column", ["name", "path"])
def test_refuses_a_name_or_a_path_twice(tmp_path, column):
    rows = [{"name": "a", "path": "a"}, {"name": "b", "path": "b"}]
    rows[1][column] = "a"
    with pytest.raises(KasuError, match=rf"sources.tsv:3: column {column}: a"):
        read_registry(write_registry(tmp_path, *rows))


def test_a_registered_name_lies_under_the_downloads():
    entry = resolve("wikipedia/eu/commonvoice_wiki.eu.txt", REGISTRY, DOWNLOADS)
    assert entry.file == Path("downloads/wikipedia/eu/commonvoice_wiki.eu.txt")
    assert entry.slug == "eu.commonvoice_wiki.eu"
    assert entry.source is LINES


def test_a_dump_is_named_by_wiki_and_date():
    entry = resolve("euwiki-20240601", REGISTRY, DOWNLOADS)
    assert entry.slug == "euwiki-20240601"
    assert entry.source == Source(
        "euwiki-20240601",
        "wikipedia/euwiki/euwiki-20240601.xml.bz2",
        "https://dumps.example/euwiki/20240601/euwiki-20240601.xml.bz2",
        checksums="https://dumps.example/euwiki/20240601/euwiki-20240601-sha1sums.txt",
        citation="dump of euwiki, 20240601",
    )


@pytest.mark.parametrize(
    "entry", ["euwiki-2024", "EUwiki-20240601", "../euwiki-20240601", "euwiki-202406011"]
)
def test_a_dump_needs_a_wiki_and_a_whole_date(entry):
    with pytest.raises(KasuError, match=r"no such source.*\{wiki\}-\{date\}"):
        resolve(entry, REGISTRY, DOWNLOADS)


def test_the_latest_dump_has_an_open_date():
    source = undated("euwiki-latest", REGISTRY)
    assert (source.name, source.path) == (
        "euwiki-{date}",
        "wikipedia/euwiki/euwiki-{date}.xml.bz2",
    )
    assert (
        fill(source, {"date": "20240601"}) == resolve("euwiki-20240601", REGISTRY, DOWNLOADS).source
    )


@pytest.mark.parametrize("entry", ["euwiki-20240601", "latest", "a/euwiki-latest", "{wiki}-latest"])
def test_only_a_wiki_has_a_latest_dump(entry):
    assert undated(entry, REGISTRY) is None


def test_a_registered_name_may_end_in_latest():
    assert undated("lists-latest", {"lists-latest": LINES} | REGISTRY) is None


def test_a_template_that_a_name_almost_fits_is_named_once():
    with pytest.raises(KasuError, match=r"a name of the registry \(\{wiki\}-\{date\}\), an"):
        resolve("eu{wiki}-latest", REGISTRY, DOWNLOADS)


def test_a_template_is_not_itself_a_source():
    with pytest.raises(KasuError, match="no such source"):
        resolve("{wiki}-{date}", REGISTRY, DOWNLOADS)


def test_a_local_file_need_not_be_registered(tmp_path):
    file = tmp_path / "Nire testua.TXT.xz"
    file.touch()
    entry = resolve(str(file), REGISTRY, DOWNLOADS)
    assert (entry.slug, entry.file, entry.source) == ("nire-testua", file, None)


def test_a_name_without_latin_letters_has_a_slug(tmp_path):
    file = tmp_path / "ტექსტი.txt"
    file.touch()
    assert re.fullmatch("[0-9a-f]{8}", resolve(str(file), REGISTRY, DOWNLOADS).slug)


def test_an_address_need_not_be_registered():
    entry = resolve("https://Host.example:8080/dir/eu.txt.gz", REGISTRY, DOWNLOADS)
    assert entry.file == Path("downloads/url/host.example_8080/dir/eu.txt.gz")
    assert entry.slug == "host.example-8080.dir.eu"
    assert entry.source.url == "https://Host.example:8080/dir/eu.txt.gz"


def test_addresses_with_different_queries_have_different_paths():
    paths = {resolve(f"https://h/get?id={n}", REGISTRY, DOWNLOADS).file for n in range(3)}
    assert len(paths) == 3


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_no_address_leaves_the_downloads(text):
    try:
        entry = resolve("http://h/" + text, {}, DOWNLOADS)
    except KasuError:
        return
    assert entry.file.parts[:3] == ("downloads", "url", "h")
    assert ".." not in entry.file.parts
    assert re.fullmatch("[a-z0-9_.-]+", entry.slug)


def test_an_unknown_entry_names_the_nearest():
    with pytest.raises(KasuError, match=r"commonvoice.*no such source.*wikipedia/eu/commonvoice_w"):
        resolve("wikipedia/commonvoice_wiki.eu", REGISTRY, DOWNLOADS)


@pytest.mark.parametrize("file", ["A b.conllu.gz", "there/a-b.conllu", "results/a-b.parquet"])
def test_a_file_and_what_is_made_of_it_have_one_name(file):
    assert slug_of(file) == "a-b"


def test_an_item_may_be_repeated():
    items = [("corpus a: x.txt", "x", 1), ("corpus a: y.txt", "y", 2), ("corpus b: x.txt", "x", 1)]
    assert each_once(items) == {"x": 1, "y": 2}


def test_two_items_with_the_same_name_are_both_reported():
    with pytest.raises(KasuError) as error:
        each_once([("corpus a: 1/x.txt", "x", 1), ("corpus b: 2/x.txt", "x", 2)])
    assert str(error.value) == (
        "corpus b: 2/x.txt: would be written to 'x', like corpus a: 1/x.txt, but differs from it;"
        " expected a name of its own"
    )


def test_a_fetch_does_not_depend_on_wording():
    facts = Source("n", "p", licence="CC0", citation="c").facts()
    assert facts == {
        "name": "n", "path": "p", "url": "", "bytes": None, "sha256": "", "checksums": ""
    }  # fmt: skip
    assert Source(**facts) == Source("n", "p")


def test_mirrors_are_a_folder_or_a_list():
    assert mirror_folders({}) == mirror_folders({"mirror": []}) == []
    assert mirror_folders({"mirror": "a/b"}) == [Path("a/b")]
    assert mirror_folders({"mirror": ["a", "b"]}) == [Path("a"), Path("b")]
