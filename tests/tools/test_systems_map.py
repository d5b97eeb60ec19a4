"""The map of systems is what files and record say."""

import ast

import pytest
from systems_map import ROOT, blocks, idea, page, verdicts

from kasu.inflection.families import FAMILIES

FILE = '''"""ua-07: ua-04, which first learns to copy words.

It reads the high set.
"""

from kasu.base.errors import KasuError
from kasu.inflection.systems import ua_04
from kasu.transduction.members.families import alone
from kasu.transduction.networks.training import Recipe


def network():
    from kasu.transduction.layers.copying import Copying
'''


def test_the_committed_map_is_up_to_date():
    assert (ROOT / "docs/systems.md").read_text("utf-8") == page(), "run: make docs"


def test_idea_and_blocks_of_a_file():
    tree = ast.parse(FILE)
    assert idea(tree) == "ua-04, which first learns to copy words"
    assert blocks(tree) == ["copying", "ua_04"]


@pytest.mark.parametrize(
    ("family", "said"),
    [
        ("baseline", "low *agrees*, medium *agrees*, high *agrees*"),
        # No row of the variant that stands for the system: the rows of others have their names
        ("bme_02", ""),
    ],
)
def test_verdicts_are_those_of_the_record(family, said):
    assert verdicts("inflection", FAMILIES.load(family)) == said
