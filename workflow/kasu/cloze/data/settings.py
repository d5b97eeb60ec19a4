"""Where the datasets of the config's section `cloze` come from."""

from typing import Self

from pydantic import ConfigDict, Field, model_validator

from kasu.cloze.data.names import Correction, Variant
from kasu.config.settings import Distinct, LanguageCode, Many, Reference, Section, Share, Slug
from kasu.transduction.task.settings import SplitSettings


class UdSplitSettings(Section):
    """The files of a treebank, one per split."""

    model_config = ConfigDict(title="dev, test, and perhaps train")

    train: Reference | None = Field(
        default=None,
        description="Without it there is no training set, and no system runs.",
        examples=["ud/UD_Swedish-LinES/r2.4/sv_lines-ud-train.conllu"],
    )
    dev: Reference = Field(description="All of its candidate sentences become the dev set.")
    test: Reference = Field(description="1,000 candidate sentences become the test set.")


class ClozeLanguageSettings(Section):
    """A dataset of your own: split already, or made from a treebank and paradigms."""

    model_config = ConfigDict(
        title="a name, all, available, or a map with name and splits or treebank"
    )

    name: Slug = Field(description="A name for the dataset.", examples=["basque"])
    splits: SplitSettings | None = Field(
        default=None,
        description=(
            "Files of sentences, one per split: a line of form, lemma and features per token, "
            "separated by tabs, and a blank line after each sentence; `_` stands for what is not "
            "given. In dev and test, words that have a lemma and no features are asked for; "
            "several right forms are separated by slashes."
        ),
        examples=[{"low": "mine/train.tsv", "dev": "mine/dev.tsv", "test": "mine/test.tsv"}],
    )
    treebank: UdSplitSettings | None = Field(
        default=None,
        description=(
            "CoNLL-U files instead. Their features are converted to UniMorph's; words that stand "
            "in `paradigms` are asked for."
        ),
        examples=[{"train": "mine/a.conllu", "dev": "mine/b.conllu", "test": "mine/c.conllu"}],
    )
    language: LanguageCode | None = Field(
        default=None,
        description=(
            "Its language, for the card, which has `und`, undetermined, by default, and for upper "
            "and lower case; of a treebank also for lines of `conversion` on it alone."
        ),
        examples=["sv"],
    )
    paradigms: Many[Reference] = Field(
        default=(),
        title="a list of files",
        description="Paradigms in the columns of UniMorph: lemma, form, features. Read as one.",
        examples=[["unimorph/swe/swe"]],
    )
    features_second: bool = Field(
        default=False,
        description="Whether their columns are lemma, features, form, as in the 2023 shared task.",
    )
    conversion: Reference = Field(
        default="resources/tagsets/ud_unimorph.tsv",
        description="The table that says which tags of UniMorph stand for which features.",
    )
    variant: Variant = Field(
        default="paper",
        description=(
            "Which nouns, verbs and adjectives may be asked for: those whose form, lemma and "
            "features meet a cell (`paper`), or whose form and lemma do, as in the released data "
            "(`released`)."
        ),
    )
    lemmata: Distinct[Correction] = Field(
        default=(),
        title="a list of no_boundaries, lower",
        description=(
            "Corrections of the treebank's lemmata: without the `#` of Finnish compounds, and in "
            "lower case, as the paper did with Russian ones."
        ),
        examples=[["no_boundaries"]],
    )
    least: Share = Field(
        default=0.05,
        description=(
            "Of the inflected words of the treebank (nouns, verbs and adjectives that differ from "
            "their lemma), the paradigms must hold this share, else they are of another language. "
            "A sample of UniMorph holds less than whole paradigms do. 0 admits any."
        ),
    )
    annotations: Many[Reference] = Field(
        default=(),
        title="a list of files",
        description=(
            "Sheets that annotators returned: the plausible forms of the test set. The sheet is "
            "written beside the dataset."
        ),
        examples=[["mine/sheet-anna.tsv", "mine/sheet-ben.tsv"]],
    )
    released: Slug | None = Field(
        default=None,
        description="A released language, whose sentences and targets are looked for.",
        examples=["sv"],
    )
    licence: str = Field(
        default="",
        title="a licence",
        description="The licence of files that `config/sources.tsv` does not list.",
        examples=["CC BY-SA 4.0"],
    )

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if (self.splits is None) == (self.treebank is None):
            raise ValueError
        made = bool(self.paradigms) and self.language is not None
        if made != (self.treebank is not None):
            raise ValueError
        return self
