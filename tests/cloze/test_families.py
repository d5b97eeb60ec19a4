"""Every file of the folder of systems is a family of the task."""

from pathlib import Path
from typing import get_args

import pytest

from kasu.cloze.data.names import COPY, SETTINGS
from kasu.cloze.evaluation.printed import FORMS, ORIGINAL, read_printed
from kasu.cloze.families import FAMILIES
from kasu.transduction.members.families import MemberCount


def test_the_systems():
    assert FAMILIES.names == (
        "bme_has", "copenhagen", "copy", "cuboulder_1", "cuboulder_2", "frequent",
        "neural_baseline", "nyu", "uzh",
    )  # fmt: skip


def test_each_row_of_tables_11_and_12_has_a_system():
    printed = read_printed(Path(__file__).resolve().parents[2] / "resources/published")
    for setting in SETTINGS:
        named = {*printed.means(setting, ORIGINAL)}
        for forms in FORMS:
            named.update(printed.best(setting, forms).values())
        for system in named - {COPY}:
            assert setting in FAMILIES.load(FAMILIES.submissions[system]).members
    assert {*printed.systems} <= FAMILIES.submissions.keys()


@pytest.mark.parametrize("name", FAMILIES.names)
def test_every_file_of_the_folder_is_a_family(name):
    family = FAMILIES.load(name)
    assert family.submissions
    assert set(family.members) <= set(SETTINGS)
    assert {count for count in family.members.values() if count} <= set(get_args(MemberCount))
    assert family.name == name
