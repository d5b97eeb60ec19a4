"""The map of systems is what files and record say."""

import ast

import pytest
from parts import PARTS, difference
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


def test_what_a_vote_adds_is_paired_by_language_and_set_beside_print():
    vote = next(part for part in PARTS if part.one[0] == "iitbhu-iiith-02")
    found = difference(vote)
    assert found.languages == 12
    assert round(found.value, 1) == 2.9
    assert found.low < found.value < found.high
    # 46.3 and 43.5 in docs/findings.md
    assert round(found.printed, 1) == 2.8


def test_systems_that_were_published_twice_are_compared_by_their_reruns():
    models = next(part for part in PARTS if part.one[0] == "msu-03")
    # 4.7 points below, before a bug was mended
    assert round(difference(models).printed, 1) == -0.2


def test_of_what_did_not_run_nothing_is_said():
    part = PARTS[0]._replace(setting="high")
    assert difference(part) is None
