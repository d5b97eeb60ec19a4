"""The command `kasu export`: where it writes, and where it does not."""

import pytest

from kasu.cli import main

PAIR = {"sentence_good": "a", "sentence_bad": "b", "licence": "MIT"}


def test_the_folder_is_named_after_dataset_and_form(lines, tmp_path, monkeypatch, capsys):
    lines([PAIR])
    monkeypatch.chdir(tmp_path)
    assert main(["export", "mine.jsonl", "--to", "hub"]) == 0
    assert capsys.readouterr().out == "mine.hub\n"
    assert (tmp_path / "mine.hub/test.parquet").is_file()


def test_a_folder_that_is_not_empty_stays_as_it_is(lines, export, tmp_path):
    kept = tmp_path / "out.hub/kept"
    kept.parent.mkdir()
    kept.write_text("mine")
    out, status, said = export(lines([PAIR]), "hub")
    assert (status, said) == (2, [f"error: {out}: a folder that is not empty; expected a new one"])
    assert [path.name for path in out.iterdir()] == ["kept"]


def test_a_file_stays_as_it_is(lines, export, tmp_path):
    (tmp_path / "out.hub").write_text("mine")
    out, status, said = export(lines([PAIR]), "hub")
    assert (status, said) == (2, [f"error: {out}: a file; expected a new folder"])
    assert out.read_text() == "mine"


def test_a_dataset_is_no_place_for_its_export(build, capsys):
    folder = build({"dev": [{"a": "b"}]})
    assert main(["export", str(folder), "--to", "hub", "--out", str(folder / "x")]) == 2
    assert "in a folder that this command reads" in capsys.readouterr().err
    assert not (folder / "x").exists()


@pytest.mark.parametrize("form", ["hub", "croissant"])
def test_phenomena_are_none_of_a_whole_dataset(lines, export, form):
    out, status, said = export(lines([PAIR]), form, "--by", "type")
    assert (status, len(said)) == (2, 1)
    assert said[0].startswith(f"error: --by: with --to {form}; expected one of blimp, multiblimp")
    assert not out.exists()


def test_a_dataset_in_the_folder_of_its_export_stays(build, tmp_path, capsys):
    folder = build({"dev": [{"a": "b"}]})
    assert main(["export", str(folder), "--to", "hub", "--out", str(tmp_path)]) == 2
    assert f"would be emptied, and {folder} is an input" in capsys.readouterr().err
    assert (folder / "dev.parquet").is_file()
