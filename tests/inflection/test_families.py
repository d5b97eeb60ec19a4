"""Every file of the folder of systems is a family, and plans can read it."""

import subprocess
import sys
from typing import get_args

import pytest

from kasu.inflection.families import FAMILIES
from kasu.transduction.members.families import MemberCount


@pytest.mark.parametrize("name", FAMILIES.names)
def test_every_file_of_the_folder_is_a_family(name):
    family = FAMILIES.load(name)
    assert family.submissions
    assert set(family.members) <= {"low", "medium", "high"}
    assert {count for count in family.members.values() if count} <= set(get_args(MemberCount))
    assert family.name == name


def test_plans_import_families_without_torch():
    script = "import sys, kasu.settings; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
