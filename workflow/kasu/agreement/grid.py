"""The grid of the agreement study: which systems run under which conditions, on what text."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from kasu.agreement.data.tasks import SUFFIX, SYSTEMS
from kasu.agreement.data.transforms import (
    BASE,
    FILTERS,
    TRANSFORMS,
    WITHOUT_SUFFIXES,
    split_condition,
)
from kasu.base.errors import KasuError
from kasu.config.settings import Section, Seed, Size, Slug, SomeDistinct

Variant = Literal["paper", "released"]
SystemName = Literal["majority", "lemma", "ngram", "lstm", "bilstm", "prior", "lexicon", "mlp"]
_PART = "|".join((*TRANSFORMS, *FILTERS))
_SET = "[a-z0-9_]+"
ConditionName = Annotated[
    str,
    Field(
        pattern=rf"^({BASE}|({_PART})(\+({_PART}))*)(@{_SET})?$",
        title=(
            f"{BASE}, or names joined by +: {', '.join((*TRANSFORMS, *FILTERS))}; perhaps with @ "
            "and a training set"
        ),
    ),
]


class TrainingSetSettings(Section):
    """A part of the text that networks are trained on."""

    model_config = ConfigDict(title="name, words and corpus")

    name: Annotated[str, Field(pattern=f"^{_SET}$", title="small letters, digits and _")] = Field(
        description="The name by which conditions refer to the training set.", examples=["300k"]
    )
    words: Size | None = Field(
        default=None,
        description=(
            "The most words: units with a letter or a digit. A smaller set is a part of a larger "
            "one. By default the whole training split."
        ),
        examples=[300_000],
    )
    corpus: Slug | None = Field(
        default=None,
        description=(
            "The corpus of the study whose training split it is drawn from; by default that of the "
            "validation and test sets."
        ),
        examples=["classics"],
    )


class GridLineSettings(Section):
    """A line of the grid: these systems for this task under these conditions."""

    task: Literal["verb_number", "suffix"] = Field(
        default="verb_number",
        description=(
            "What is predicted: the numbers of the arguments of a hidden verb (§6), or the nuclear "
            "suffix of each word, which is stripped (§7)."
        ),
    )
    systems: SomeDistinct[SystemName] | None = Field(
        default=None,
        title="a list of systems of the task",
        description=(
            "Simple baselines, and the networks of the paper; by default all of the task: "
            "`majority`, `lemma`, `ngram`, `lstm` and `bilstm` for `verb_number`, `prior`, "
            "`lexicon`, `mlp` (a word without its sentence) and `bilstm` for `suffix`."
        ),
        examples=[["majority", "bilstm"]],
    )
    conditions: SomeDistinct[ConditionName] = Field(
        default=(BASE,),
        title="a list of conditions",
        description=(
            "What the systems are trained and tested on: `base`, the sentences as they are, or "
            "names joined by `+`. Transforms: `no_suffixes`, `residual_a` (-a in place of each "
            "suffix), `suffixes_only`, `neutralised_case` (numbers in place of suffixes), "
            "`no_verb` (hides all finite verbs), `no_verb_lemma` (hides the lemmas of hidden verbs "
            "too). For `suffix` `base` is without suffixes already, and of the transforms it has "
            "`residual_a`, `no_verb` and, after it, `no_verb_lemma`. Filters: `single_verb`, "
            "`no_ak` (no word with the suffix), `no_ak_string` (no unit that ends so). `@` and the "
            "name of one of `training_sets` may follow: `base@300k`."
        ),
        examples=[["base", "no_suffixes", "single_verb+no_ak"]],
    )
    variants: SomeDistinct[Variant] | None = Field(
        default=None,
        title="paper, released, or both",
        description="Variants of the dataset; by default all that `variant` names.",
        examples=[["paper"]],
    )
    seeds: SomeDistinct[Seed] | None = Field(
        default=None,
        title="a list of whole numbers",
        description="One network is trained per seed; by default the seeds of the config.",
        examples=[[1, 2, 3]],
    )

    corpora: SomeDistinct[Slug] | None = Field(
        default=None,
        title="a list of corpora, each once",
        description="Corpora of the study; by default all of them.",
        examples=[["basque"]],
    )

    @property
    def runs(self) -> Sequence[str]:
        """The systems of the line."""
        return self.systems or SYSTEMS[self.task]


def check_training_sets(
    conditions: Sequence[str], training_sets: Sequence[TrainingSetSettings], where: str
) -> None:
    """Refuse a condition whose training set the config lacks."""
    names = [each.name for each in training_sets]
    for condition in conditions:
        _, name = split_condition(condition)
        if name and name not in names:
            known = ", ".join(names) or "none"
            raise KasuError(where, f"found {condition}", f"a training set after @: {known}")


def check_suffix_conditions(conditions: Sequence[str], where: str) -> None:
    """Refuse a condition that shows the suffixes that are to be predicted."""
    fitting = (BASE, *WITHOUT_SUFFIXES, *FILTERS)
    for condition in conditions:
        for part in split_condition(condition)[0].split("+"):
            if part not in fitting:
                expected = f"for task {SUFFIX}: {', '.join(fitting)}"
                raise KasuError(where, f"found {part}", expected)
