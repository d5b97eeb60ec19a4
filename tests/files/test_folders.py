import pytest

from kasu.files.parts import landing_folder


def test_a_folder_lands_whole_in_place_of_another(tmp_path):
    for content in ("one", "two"):
        with landing_folder(tmp_path / "model") as part:
            (part / content).write_text(content)
    assert [path.name for path in (tmp_path / "model").iterdir()] == ["two"]
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_folder_that_fails_leaves_nothing(tmp_path):
    with pytest.raises(RuntimeError), landing_folder(tmp_path / "model") as part:
        (part / "half").write_text("half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
