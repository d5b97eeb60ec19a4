"""What a line of a study's `grid` says."""

from pydantic import ConfigDict, Field

from kasu.base.settings import NonEmpty, Section, SomeDistinct
from kasu.transduction.members.families import MemberCount


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
            "Languages of this run and names of `panels`; by default all languages. Those that "
            "lack a setting are left out of it."
        ),
        examples=[["p24", "swahili"]],
    )
    members: MemberCount | None = Field(
        default=None,
        description=(
            "How many members to train, which differ in their seed; by default as many as were "
            "submitted. A system that draws nothing has one."
        ),
    )
    variants: SomeDistinct[NonEmpty] | None = Field(
        default=None,
        title="a list of variants",
        description="Variants of the systems; by default the first of each.",
        examples=[["published", "insertion"]],
    )
