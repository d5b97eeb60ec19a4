"""The config's section `inflection.ladder`: published outputs by item, beside ours."""

from string import Formatter
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from kasu.config.settings import (
    Count,
    NonEmpty,
    Reference,
    Section,
    Share,
    Slug,
    Some,
    SomeDistinct,
)


class OutputSettings(Section):
    """The published outputs of one system by item, a file per language and seed."""

    model_config = ConfigDict(
        title="system, source with {language}, and perhaps variant, and seeds with {seed} in source"
    )

    system: NonEmpty = Field(description="The system's published name.", examples=["CA-D-E"])
    variant: NonEmpty | None = Field(
        default=None,
        title="text",
        description="The variant of our family that it is; by default none.",
        examples=["explored"],
    )
    source: Reference = Field(
        description=(
            "Files of lemma, form and features. `{language}` and `{seed}` stand for each of these."
        ),
        examples=["sigmorphon2017/outputs/low/CA-D-E/{language}_0_test.tsv"],
    )
    seeds: SomeDistinct[Count] | None = Field(
        default=None,
        title="a list of whole numbers",
        description="The seeds of single models; none for a vote.",
        examples=[[1, 2, 3]],
    )

    @model_validator(mode="after")
    def _has_places(self) -> Self:
        parts = {tuple(part) for _, *part in Formatter().parse(self.source) if part[0] is not None}
        names = ["language", "seed"] if self.seeds else ["language"]
        if parts != {(name, "", None) for name in names}:  # no format, no conversion
            raise ValueError
        return self


class LadderSettings(Section):
    """Published outputs by item, compared with the variants of a family on the same items."""

    model_config = ConfigDict(title="family, setting, languages, order, outputs and margin")

    family: NonEmpty = Field(
        description="One of the grid's systems, which has the variants.", examples=["uzh"]
    )
    setting: Literal["low", "medium", "high"] = Field(description="Size of the training set.")
    languages: dict[Slug, NonEmpty] = Field(
        title="a map of languages and their names in the sources",
        description="Languages of this run, and what `{language}` in a source stands for.",
        examples=[{"albanian-2017": "albanian"}],
    )
    order: Annotated[SomeDistinct[NonEmpty], Field(min_length=2)] = Field(
        title="a list of two variants or more",
        description="Variants from worst to best, as the paper's claim has them.",
        examples=[["static", "explored", "released"]],
    )
    outputs: Some[OutputSettings] = Field(
        title="a list of published systems",
        description="Published systems: votes, and single models with their seeds.",
    )
    margin: Share = Field(
        default=0.02,
        description=(
            "How far two rates of agreement by item may lie apart and still count as equal."
        ),
    )
