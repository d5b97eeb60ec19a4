"""The config's statements on systems that stand beside published ones, made before they run."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, WrapValidator

from kasu.config.settings import (
    Distinct,
    NonEmpty,
    NullCounts,
    Section,
    Share,
    SomeDistinct,
    as_written,
)

ShareOrNull = Annotated[Share | None, NullCounts(), Field(title="a share from 0 to 1, or null")]
Points = Annotated[
    float, Field(ge=-1, le=1, title="a difference of shares"), WrapValidator(as_written)
]


def fingerprints_field(**example: object) -> Any:
    """Return the key `fingerprints` of a study's section, with an example."""
    return Field(
        default=(),
        title="a list of comparisons",
        description=(
            "Systems to compare with published ones language by language, with bounds. What is not "
            "listed is compared under the default bounds."
        ),
        examples=[[example]],
    )


class FingerprintSettings(Section):
    """What a right program would show beside a published column, stated before the run.

    A study says in a class of its own which settings there are.
    """

    model_config = ConfigDict(title="system, setting, and perhaps languages and bounds")

    system: NonEmpty = Field(
        description="A submission of one of the grid's systems.", examples=["uzh"]
    )
    setting: str
    split: Literal["test", "dev"] = Field(
        default="test",
        description="What accuracies are of. On dev only members alone have any.",
    )
    column: NonEmpty | None = Field(
        default=None,
        description=(
            "The published submission to compare it with, or `rerun` and a name: what the team "
            "published afterwards. By default the submission of its name. On dev, `dev` and such a "
            "name, perhaps with a part of the system: `dev waseda-01 holistic`."
        ),
    )
    variant: NonEmpty | None = Field(
        default=None, description="A variant of the system; by default its first."
    )
    languages: SomeDistinct[NonEmpty] | None = Field(
        default=None,
        title="a list of languages and panels",
        description=(
            "Languages of this run, and names of `panels` where the task has them; by default all "
            "that both have."
        ),
    )
    excluded: Distinct[NonEmpty] = Field(
        default=(),
        title="a list of languages",
        description="Languages whose published figures rest on other data.",
    )
    expected: Points = Field(
        default=0.0,
        description="The difference of the means (ours minus published) that is expected.",
        examples=[-0.032],
    )
    margin: ShareOrNull = Field(
        default=None,
        description=(
            "How far from `expected` the interval may reach; 0.02 by default. With null, the paper "
            "leaves too much open for more than *agrees in kind*."
        ),
        examples=[0.035],
    )
    cap: ShareOrNull = Field(
        default=None,
        description=(
            "The largest standard deviation of the differences by language; by default 0.04 at "
            "low, 0.03 at medium, 0.02 at high. A larger one that the system's own seeds may make "
            "is *uninformative*. Null is no cap."
        ),
    )
    why: str = Field(
        default="", description="What is known of a difference.", examples=["1 member, no vote"]
    )
