"""What a family offers: blocks of members; every file of the folder is a family."""

from pathlib import Path

import pytest

import kasu.inflection.systems
from kasu.inflection.families import blocks, load_family

FAMILIES = [path.stem for path in Path(kasu.inflection.systems.__path__[0]).glob("[a-z]*.py")]


@pytest.mark.parametrize("name", FAMILIES)
def test_every_file_of_the_folder_is_a_family(name):
    family = load_family(name)
    assert family.members("low", {}, [1])
    assert family.SUBMISSIONS


def test_further_members_make_new_blocks_at_the_end():
    names = list("abcdefgh")
    assert blocks(names[:5]) == [("a", "b", "c", "d", "e")]
    assert blocks(names) == [("a", "b", "c", "d", "e"), ("f", "g", "h")]
    assert blocks([]) == []
