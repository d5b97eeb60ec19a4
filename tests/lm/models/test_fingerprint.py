import json

import pytest

from kasu.base.errors import KasuError
from kasu.lm.models.fingerprint import expect_sealed, folder_hash, seal


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


def test_hidden_files_are_not_of_the_model(tmp_path):
    known = write(tmp_path, config="{}")
    assert write(tmp_path, dot_cache="x") == known


def test_an_empty_folder_is_no_model(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(KasuError, match="empty: no file; expected the folder of a model"):
        folder_hash(tmp_path / "empty")


@pytest.mark.parametrize("sealed", ["by its seal", "by its lock"])
def test_a_model_that_has_changed_is_refused(tmp_path, sealed):
    model = tmp_path / "m"
    known = write(model, config="{}", weights="abc")
    if sealed == "by its seal":
        seal(model)
    else:
        (tmp_path / "m.lock").write_text(json.dumps({"sha256": known}))
    expect_sealed(model)
    (model / "weights").write_text("abd")
    with pytest.raises(KasuError, match=r"m: files changed since they were written; expected"):
        expect_sealed(model)


def test_a_model_of_ones_own_has_no_seal(tmp_path):
    write(tmp_path, config="{}")
    expect_sealed(tmp_path)
