"""The config's section `inflection` (CoNLL-SIGMORPHON 2018 task 1, Cotterell et al. 2018)."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from kasu.config.settings import (
    Many,
    NonEmpty,
    Reference,
    Section,
    Size,
    Slug,
    Some,
    SomeDistinct,
    one_of,
)
from kasu.inflection.data.settings import LanguageSettings, SamplingSettings, WordCountSettings
from kasu.inflection.families import FAMILIES
from kasu.inflection.ladder.settings import LadderSettings
from kasu.transduction.fingerprints.settings import FingerprintSettings, fingerprints_field
from kasu.transduction.members.families import Stack
from kasu.transduction.task.settings import LineSettings, grid_field, packs_field, with_families

SYSTEMS = FAMILIES.names
"""The systems of the study: each is a file of the folder `systems`."""


class GridSettings(LineSettings):
    """A line of the grid: members of these systems, in these settings and languages."""

    systems: SomeDistinct[Annotated[str, one_of(SYSTEMS)]] = Field(
        title="a list of systems",
        description="Systems, each a file of `workflow/kasu/inflection/systems`.",
        examples=[["baseline"]],
    )
    settings: SomeDistinct[Literal["low", "medium", "high"]] | None = Field(
        default=None,
        title="a list of low, medium, high",
        description=(
            "Sizes of the training set: 100, 1,000 and 10,000 triples. By default those that the "
            "system was submitted for."
        ),
    )


class FingerprintTarget(FingerprintSettings):
    """What a right program would show beside a published column, stated before the run."""

    setting: Literal["low", "medium", "high"] = Field(description="Size of the training set.")


class TaskSettings(Section):
    """From a lemma and features to the form."""

    languages: Some[
        Annotated[
            Reference | LanguageSettings,
            Field(title="a name, all, available, a path, or name and paradigms or splits"),
        ]
    ] = Field(
        default=("all",),
        title="a list of languages",
        description=(
            "Released languages by name; `all`, the 103 of them; or `available`, if `mirror` "
            "is set those that it or the downloads hold, else all. Or datasets of your own: a file "
            "of paradigms (a path, a registered name or an address), from which forms are drawn "
            "evenly, or a map with `name` and either `paradigms`, perhaps with word counts, or "
            "`splits`."
        ),
        examples=[
            ["basque", {"name": "mine", "paradigms": "unimorph/eus/eus", "corpus": "basque"}]
        ],
    )
    panels: dict[Slug, SomeDistinct[NonEmpty]] = Field(
        default={},
        title="a map of names and lists of languages",
        description="Lists of languages, for the lines of `grid`.",
        examples=[{"mine": ["basque", "georgian"]}],
    )
    grid: Some[GridSettings] = grid_field(
        GridSettings(systems=("baseline",), variants=("published", "insertion")),
        example={"systems": ["baseline"], "settings": ["low"], "languages": ["basque"]},
    )
    fingerprints: Many[FingerprintTarget] = fingerprints_field(
        system="ua-01", setting="low", margin=0, cap=0
    )
    ladder: LadderSettings | None = Field(
        default=None,
        description=(
            "Published outputs by item, compared with variants of a family: whether each step from "
            "one variant to the next helps as published, and whether our members agree with the "
            "published ones item by item."
        ),
    )
    packs: Size = packs_field(12)
    stack: Stack = Field(
        default="auto",
        description=(
            "Whether the networks of a job that share language and variant are trained in one "
            "pass; `auto`: on a GPU. Their forms are those of networks trained one by one, unless "
            "rounding decides."
        ),
    )
    sampling: SamplingSettings = Field(
        default=SamplingSettings(),
        description="How datasets are made from paradigms and word counts (§3.1).",
    )
    frequencies: Many[WordCountSettings] = Field(
        default=(),
        title="a list of word counts",
        description=(
            "Word counts of released languages, to check whether the frequent forms come first in "
            "their training sets."
        ),
        examples=[[{"language": "basque", "source": "wikipedia/freq_unilex/eu.txt"}]],
    )


if TYPE_CHECKING:
    InflectionSettings = TaskSettings
else:
    InflectionSettings = with_families(TaskSettings, FAMILIES, "InflectionSettings")
