"""The config's section `blm` (An et al. 2023, BLM-AgrF)."""

from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from kasu.base.errors import KasuError
from kasu.config.settings import (
    LanguageCode,
    Positive,
    ProperShare,
    Reference,
    Section,
    Seed,
    Size,
    SizeOrNull,
    Slug,
    Some,
    SomeDistinct,
    Threads,
    check_once,
)

Pooling = Literal["auto", "cls", "mean"]
Regime = Literal["allTrain", "sameTrain", "bySeed"]


class EncodingSettings(Section):
    """How an encoder makes a vector of a sentence."""

    model_config = ConfigDict(title="layer, pooling, tokens_per_batch and threads")

    layer: int = Field(
        default=-1, title="a whole number", description="The layer that is read; -1 is the last."
    )
    pooling: Pooling = Field(
        default="auto",
        description=(
            "`cls`: the vector of the first token, as in the paper. `mean`: the mean of all "
            "tokens, better where the training of the encoder gave the first token no meaning. "
            "`auto`: as the makers of a sentence encoder say (`modules.json`), or else `cls`, or "
            "`mean` of a causal model, whose first token sees no other."
        ),
    )
    tokens_per_batch: Size = Field(default=4096, description="Tokens per batch.")
    threads: Threads = Field(default=1, description="Threads of the encoding job.")


class VariantSettings(Section):
    """A row of the tables."""

    model_config = ConfigDict(
        title="name, answers, sizes, loss, score, epochs, pooling and regimes"
    )

    name: Slug = Field(description="The name of the variant.", examples=["released"])
    answers: Literal["paper", "released"] = Field(description="Answer sets, one of `variant`.")
    sizes: Literal["paper", "released"] = Field(
        description="Sizes of the FFNN: those of the authors' code, or those of the paper."
    )
    loss: Literal["dot", "cosine"] = Field(description="The similarity that training maximises.")
    score: Literal["dot", "cosine"] = Field(
        description="The similarity by which an answer is chosen."
    )
    epochs: Size = Field(
        default=50,
        description="The most epochs: 50 in the paper, 100 in the authors' code (BLM-15).",
    )
    pooling: Pooling | None = Field(
        default=None,
        title="auto, cls, mean or null",
        description="The pooling of its sentence vectors; null: that of `encoding`.",
    )
    regimes: SomeDistinct[Regime] | None = Field(
        default=None,
        title="a list of allTrain, sameTrain, bySeed, or null",
        description="Its training sets; null: all of `blm.regimes`.",
    )


class TrainingSettings(Section):
    """The networks' training."""

    variants: Some[VariantSettings] = Field(
        default=(
            VariantSettings(
                name="released",
                answers="released",
                sizes="released",
                loss="dot",
                score="dot",
                epochs=100,
            ),
            VariantSettings(
                name="paper", answers="paper", sizes="paper", loss="cosine", score="cosine"
            ),
        ),
        title="a list of variants",
        description=(
            "The rows of the tables: answer sets, sizes of the FFNN, loss, decision and epochs."
        ),
    )
    batch_size: Size = Field(default=100, description="Problems per batch.")
    patience: Size = Field(
        default=100,
        description="Training ends after this many epochs without a better validation loss.",
    )
    max_steps: SizeOrNull = Field(
        default=None,
        description="The most steps of each network, the same for all; null sets no limit.",
    )
    learning_rate: Positive = Field(default=0.001, description="Learning rate of Adam.")
    threads: Threads = Field(default=1, description="Threads of a training job.")
    checkpoint_every: Positive = Field(
        default=60, description="Seconds between the states from which a killed run resumes."
    )

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        check_once((variant.name for variant in self.variants), "blm.training.variants")
        return self


