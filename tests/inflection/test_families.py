"""Every file of the folder of systems is a family, and plans can read it."""

import subprocess
import sys
from typing import get_args

import pytest

from kasu.inflection.families import FAMILIES
from kasu.transduction.members.families import MemberCount
from kasu.transduction.members.joined import JoinedFamily


@pytest.mark.parametrize("name", FAMILIES.names)
def test_every_file_of_the_folder_is_a_family(name):
    family = FAMILIES.load(name)
    assert family.submissions
    assert set(family.members) <= {"low", "medium", "high"}
    if not isinstance(family, JoinedFamily):  # whose `members` are families
        assert {count for count in family.members.values() if count} <= set(get_args(MemberCount))
    assert family.name == name


READ = """
import sys, kasu.settings
from kasu.cloze.families import FAMILIES as CLOZE
from kasu.inflection.families import FAMILIES
for families in (FAMILIES, CLOZE):
    print(*(families.load(name).name for name in families.names))
sys.exit("torch" in sys.modules)
"""


def test_plans_read_every_family_without_torch():
    done = subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stdout.split())) == (0, 36), done.stderr
