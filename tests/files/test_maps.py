"""How deep a YAML file may be."""

import pytest

from kasu.base.errors import KasuError
from kasu.files.maps import DEEPEST, read_map


def flow(depth):
    return "a: " + "[" * (depth - 1) + "]" * (depth - 1)


def block(depth):
    return "".join(f"{' ' * level}a:\n" for level in range(depth - 1)) + " " * (depth - 1) + "a: 1"


@pytest.mark.parametrize("text", [flow, block])
def test_a_file_may_be_as_deep_as_that(tmp_path, text):
    (tmp_path / "m.yaml").write_text(text(DEEPEST))
    assert set(read_map(tmp_path / "m.yaml")) == {"a"}


@pytest.mark.parametrize("depth", [DEEPEST + 1, 100_000])
def test_a_deeper_one_is_refused(tmp_path, depth):
    (tmp_path / "m.yaml").write_text(flow(depth))
    with pytest.raises(KasuError, match=r"m\.yaml: nested too deeply; expected YAML"):
        read_map(tmp_path / "m.yaml")