class BlmSettings(Section):
    """Seven sentences of a matrix, and six candidates for the eighth."""

    seeds: Reference = Field(
        default="resources/seeds/fra.tsv",
        description=(
            "The seeds, in the columns of `resources/seeds/fra.tsv` or of the authors' file."
        ),
        examples=["papers/blm-agrf/seeds_FR_fragments.csv"],
    )
    lexicon: Reference = Field(
        default="resources/seeds/fra.lexicon.tsv",
        description="Which words may stand in for which.",
    )
    language: LanguageCode = Field(
        default="fr",
        description="The language of the seeds, for the card and for upper and lower case.",
    )
    variant: SomeDistinct[Literal["paper", "released"]] = Field(
        default=("released", "paper"),
        title="released, paper, or both",
        description="Answer sets as in the released data, or as the paper draws them (S-9).",
    )
    capitals: Literal["lower", "keep"] | None = Field(
        default=None,
        title="one of lower, keep, or null",
        description=(
            "Capitals inside a sentence: lower case as in the released data, even of names "
            "(BLM-8), or kept. null: `lower` in French, the language of these data, `keep` in "
            "others."
        ),
    )
    fills: Reference = Field(
        default="lexicon",
        title="lexicon, a model or a folder",
        description=(
            "What proposes the words of type II: the lexicon, or a masked model: one of `models` "
            "or a folder."
        ),
        examples=["camembert"],
    )
    fill: Literal["per_sentence", "per_problem"] = Field(
        default="per_sentence",
        description="Whether words are drawn for each sentence or once for the whole problem.",
    )
    candidates: Literal["shared", "independent"] = Field(
        default="shared",
        description=(
            "The candidates of type III: all from one lexical source, or each from its own."
        ),
    )
    test: ProperShare = Field(
        default=0.1, description="Share of all problems that goes to the test set (BLM-9)."
    )
    validation: ProperShare = Field(
        default=0.2,
        description="Share of the other problems that goes to the validation set (BLM-9).",
    )
    regimes: SomeDistinct[Regime] = Field(
        default=("allTrain", "sameTrain", "bySeed"),
        title="a list of allTrain, sameTrain, bySeed",
        description=(
            "Training sets. `allTrain`: all problems; always among them. `sameTrain`: as many of "
            "each type as type I has. `bySeed`: no seed of the test set occurs in training."
        ),
    )
    folds: SizeOrNull = Field(
        default=None,
        description=(
            "Folds of `bySeed`: each tests its share of the seeds, in one run, and together they "
            "test every seed once. null: one split by the shares `test` and `validation`."
        ),
        examples=[8],
    )
    encoder: Reference = Field(
        default="states",
        title="states, a model or a folder",
        description=(
            "What turns a sentence into a vector: one of `models` or a folder, or `states`, the "
            "numbers that the sentence shows: a control without a language model."
        ),
        examples=["mbert"],
    )
    encoding: EncodingSettings = Field(
        default=EncodingSettings(), description="How the encoder is used."
    )
    networks: SomeDistinct[Literal["FFNN", "CNN"]] = Field(
        default=("FFNN", "CNN"), title="a list of FFNN, CNN", description="Networks to train."
    )
    runs: SomeDistinct[Seed] = Field(
        default=(1,),
        title="a list of whole numbers, each once",
        description="Seeds of the networks: each is trained once per seed.",
    )
    training: TrainingSettings = Field(
        default=TrainingSettings(), description="How the networks are trained."
    )

    @model_validator(mode="after")
    def _folds_leave_seeds_to_train_on(self) -> Self:
        if self.folds == 1:
            raise KasuError("config blm.folds", "found 1", "two or more, or null for one split")
        return self

    @model_validator(mode="after")
    def _all_problems_are_trained_on(self) -> Self:
        if "allTrain" not in self.regimes:
            found = f"found {list(self.regimes)!r}"
            raise KasuError("config blm.regimes", found, "a list with allTrain")
        return self

    @model_validator(mode="after")
    def _variants_are_built(self) -> Self:
        for variant in self.training.variants:
            if variant.answers not in self.variant:
                found = f"{variant.name!r} answers {variant.answers!r}"
                expected = f"some of blm variant: {', '.join(self.variant)}"
                raise KasuError("config blm.training.variants", found, expected)
            if unknown := set(variant.regimes or ()).difference(self.regimes):
                found = f"{variant.name!r} trains on {sorted(unknown)[0]!r}"
                expected = f"some of blm regimes: {', '.join(self.regimes)}"
                raise KasuError("config blm.training.variants", found, expected)
        return self
