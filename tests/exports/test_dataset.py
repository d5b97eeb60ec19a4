"""What a dataset is taken for, and whose licences it has."""

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.exports.dataset import Stated, read_dataset
from kasu.files.seals import seal_of, unseal
from kasu.files.tables import write_parquet, write_text

PAIR = {"sentence_good": "a", "sentence_bad": "b"}
ROW = {"lemma": "go", "form": "went"}
BOTH = "a.conllu (Ane (2020)); b.conllu"


def test_rows_keep_their_licence_and_the_strictest_binds_the_whole(build):
    row = {**ROW, "licence": "CC BY-SA 4.0"}
    folder = build({"train": [row, {**row, "licence": "CC BY-NC-SA 3.0"}], "dev": []})
    dataset = read_dataset(folder, Stated())
    assert (dataset.name, dataset.language) == ("subjects", "en")
    assert dataset.licence == "CC BY-NC-SA 3.0"
    assert dataset.card.splits == ["train"]
    assert dataset.tables["train"].to_pylist() == [
        {**row, "attribution": BOTH},
        {**row, "licence": "CC BY-NC-SA 3.0", "attribution": BOTH},
    ]


def test_rows_without_a_licence_have_that_of_the_whole(build):
    dataset = read_dataset(build({"dev": [ROW]}), Stated())
    assert dataset.tables["dev"].to_pylist() == [
        {**ROW, "licence": "CC BY-NC-SA 3.0", "attribution": BOTH}
    ]


def test_a_file_of_a_dataset_is_that_split(build):
    folder = build({"train": [ROW], "dev": [ROW, ROW]})
    dataset = read_dataset(folder / "dev.parquet", Stated())
    assert (dataset.name, list(dataset.tables)) == ("subjects", ["dev"])
    assert dataset.card.citation == "Us (2026). Sets."


def test_the_user_states_what_a_file_does_not(lines):
    rows = [{**PAIR, "licence": "CC0-1.0"}, {**PAIR, "note": 1, "attribution": "them"}]
    dataset = read_dataset(lines(rows), Stated("CC BY 4.0", "us", "eu"))
    assert (dataset.language, dataset.licence) == ("eu", "CC BY 4.0")
    assert dataset.tables["test"].to_pylist() == [
        {**PAIR, "licence": "CC0-1.0", "note": None, "attribution": "us"},
        {**PAIR, "licence": "CC BY 4.0", "note": 1, "attribution": "them"},
    ]
    assert [source["licence"] for source in dataset.card.sources] == ["CC BY 4.0", "CC0-1.0"]


def test_several_languages_are_mul(build):
    folder = build({"dev": [ROW]})
    card = folder / "README.md"
    card.write_text(card.read_text().replace("- en\n", "- en\n- eu\n"))
    assert read_dataset(folder, Stated()).language == "mul"


@pytest.mark.parametrize(
    ("licence", "stated", "line"),
    [
        (None, None, "mine.jsonl: item 1: no licence; expected one that is known; or state it "
         "with --licence"),
        (" ", None, "mine.jsonl: item 1: no licence; expected one that is known; or state it "
         "with --licence"),
        ("n/a", None, "mine.jsonl: item 1: licence 'n/a'; expected one that is known; or state it "
         "with --licence"),
        ("CC-BY-NC-ND-4.0", None, "mine.jsonl: item 1: CC-BY-NC-ND-4.0 forbids derivatives; "
         "expected a licence that allows another form"),
        (None, "CC BY-ND 4.0", "mine.jsonl: item 1: CC BY-ND 4.0 forbids derivatives; expected a "
         "licence that allows another form"),
        ("cc by nc nd", None, "mine.jsonl: item 1: cc by nc nd forbids derivatives; expected a "
         "licence that allows another form"),
        (None, "unknown", "--licence: 'unknown'; expected a licence"),
        (None, "  ", "--licence: '  '; expected a licence"),
        ("MIT", "CC0-1.0", "mine.jsonl: states its licence, MIT; expected no --licence CC0-1.0"),
    ],
)  # fmt: skip
def test_a_licence_that_forbids_or_is_unknown_is_one_line(lines, licence, stated, line):
    path = lines([{**PAIR, "licence": licence}])
    with pytest.raises(KasuError) as error:
        read_dataset(path, Stated(stated))
    assert str(error.value).removeprefix(f"{path.parent}/") == line


def test_a_source_of_unknown_licence_is_named(build):
    sources = [{"name": "own.txt", "licence": "local file", "citation": ""}]
    folder = build({"dev": [ROW]}, sources)
    with pytest.raises(KasuError, match=r"own.txt: licence 'local file'; expected one"):
        read_dataset(folder, Stated())
    assert read_dataset(folder, Stated("MIT")).licence == "MIT"


@pytest.mark.parametrize("stated", [Stated(attribution="us"), Stated(language="eu")])
def test_what_a_card_states_is_not_stated_again(build, stated):
    with pytest.raises(KasuError, match=r"has a card, which states the (attribution|language)"):
        read_dataset(build({"dev": [ROW]}), stated)


@pytest.mark.parametrize("language", ["Basque", "en-GB", "", "e"])
def test_a_language_that_is_no_code_is_one_line(lines, language):
    with pytest.raises(KasuError) as error:
        read_dataset(lines([PAIR]), Stated("MIT", language=language))
    assert str(error.value) == f"--language: {language!r}; expected an ISO 639 code"


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([{"a": 1}, {"a": "x"}], "values of one type"),
        ([{"a": {"b": 1}}], "values or lists of them"),
    ],
)
def test_cells_that_no_table_holds_are_one_line(lines, rows, line):
    with pytest.raises(KasuError, match=rf"mine.jsonl, a: .*expected {line}"):
        read_dataset(lines(rows), Stated("MIT"))


def test_a_folder_without_a_card_of_kasu_is_one_line(tmp_path):
    (tmp_path / "README.md").write_text("# Mine\n")
    with pytest.raises(KasuError, match="no card of a dataset; expected one that Kasu wrote"):
        read_dataset(tmp_path, Stated())


def test_a_readme_of_another_kind_beside_a_file_is_no_card(lines):
    path = lines([PAIR])
    (path.parent / "README.md").write_text("# Mine\n")
    assert read_dataset(path, Stated("MIT")).name == "mine"


@pytest.mark.parametrize("changed", ["dev.parquet", "README.md"])
@pytest.mark.parametrize("named", ["", "dev.parquet"])
def test_a_dataset_that_has_changed_since_it_was_written_is_refused(build, changed, named):
    folder = build({"dev": [ROW]})
    write_text(seal_of(folder / changed), f"{'0' * 64}  {changed}\n")
    with pytest.raises(KasuError, match=f"{changed}: changed since it was written; expected"):
        read_dataset(folder / named, Stated())
    unseal(folder / changed)  # the user takes it as it is
    assert read_dataset(folder / named, Stated()).tables["dev"]["form"].to_pylist() == ["went"]


@pytest.mark.parametrize("name", ["mine.jsonl", "mine.parquet"])
def test_a_file_that_has_changed_since_it_was_written_is_refused(lines, tmp_path, name):
    if name == "mine.jsonl":
        lines([PAIR])
    else:
        write_parquet(tmp_path / name, [PAIR], pa.Table.from_pylist([PAIR]).schema)
    write_text(seal_of(tmp_path / name), f"{'0' * 64}  {name}\n")
    with pytest.raises(KasuError, match=f"{name}: changed since it was written; expected"):
        read_dataset(tmp_path / name, Stated("CC BY 4.0"))
