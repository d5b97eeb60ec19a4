"""The config's section `cloze` (CoNLL-SIGMORPHON 2018 task 2, Cotterell et al. 2018)."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from kasu.cloze.data.names import SETTINGS
from kasu.cloze.data.settings import ClozeLanguageSettings
from kasu.cloze.families import FAMILIES
from kasu.config.settings import Many, Section, Size, Some, SomeDistinct, one_of
from kasu.transduction.fingerprints.settings import FingerprintSettings, fingerprints_field
from kasu.transduction.task.settings import LineSettings, grid_field, packs_field, with_families


class ClozeGridSettings(LineSettings):
    """A line of the grid: members of these systems, in these settings and languages."""

    systems: SomeDistinct[Annotated[str, one_of(FAMILIES.names)]] = Field(
        title="a list of systems",
        description="Systems, each a file of `workflow/kasu/cloze/systems`.",
        examples=[["copy"]],
    )
    settings: SomeDistinct[Annotated[str, one_of(SETTINGS)]] | None = Field(
        default=None,
        title="a list of settings",
        description=(
            "Tracks and sizes of the training set: track 1 shows lemmata and features of the "
            "context, track 2 only its forms; low, medium and high have about 1,000, 10,000 and "
            "100,000 tokens. By default those that the system was submitted for."
        ),
        examples=[["track1-low", "track2-low"]],
    )


class FingerprintTarget(FingerprintSettings):
    """What a right program would show beside a published column, stated before the run."""

    setting: Annotated[str, one_of(SETTINGS)] = Field(
        description="Track and size of the training set.", examples=["track1-low"]
    )


class TaskSettings(Section):
    """From a lemma in a sentence to its form."""

    languages: Some[
        Annotated[
            str | ClozeLanguageSettings,
            Field(title="a name, all, available, or a map with name and splits or treebank"),
        ]
    ] = Field(
        default=("all",),
        title="a list of languages",
        description=(
            "Released languages by their codes; `all`, the seven of them; or `available`, if "
            "`mirror` is set those that it or the downloads hold, else all. Or datasets of your "
            "own: a map with `name` and `splits`, or with `name`, `language`, `treebank` and "
            "`paradigms`."
        ),
        examples=[["de", "sv"]],
    )
    grid: Some[ClozeGridSettings] = grid_field(
        ClozeGridSettings(systems=("copy", "frequent")),
        example={"systems": ["copy"], "settings": ["track1-low"], "languages": ["de"]},
    )
    fingerprints: Many[FingerprintTarget] = fingerprints_field(
        system="uzh", setting="track1-low", margin=0.035
    )
    packs: Size = packs_field(7)


if TYPE_CHECKING:
    ClozeSettings = TaskSettings
else:
    ClozeSettings = with_families(TaskSettings, FAMILIES, "ClozeSettings")
