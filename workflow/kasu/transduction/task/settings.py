"""The settings of members and datasets, alike in all studies that train members."""

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from pydantic import ConfigDict, Field, create_model, model_validator

from kasu.config.settings import NonEmpty, Reference, Section, Slug, SomeDistinct
from kasu.transduction.members.families import Families, MemberCount

S = TypeVar("S", bound=Section)

SIZES = ("low", "medium", "high")
"""The training sets of a language in the shared task; dev and test stay the same."""


def with_families(base: type[S], families: Families, name: str) -> type[S]:
    """Return the settings of a task, with a section for each family that has its own settings."""
    sections = {name: families.load(name).settings for name in families.names}
    fields: dict[str, Any] = {
        name: (section, Field(default=section(), description=section.__doc__))
        for name, section in sections.items()
        if section
    }
    return create_model(name, __base__=base, __doc__=base.__doc__, **fields)


def grid_field(*default: "LineSettings", example: Mapping[str, object]) -> Any:
    """Return the key `grid` of a study's section: lines of its own class."""
    return Field(
        default=default,
        title="a list of lines",
        description=(
            "What to train: the lines add up. More members, a further language, line or system "
            "train nothing anew."
        ),
        examples=[[example]],
    )


def packs_field(default: int) -> Any:
    """Return the key `packs` of a study's section."""
    return Field(
        default=default,
        description=(
            "The languages of each setting are divided into this many packs. One job trains a "
            "system on a pack."
        ),
    )


class LineSettings(Section):
    """A line of the grid: members of these systems, in these settings and languages.

    A study says in a class of its own which systems and settings there are.
    """

    model_config = ConfigDict(title="systems, and perhaps settings, languages, members, variants")

    systems: SomeDistinct[str]
    settings: SomeDistinct[str] | None
    languages: SomeDistinct[NonEmpty] | None = Field(
        default=None,
        title="a list of languages and panels",
        description=(
            "Languages of this run, and names of `panels` where the task has them; by default all "
            "languages. Those that lack a setting are left out of it."
        ),
    )
    members: MemberCount | None = Field(
        default=None,
        description=(
            "How many members to train, which differ in their seed; by default as many as were "
            "submitted, or as its guide says. A system that draws nothing has one."
        ),
    )
    variants: SomeDistinct[NonEmpty] | None = Field(
        default=None,
        title="a list of variants",
        description="Variants of the systems; by default the first of each.",
    )
    options: dict[Slug, bool | int | float | str | None] = Field(
        default={},
        title="a map of keys",
        description=(
            "What differs from the systems' own sections. All lines of a system in a setting "
            "state the same."
        ),
        examples=[{"hidden": 48, "epochs": 12}],
    )


class SplitSettings(Section):
    """Files in the columns of the task, one per split."""

    model_config = ConfigDict(title="dev, test, and one of low, medium, high or more")

    low: Reference | None = Field(default=None, description="A small training set.")
    medium: Reference | None = Field(default=None, description="A larger training set.")
    high: Reference | None = Field(default=None, description="The largest training set.")
    dev: Reference = Field(description="For decisions on training.")
    test: Reference = Field(description="To be answered.")

    @model_validator(mode="after")
    def _has_training_data(self) -> Self:
        if self.low is self.medium is self.high is None:
            raise ValueError
        return self
