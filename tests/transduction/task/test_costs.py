"""What a grid will cost: members times what one cost when it was measured."""

from types import SimpleNamespace

import pytest

from kasu.base.errors import KasuError
from kasu.cloze.families import FAMILIES as CLOZE_FAMILIES
from kasu.files.tables import write_tsv
from kasu.inflection.families import FAMILIES
from kasu.transduction.members.families import Run
from kasu.transduction.task.costs import announce_cost

COLUMNS = ("system", "setting", "cpu_seconds")


@pytest.fixture
def measured(tmp_path):
    rows = [
        ("iitbhu-iiith-01", "low", "100"),
        ("iitbhu-iiith-01", "low", "140"),
        ("iitbhu-iiith-01", "low", ""),
        ("iitbhu-iiith-01", "medium", "900"),
        ("uzh", "low", "60"),
    ]
    path = tmp_path / "inflection.tsv"
    write_tsv(path, (dict(zip(COLUMNS, row, strict=True)) for row in rows), COLUMNS)
    return tmp_path


def grid(**members):
    """Languages by family and setting, each with three members."""
    cells = {
        tuple(key.rsplit("_", 1)): {
            f"l{n}": [Run(None, s) for s in (1, 2, 3)] for n in range(count)
        }
        for key, count in members.items()
    }
    return SimpleNamespace(
        systems=FAMILIES,
        settings=("low", "medium", "high"),
        families=list(dict.fromkeys(family for family, _ in cells)),
        members=lambda family, setting: cells.get((family, setting), {}),
    )


def test_members_times_their_mean(measured):
    planned = grid(iitbhu_low=20, uzh_low=10, racai_high=1)
    # 60 of 120 seconds and 30 of 60
    assert announce_cost("inflection", planned, measured) == [
        "inflection: the members of the grid cost about 2.5 CPU hours (iitbhu low: 60 of 120 s; "
        "uzh low: 30 of 60 s; racai high: 3 not measured)"
    ]


def test_each_study_has_measured_its_own_systems(tmp_path):
    row = dict(zip(COLUMNS, ("copenhagen-single", "track1-low", "7200"), strict=True))
    write_tsv(tmp_path / "cloze.tsv", [row], COLUMNS)
    planned = grid(copenhagen_low=1)
    planned.systems, planned.settings = CLOZE_FAMILIES, ("track1-low",)
    planned.members = lambda family, setting: {"de": [Run("paper", 1)]}
    assert announce_cost("inflection", planned, tmp_path) == []
    assert announce_cost("cloze", planned, tmp_path) == [
        "cloze: the members of the grid cost about 2.0 CPU hours (copenhagen track1-low: 1 of "
        "7200 s)"
    ]


def test_nothing_is_said_of_less_than_an_hour(measured, tmp_path):
    assert announce_cost("inflection", grid(iitbhu_low=9, iitbhu_medium=0), measured) == []
    assert announce_cost("inflection", grid(iitbhu_low=10), measured) != []
    assert announce_cost("inflection", grid(iitbhu_low=900), tmp_path / "absent") == []


def test_a_damaged_table_is_one_line(measured):
    (measured / "inflection.tsv").write_text("system\tsetting\n")
    with pytest.raises(KasuError, match="no column 'cpu_seconds'"):
        announce_cost("inflection", grid(iitbhu_low=1), measured)
