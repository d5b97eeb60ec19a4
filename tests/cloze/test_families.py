"""Every file of the folder of systems is a family of the task."""

from typing import get_args

import pytest

from kasu.cloze.data.names import SETTINGS
from kasu.cloze.families import FAMILIES
from kasu.transduction.members.families import MemberCount


def test_the_systems():
    assert FAMILIES.names == (
        "bme_has", "copenhagen", "copy", "cuboulder_1", "cuboulder_2", "frequent",
        "neural_baseline", "nyu", "uzh",
    )  # fmt: skip


@pytest.mark.parametrize("name", FAMILIES.names)
def test_every_file_of_the_folder_is_a_family(name):
    family = FAMILIES.load(name)
    assert family.submissions
    assert set(family.members) <= set(SETTINGS)
    assert {count for count in family.members.values() if count} <= set(get_args(MemberCount))
    assert family.name == name
