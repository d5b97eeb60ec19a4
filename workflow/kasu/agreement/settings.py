"""The config's section `agreement` (Ravfogel, Goldberg & Tyers 2018)."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from kasu.agreement.data.tasks import SUFFIX, SYSTEMS
from kasu.agreement.grid import (
    GridLineSettings,
    TrainingSetSettings,
    Variant,
    check_suffix_conditions,
    check_training_sets,
)
from kasu.base.errors import KasuError
from kasu.config.settings import (
    Bounds,
    Distinct,
    Many,
    Positive,
    ProperShare,
    Reference,
    Section,
    Seed,
    Share,
    Size,
    Slug,
    Some,
    SomeDistinct,
    Threads,
    check_once,
)


class SplitSettings(Section):
    """The shares of the sentences that go to train, validation and test."""

    model_config = ConfigDict(title="the shares of train, validation and test")

    train: ProperShare = Field(description="Share of the training set.")
    validation: ProperShare = Field(description="Share of the validation set.")
    test: ProperShare = Field(description="Share of the test set.")

    @model_validator(mode="after")
    def _sum_is_one(self) -> Self:
        if abs(self.train + self.validation + self.test - 1) > 1e-6:
            shares = f"{self.train:g}, {self.validation:g} and {self.test:g}"
            raise KasuError("config agreement.split", f"found {shares}", "shares that sum to 1")
        return self


class MaxSentences(Section):
    """The most sentences of train, validation and test; all where nothing is stated."""

    model_config = ConfigDict(title="the most sentences of train, validation and test")

    train: Size | None = Field(default=None, description="The most sentences of the training set.")
    validation: Size | None = Field(
        default=None, description="The most sentences of the validation set."
    )
    test: Size | None = Field(default=None, description="The most sentences of the test set.")


class TrainingSettings(Section):
    """The networks and how they are trained (BASQUE-9, BASQUE-10)."""

    embedding: Size = Field(default=150, description="Width of an embedding. The paper: 150.")
    hidden: Size = Field(default=150, description="Width of a recurrent layer. The paper: 150.")
    mlp: Size = Field(
        default=128, description="Width of the layer before the output. The paper: 128."
    )
    vocabulary: Size = Field(
        default=100_000,
        description="The most words, lemmas and n-grams of characters that have an embedding each.",
    )
    ngram_lengths: Bounds = Field(
        default=(1, 5),
        title="least and most characters",
        description="Least and most characters of the n-grams that a word is made of.",
    )
    boundary_markers: bool = Field(
        default=False, description="Whether n-grams mark the beginning and the end of a word."
    )
    activation: Literal["tanh", "relu"] = Field(
        default="tanh", description="The activation of the layer before the output."
    )
    dropout: Share = Field(
        default=0.0, description="Share of the units that are dropped in training."
    )
    batch_size: Size = Field(default=32, description="Sentences per batch.")
    epochs: Size = Field(default=10, description="The most passes over the training set.")
    patience: Size = Field(
        default=10,
        description="Training ends after this many epochs without a better validation score.",
    )
    learning_rate: Positive = Field(default=0.001, description="Learning rate of Adam.")
    threads: Threads = Field(
        default=1,
        description="Threads of a training job. The number changes the last digits of results.",
    )
    checkpoint_every: Positive = Field(
        default=600, description="Seconds between the states from which a killed run resumes."
    )


class ProbedTreebank(Section):
    """The CoNLL-U files of a treebank whose annotation is probed."""

    model_config = ConfigDict(title="the files of train, dev and test")

    train: Reference = Field(description="What probes are trained on.")
    dev: Reference = Field(description="What chooses the epoch and the initialisation.")
    test: Reference = Field(description="What probes are tested on.")


class ProbeSettings(Section):
    """Diagnostic classifiers on the states of suffix prediction (§7.1; BASQUE-21, BASQUE-22)."""

    seeds: SomeDistinct[Seed] | None = Field(
        default=None,
        title="a list of whole numbers",
        description="The networks that are probed; by default all that are trained.",
        examples=[[1, 2, 3]],
    )
    verbs: Distinct[Annotated[str, Field(pattern="^[^/]+$")]] = Field(
        default=("da", "zen", "ziren", "any"),
        title="a list of forms of verbs, in small letters",
        description=(
            "Table 3: a probe for each form, on words of sentences with this and one other verb, "
            "tells whether the closest verb is the word's own; `any` takes the sentences of two "
            "verbs whatever their forms. An empty list leaves the table out."
        ),
        examples=[["da", "any"]],
    )
    folds: Annotated[int, Field(ge=3, title="a whole number of 3 or more")] = Field(
        default=10,
        description=(
            "Each word is tested by a probe that was trained on the others: one fold in so many is "
            "tested, the next one chooses the epoch. The paper has one split; 10 folds train on "
            "four fifths of the words (BASQUE-21)."
        ),
    )
    hidden: Size = Field(
        default=128, description="Width of the hidden layer of the MLP of Table 3."
    )
    treebank: ProbedTreebank | None = Field(
        default=None,
        title="the files of train, dev and test",
        description=(
            "A UD treebank of the language of the first corpus: probes of its number, case, part "
            "of speech and dependency edges (§7.1). Take all files from one release. Without it "
            "the table is left out."
        ),
        examples=[
            {
                "train": "ud/UD_Basque-BDT/r1.4/eu-ud-train.conllu",
                "dev": "ud/UD_Basque-BDT/r1.4/eu-ud-dev.conllu",
                "test": "ud/UD_Basque-BDT/r1.4/eu-ud-test.conllu",
            }
        ],
    )
    treebank_hidden: Some[Size] = Field(
        default=(100, 50),
        title="a list of widths",
        description="Widths of the hidden layers of the MLP on the treebank.",
        examples=[[100, 50]],
    )
    initialisations: Size = Field(
        default=5,
        description="Probes of the treebank per task; the one that is best on dev is tested.",
    )
    batch_size: Size = Field(default=256, description="Words per batch.")
    epochs: Size = Field(default=100, description="The most passes over the words.")
    patience: Size = Field(
        default=5,
        description="Training ends after this many epochs without a lower loss on the dev words.",
    )
    learning_rate: Positive = Field(default=0.003, description="Learning rate of Adam.")


class AgreementSettings(Section):
    """Verb number and suffixes: can a recurrent network recover what the verb agrees with?"""

    corpora: SomeDistinct[Slug] = Field(
        title="a list of corpora, each once",
        description=(
            "Which of `corpora` to study; each needs an analyser, or a treebank and a tagset. The "
            "first is compared with the published figures."
        ),
        examples=[["basque"]],
    )
    grid: Some[GridLineSettings] = Field(
        default=(GridLineSettings(),),
        title="a list of lines",
        description="What runs: the lines add up.",
        examples=[[{"systems": ["majority", "bilstm"], "conditions": ["base", "no_suffixes"]}]],
    )
    training_sets: Many[TrainingSetSettings] = Field(
        default=(),
        title="a list of training sets",
        description=(
            "Parts of the training split, for a curve over the amount of text. They share no near "
            "copy with the validation and test sets, which are the same for all of them."
        ),
        examples=[[{"name": "300k", "words": 300_000}, {"name": "all"}]],
    )
    variant: SomeDistinct[Variant] = Field(
        default=("paper", "released"),
        title="paper, released, or both",
        description=(
            "How the verb to predict is chosen (BASQUE-4, BASQUE-6). `paper`: a random verb, and "
            "its first reading that is not familiar. `released`: the first verb, auxiliaries "
            "preferred, as in the authors' script."
        ),
    )
    split: SplitSettings = Field(
        default=SplitSettings(train=0.7066, validation=0.0977, test=0.1957),
        title="the shares of train, validation and test",
        description=(
            "Shares of the sentences. The default is that of the paper: 935,730, 129,375 and "
            "259,215 sentences (BASQUE-1)."
        ),
    )
    max_sentences: MaxSentences = Field(
        default=MaxSentences(),
        title="the most sentences of train, validation and test",
        description=(
            "The most sentences of each split and variant. Of more, these are drawn at random; a "
            "split with fewer keeps them all, and the log and the table of section 5 say so."
        ),
        examples=[{"train": 935_730, "validation": 129_375, "test": 259_215}],
    )
    length: Bounds = Field(
        default=(2, 60),
        title="least and most lexical units",
        description="Least and most lexical units of a sentence (BASQUE-5).",
    )
    polite: Literal["singular", "plural"] = Field(
        default="singular",
        description="The number of *zu* 'you', plural in form and singular in use (BASQUE-7).",
    )
    suffix_reading: Literal["any", "first"] = Field(
        default="any",
        description=(
            "Which reading of a word may give it its nuclear suffix: any, or only the first (S-2)."
        ),
    )
    suffix_source: Literal["analysis", "surface"] = Field(
        default="analysis",
        description=(
            "What tells the nuclear suffix of a word (S-3). `analysis`: the analyser; suffix "
            "prediction leaves out words that it does not know and that end as a suffix does. "
            "`surface`: the end of the word, and the analyser only whether a final -a is a suffix."
        ),
    )
    no_article: Literal["strip", "keep"] = Field(
        default="strip",
        description=(
            "Whether `no_suffixes` and the like also remove the case of words without an article "
            "(*batek*, *Mikelek*), which would show it (S-4)."
        ),
    )
    training: TrainingSettings = Field(
        default=TrainingSettings(), description="The networks and how they are trained."
    )
    probes: ProbeSettings = Field(
        default=ProbeSettings(),
        description="Probes of the networks of suffix prediction under `base`, and their nulls.",
    )

    @model_validator(mode="after")
    def _lines_fit(self) -> Self:
        check_once((each.name for each in self.training_sets), "agreement.training_sets")
        for each in self.training_sets:
            if each.corpus and each.corpus not in self.corpora:
                where = f"config agreement.training_sets {each.name}"
                raise KasuError(where, f"found corpus {each.corpus}", "one of agreement.corpora")
        for at, line in enumerate(self.grid):
            where = f"config agreement.grid[{at}]"
            for variant in line.variants or ():
                if variant not in self.variant:
                    raise KasuError(
                        f"{where}.variants", f"found {variant}", "one of agreement.variant"
                    )
            for corpus in line.corpora or ():
                if corpus not in self.corpora:
                    raise KasuError(
                        f"{where}.corpora", f"found {corpus}", "one of agreement.corpora"
                    )
            for system in line.runs:
                if system not in SYSTEMS[line.task]:
                    fitting = " or ".join(SYSTEMS[line.task])
                    raise KasuError(f"{where}.systems", f"found {system}", fitting)
            check_training_sets(line.conditions, self.training_sets, f"{where}.conditions")
            if line.task == SUFFIX:
                check_suffix_conditions(line.conditions, f"{where}.conditions")
        return self
