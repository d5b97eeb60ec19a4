"""Where the datasets of the config's section `inflection` come from."""

from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from kasu.config.settings import Count, LanguageCode, NotNegative, Reference, Section, Slug
from kasu.transduction.task.settings import SplitSettings


class LanguageSettings(Section):
    """A dataset of your own, made from paradigms and word counts, or split already."""

    model_config = ConfigDict(
        title="a name, all, available, a path, or name and paradigms or splits"
    )

    name: Slug = Field(description="A name for the dataset.", examples=["basque-made"])
    language: LanguageCode | None = Field(
        default=None,
        description=(
            "Its language: a code of two letters where there is one. The card states it, and "
            "Turkish, Azerbaijani and Lithuanian have rules of their own for upper and lower case. "
            "`mis` stands for a language without a code. By default that of the released language "
            "of the same name, else `und`, undetermined."
        ),
        examples=["eu"],
    )
    paradigms: Reference | None = Field(
        default=None,
        description="A file of paradigms in the columns of UniMorph: lemma, form, features.",
        examples=["unimorph/eus/eus"],
    )
    splits: SplitSettings | None = Field(
        default=None,
        description="Files in the same columns, one per split, instead of paradigms.",
        examples=[{"low": "mine/train.tsv", "dev": "mine/dev.tsv", "test": "mine/test.tsv"}],
    )
    frequencies: Reference | None = Field(
        default=None,
        description=(
            "A list of word counts, which must hold 1 % of the forms of one word or more. Frequent "
            "forms are then drawn more often. A line has a word and its count in either order, "
            "perhaps with a running number."
        ),
        examples=["wikipedia/freq_unilex/eu.txt"],
    )
    corpus: Slug | None = Field(
        default=None,
        description="One of `corpora`, whose words are counted instead.",
        examples=["basque"],
    )

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        counts = [each for each in (self.frequencies, self.corpus) if each is not None]
        if (self.paradigms is None) == (self.splits is None):
            raise ValueError
        if len(counts) > (self.splits is None):
            raise ValueError
        return self


class SamplingSettings(Section):
    """How datasets are made from paradigms and word counts (§3.1)."""

    model_config = ConfigDict(title="resolution, em and smoothing")

    resolution: Literal["neural", "uniform"] = Field(
        default="neural",
        description=(
            "How the count of a form is divided among its readings: by a neural model (Cotterell "
            "et al. 2018b), or evenly."
        ),
    )
    em: Count = Field(
        default=0,
        description=(
            "Rounds of EM in which ambiguous forms join the training data of the neural model."
        ),
    )
    smoothing: NotNegative = Field(
        default=0,
        description=(
            "Tokens added to the count of each triple. With 0 a triple without a token is drawn "
            "only if no other is left."
        ),
    )


class WordCountSettings(Section):
    """Word counts of a released language."""

    model_config = ConfigDict(title="language and source")

    language: Slug = Field(description="A released language.", examples=["basque"])
    source: Reference = Field(
        description="A list of word counts.", examples=["wikipedia/freq_unilex/eu.txt"]
    )
