"""What the config says of families."""

import sys
from types import ModuleType

import pytest
from pydantic import Field

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.config.settings import Section, Size
from kasu.transduction.members.families import CustomFamily, Families
from kasu.transduction.task.settings import with_families


class Task(Section):
    """A task."""

    packs: Size = Field(default=7, description="Packs.")


def test_the_settings_of_a_family_are_a_section_of_its_name(monkeypatch):
    class Settings(Section):
        """Sizes of a toy."""

        size: Size = Field(default=100, description="Units.")

    for name, section in {"toy": Settings, "plain": None}.items():
        module = ModuleType(f"toys.{name}")
        module.FAMILY = CustomFamily(
            module.__name__, members={}, submissions={}, settings=section, trained_by=print
        )
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(Families, "names", ("toy", "plain"))
    kind = with_families(Task, Families("toys"), "TaskSettings")
    assert read_settings({}, kind).toy.dump() == {"size": 100}
    assert read_settings({"toy": {"size": 7}, "packs": 3}, kind).toy.size == 7
    with pytest.raises(KasuError, match=r"config toy.size: found 0; expected a whole number of 1"):
        read_settings({"toy": {"size": 0}}, kind)
    with pytest.raises(KasuError, match="unknown key 'plain'"):
        read_settings({"plain": {}}, kind)
    assert kind.model_fields["toy"].description == "Sizes of a toy."
    assert kind.__doc__ == "A task."
