"""The config's section `pretraining` (Urbizu et al. 2024, BL2MP)."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from kasu.base.errors import KasuError
from kasu.config.settings import (
    Count,
    Many,
    NonEmpty,
    ProperShare,
    Reference,
    Section,
    Seed,
    Share,
    Size,
    Slug,
    Some,
    SomeDistinct,
    check_once,
)
from kasu.lm.models.folders import check_names
from kasu.lm.pretraining.recipes import RECIPES
from kasu.lm.settings import RecipeSettings, Width
from kasu.pretraining.data.names import TWIN, words_of


class PartSettings(Section):
    """A part of the text, and its share of every budget."""

    model_config = ConfigDict(title="name, share and sources")

    name: Slug = Field(description="The name of the part.", examples=["news"])
    share: Share = Field(
        gt=0,
        title="a share above 0, up to 1",
        description="Its share of the words of a budget.",
        examples=[0.75],
    )
    sources: Some[str] = Field(
        title="a list of patterns",
        description=(
            "Patterns of names of sources: the names of their folders under `corpora/`, where `*` "
            "stands for any text. A source belongs to the first part that matches."
        ),
        examples=[["basqueglue_*", "web_*"]],
    )


class BudgetSettings(Section):
    """A budget of words, and how long a model is trained on it."""

    model_config = ConfigDict(title="name, epochs, steps_per_epoch, and words or a corpus")

    name: str = Field(
        pattern="^[0-9]+(k|M)$",
        title="a number of words such as 5M or 200k",
        description="The number of words in thousands or millions, which names models and tables.",
        examples=["1200k"],
    )
    words: Size | None = Field(
        default=None,
        description="Words drawn from the corpus; budgets are nested.",
        examples=[1_200_000],
    )
    corpus: Slug | None = Field(
        default=None,
        description=(
            "In place of `words`: one of `corpora`, taken whole. All budgets and `validation` are "
            "then corpora."
        ),
        examples=["bl2mp-5m"],
    )
    epochs: Size = Field(
        description=(
            "Epochs of training, each of `steps_per_epoch` steps. Checkpoints are taken after 1, "
            "2, 4, … epochs."
        ),
        examples=[8],
    )
    steps_per_epoch: Size = Field(description="Steps of an epoch.", examples=[200])

    @model_validator(mode="after")
    def _words_or_corpus(self) -> Self:
        if (self.words is None) == (self.corpus is None):
            raise ValueError
        said = words_of(self.name)
        if self.words not in (None, said):
            where = f"config pretraining.budgets, {self.name}"
            raise KasuError(where, f"{self.words} words", f"{said}, as its name says")
        return self


class SizeSettings(Section):
    """A size of BERT."""

    model_config = ConfigDict(title="layers and hidden")

    layers: Size = Field(description="Layers, which name the model.", examples=[4])
    hidden: Width = Field(description="Width of the layers.", examples=[256])
    twins: bool = Field(
        default=True,
        description="Whether to train the model on lemmatised text too, if `twins` above is true.",
    )


class TrainingSettings(RecipeSettings):
    """How the models are trained."""

    model_config = ConfigDict(title="a recipe, and what differs from it")

    @model_validator(mode="before")
    @classmethod
    def _fill_in_length(cls, given: Any) -> Any:
        """Take the length from the recipe: text is packed before a recipe is completed."""
        if not isinstance(given, Mapping) or given.get("length") is not None:
            return given
        recipe = given.get("recipe", "short")
        known = isinstance(recipe, str) and recipe in RECIPES
        return {**given, "length": RECIPES[recipe]["length"]} if known else given


class PairsSettings(Section):
    """Minimal pairs in JSON lines."""

    model_config = ConfigDict(title="name and sources")

    name: Slug = Field(description="The name of the pairs.", examples=["bl2mp"])
    sources: Some[Reference] = Field(
        title="a list of registered names, paths or addresses",
        description=(
            "Files with the same pairs: the first that mirrors or downloads hold is read, "
            "otherwise the first."
        ),
        examples=[["papers/bl2mp/bl2mp.jsonl"]],
    )
    fields: dict[str, str] = Field(
        default={},
        title="a map from good, bad, type, level, good_reorder, bad_reorder to a field",
        description=(
            "What the file calls good, bad, type, level, good_reorder and bad_reorder, where its "
            "names differ from BL2MP's."
        ),
        examples=[{"level": "", "good": "sentence_good"}],
    )
    types: dict[str, str] | None = Field(
        default=None,
        title="a map from the types of the file to ours",
        description="New names for the types of the file; a type not listed is an error.",
        examples=[{"E1: Deklinabidea": "E1"}],
    )
    levels: dict[str, str] | None = Field(
        default=None,
        title="a map from the levels of the file to ours",
        description="New names for the levels of the file; a level not listed is an error.",
        examples=[{"A": "A"}],
    )
    segmented: NonEmpty | None = Field(
        default=None,
        title="a name of the variant",
        description=(
            "Says that the file holds the pairs of the first entry, segmented. Only the lemmatised "
            "twins are tested on it, and results are listed under this name."
        ),
        examples=["released segmentation"],
    )

    @property
    def reordered(self) -> bool:
        """Whether the pairs have a second word order."""
        return bool(self.fields.get("good_reorder"))


class PretrainingSettings(Section):
    """BERT on growing amounts of text, its lemmatised twin, and minimal pairs."""

    corpus: Slug | None = Field(
        default=None,
        description=(
            "One of `corpora`, to train models on. Twins need one with an analyser. Without "
            "`corpus` and `budgets` nothing is trained, and the models of `published` are tested."
        ),
        examples=["basque"],
    )
    parts: Some[PartSettings] = Field(
        default=(PartSettings(name="all", share=1, sources=("*",)),),
        title="a list of parts",
        description="Shares of the corpus's sources in every budget.",
    )
    budgets: Many[BudgetSettings] = Field(
        default=(),
        title="a list of budgets",
        description="Amounts of the text of `corpus` to train on, each contained in the next.",
        examples=[[{"name": "300k", "words": 300000, "epochs": 2, "steps_per_epoch": 100}]],
    )
    validation: ProperShare | Slug = Field(
        default=0.05,
        title="a share of the text between 0 and 1, or a corpus",
        description="Share of the text on which no model is trained, or one of `corpora`.",
        examples=["bl2mp-validation"],
    )
    twins: bool = Field(
        default=True, description="Whether to train each model on lemmatised text too."
    )
    split: Literal["paper", "released"] = Field(
        default="paper",
        description=(
            "The words that are split into lemma and suffixes. `paper`: nouns and adjectives. "
            "`released`: also pronouns, determiners, numerals and names."
        ),
    )
    vocabulary: Size = Field(
        default=50_000, description="Pieces that each tokenizer should have. The paper: 50,000."
    )
    fewer_pieces: bool = Field(
        default=True,
        description=(
            "Whether a text too small for that many pieces may have fewer; otherwise it is an "
            "error."
        ),
    )
    models: Some[SizeSettings] = Field(
        default=(SizeSettings(layers=4, hidden=256),),
        title="a list of models",
        description="Sizes of BERT to train on each budget.",
    )
    seeds: SomeDistinct[Seed] = Field(
        default=(1,),
        title="a list of whole numbers, each once",
        description="Each model is trained once per seed.",
    )
    training: TrainingSettings = Field(
        default=TrainingSettings(), description="How the models are trained."
    )
    gpus: Count = Field(
        default=0,
        description=(
            "GPUs of a training job, at most one for each pass of a batch; more than one start "
            "torchrun."
        ),
    )
    pairs: Some[PairsSettings] = Field(
        title="a list of pairs",
        description="Sets of minimal pairs to test the models on. The tables are about the first.",
        examples=[[{"name": "mine", "sources": ["my/pairs.jsonl"]}]],
    )
    published: Many[Reference] = Field(
        default=(),
        title="a list of models or folders",
        description="Models to score on the pairs: names of `models`, or folders.",
        examples=[["mbert", "berteus"]],
    )

    @property
    def has_twins(self) -> bool:
        """Whether texts and pairs are lemmatised, to train and test twins."""
        return self.twins and bool(self.budgets)

    @property
    def idle(self) -> list[str]:
        """The stated keys about training, if nothing is trained."""
        about_scoring = {"corpus", "budgets", "pairs", "published"}
        return [] if self.budgets else sorted(self.model_fields_set - about_scoring)

    @model_validator(mode="after")
    def _some_model_is_scored(self) -> Self:
        """Refuse a corpus without budgets, budgets without a corpus, and no model at all."""
        keys = {"corpus": self.corpus, "budgets": self.budgets}
        stated = [key for key, value in keys.items() if value]
        if len(stated) == 1:
            expected = "`corpus` and `budgets`, or neither to train nothing"
            raise KasuError("config pretraining", f"`{stated[0]}` alone", expected)
        if not (stated or self.published):
            expected = "a model or more, or `corpus` and `budgets` to train models"
            raise KasuError("config pretraining.published", "no model", expected)
        return self

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        """Refuse equal layers, words or sets: tables and claims read them off names."""
        check_once((f"{model.layers} layers" for model in self.models), "pretraining.models")
        words = (f"{words_of(budget.name)} words" for budget in self.budgets)
        check_once(words, "pretraining.budgets")
        check_once((pairs.name for pairs in self.pairs), "pretraining.pairs")
        # Files of scores are named after models
        check_names(self.published, "config pretraining.published")
        return self

    @model_validator(mode="after")
    def _parts_are_a_whole(self) -> Self:
        where = "pretraining.parts"
        check_once((part.name for part in self.parts), where)
        if abs(sum(part.share for part in self.parts) - 1) > 1e-6:
            shares = ", ".join(f"{part.name} {part.share:g}" for part in self.parts)
            raise KasuError(f"config {where}", f"found {shares}", "shares that sum to 1")
        return self

    @model_validator(mode="after")
    def _no_gpu_is_idle(self) -> Self:
        """Refuse more GPUs than a batch has passes: the passes are dealt out to the GPUs."""
        recipe, keys = RECIPES[self.training.recipe], ("tokens_per_batch", "tokens_per_pass")
        batch, at_a_time = (getattr(self.training, key) or recipe[key] for key in keys)
        passes = -(-batch // at_a_time)
        if self.gpus > passes:
            expected = (
                f"at most {passes}, the passes of a batch (tokens_per_batch / tokens_per_pass)"
            )
            raise KasuError("config pretraining.gpus", str(self.gpus), expected)
        return self

    @model_validator(mode="after")
    def _one_second_order(self) -> Self:
        """Refuse two sets with a second word order: Tables 14 to 16 could not tell them apart."""
        reordered = [pairs.name for pairs in self.pairs if pairs.reordered]
        if len(reordered) > 1:
            found = f"second word orders in {', '.join(reordered)}"
            raise KasuError("config pretraining.pairs", found, "one such set")
        return self

    @model_validator(mode="after")
    def _the_first_set_is_the_main_one(self) -> Self:
        """Refuse a first set that is not plain: the tables are about it and its lemmatised twin."""
        main, *others = self.pairs
        for what, so in (("segmented", main.segmented), ("in a second word order", main.reordered)):
            if so:
                found = f"the first set, {main.name}, is {what}"
                raise KasuError("config pretraining.pairs", found, "a plain set before it")
        if any(pairs.name == f"{main.name}{TWIN}" for pairs in others):
            found = f"a set named {main.name}{TWIN}, as the lemmatised {main.name} is"
            raise KasuError("config pretraining.pairs", found, "another name")
        return self

    @model_validator(mode="after")
    def _all_drawn_or_all_corpora(self) -> Self:
        """Refuse whole corpora beside text drawn from the study's corpus: the two may overlap."""
        taken = [budget.corpus is not None for budget in self.budgets]
        taken.append(isinstance(self.validation, str))
        if any(taken) and not all(taken):
            found = "some of budgets and validation are corpora"
            raise KasuError("config pretraining", found, "all or none")
        return self
