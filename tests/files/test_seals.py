"""Seals of files and folders: what they cover, and what has none."""

import json
import subprocess

import pytest

from kasu.base.errors import KasuError
from kasu.files.seals import (
    expect_fetched,
    expect_sealed,
    expect_unedited,
    folder_hash,
    seal,
    unseal,
    unseal_absent,
)


def write(folder, **files):
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder_hash(folder)


def test_the_hash_is_of_names_and_bytes(tmp_path):
    known = write(tmp_path / "a", config="{}", onnx__model="x")
    assert write(tmp_path / "b", onnx__model="x", config="{}") == known
    assert write(tmp_path / "c", config="{}", model="x") != known
    assert write(tmp_path / "d", config="{}", onnx__model="y") != known
    assert write(tmp_path / "b", more="") != known


def test_hidden_files_are_not_of_a_folder(tmp_path):
    known = write(tmp_path, config="{}")
    assert write(tmp_path, dot_cache="x") == known


def test_an_empty_folder_is_no_model(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(KasuError, match="empty: no file; expected the folder of a model"):
        folder_hash(tmp_path / "empty")


def test_a_file_that_has_changed_is_refused(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("a\n1\n")
    seal(path)
    expect_sealed(path)
    path.write_text("a\n2\n")
    with pytest.raises(KasuError) as error:
        expect_sealed(path)
    assert str(error.value) == (
        f"{path}: changed since it was written; expected the sha256 in {tmp_path}/.a.tsv.sha256; "
        "delete a.tsv to make it again, or its seal to use it as is"
    )
    unseal(path)
    expect_sealed(path)


def test_what_somebody_changed_is_not_made_again(tmp_path):
    sheet = tmp_path / "sheet.tsv"
    expect_unedited(sheet)
    sheet.write_text("form\tfits\n")
    expect_unedited(sheet)
    seal(sheet)
    expect_unedited(sheet)
    sheet.write_text("form\tx\n")
    with pytest.raises(KasuError) as error:
        expect_unedited(sheet)
    assert str(error.value) == (
        f"{sheet}: changed since it was written, and this run would make it again; "
        "expected a copy elsewhere if you need it, and no sheet.tsv here"
    )
    sheet.unlink()
    expect_unedited(sheet)


def test_a_folder_that_was_emptied_may_be_made(tmp_path):
    write(tmp_path, config="{}", weights="abc")
    seal(tmp_path)
    for path in tmp_path.glob("[!.]*"):
        path.unlink()
    expect_unedited(tmp_path)


@pytest.mark.parametrize("change", ["weights", "another", "no weights"])
def test_a_folder_that_has_changed_is_refused(tmp_path, change):
    write(tmp_path, config="{}", weights="abc")
    seal(tmp_path)
    expect_sealed(tmp_path)
    if change == "no weights":
        (tmp_path / "weights").unlink()
    else:
        (tmp_path / change).write_text("abd")
    with pytest.raises(KasuError, match="changed since it was written"):
        expect_sealed(tmp_path)


@pytest.mark.parametrize("damage", [b"", b"\xff", b"0" * 64])
def test_a_damaged_seal_fits_nothing(tmp_path, damage):
    path = tmp_path / "a.tsv"
    path.touch()
    (tmp_path / ".a.tsv.sha256").write_bytes(damage)
    with pytest.raises(KasuError, match="changed since it was written"):
        expect_sealed(path)


def test_what_has_no_seal_is_read_as_it_is(tmp_path):
    write(tmp_path, config="{}")
    expect_sealed(tmp_path)
    expect_sealed(tmp_path / "config")
    unseal(tmp_path / "config")


def test_a_seal_without_its_file_says_nothing(tmp_path):
    (tmp_path / "a.tsv").touch()
    seal(tmp_path / "a.tsv")
    (tmp_path / "a.tsv").unlink()
    expect_sealed(tmp_path / "a.tsv")


def test_seals_go_with_their_files(tmp_path):
    kept, gone, folder = (tmp_path / name for name in ("a.tsv", "b/state.safetensors", "model"))
    for path in (kept, gone, folder / "config.json"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    for path in (kept, gone, folder):
        seal(path)
    gone.unlink()
    unseal_absent(tmp_path)
    marks = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.sha256")}
    assert marks == {".a.tsv.sha256", "model/.sha256"}


def test_sha256sum_reads_the_seal_of_a_file(tmp_path):
    (tmp_path / "a.tsv").write_text("a\n")
    seal(tmp_path / "a.tsv")
    command = ["sha256sum", "-c", ".a.tsv.sha256"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "a.tsv: OK\n"


def test_a_fetched_folder_that_has_changed_is_refused(tmp_path):
    known = write(tmp_path / "m", config="{}", weights="abc")
    (tmp_path / "m.lock").write_text(json.dumps({"sha256": known}))
    expect_fetched(tmp_path / "m")
    (tmp_path / "m" / "weights").write_text("abd")
    with pytest.raises(KasuError, match=r"m: files changed since they were fetched; expected"):
        expect_fetched(tmp_path / "m")
    expect_fetched(tmp_path)
