"""The config's section `minimal_sets` (Gallagher & Heyer 2026)."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from kasu.base.errors import KasuError
from kasu.config.settings import (
    Distinct,
    Many,
    NonEmpty,
    Reference,
    Section,
    Share,
    SizeOrNull,
    Slug,
    Some,
    SomeDistinct,
    check_once,
    one_of,
)
from kasu.lm import CAUSAL, MASKED
from kasu.lm.models.definitions import DEFINITIONS
from kasu.lm.models.folders import check_names
from kasu.minimal_sets.data.design import Capitals, Matches
from kasu.minimal_sets.data.paper import RELEASED, SETS
from kasu.minimal_sets.pairs.design import Rules

AGREEMENT = "agreement"
SomeValues = Annotated[Distinct[NonEmpty], Field(min_length=2)]


class SetSettings(Section):
    """A minimal set: a request, and the node whose form changes."""

    model_config = ConfigDict(title="name, request and target")

    name: Slug = Field(description="The name of the set.", examples=["glc-nom-dat-subj"])
    request: Reference = Field(
        description="A file with a request in the language of Grew.",
        examples=["resources/queries/kat/nom_dat.req"],
    )
    target: str = Field(
        title="a node of the request",
        description="The node whose form changes.",
        examples=["S"],
    )
    verb: str | None = Field(
        default=None,
        title="a node of the request",
        description="The node of the verb, whose tense and aspect are recorded.",
        examples=["V"],
    )
    values: SomeValues | None = Field(
        default=None,
        title="a list of two values or more",
        description="Values of this set, if not those of the collection.",
        examples=[["Nom", "Acc"]],
    )
    released: Slug | None = Field(
        default=None,
        description=(
            "The set of the paper that this one rebuilds. The released items are looked for in it, "
            "and the paper's claims about verbs are tested on it."
        ),
        examples=["transitive-nom-dat-subj"],
    )


class CollectionSettings(Section):
    """Minimal sets from one treebank, and the models that score them."""

    model_config = ConfigDict(
        title="treebank, feature, values, sets and models, or treebank and sets: agreement"
    )

    treebank: Slug = Field(description="One of `treebanks`.", examples=["georgian-glc"])
    lexicon: Distinct[Slug] = Field(
        default=(),
        title="a list of treebanks, each once",
        description="Further treebanks that supply forms and no items.",
        examples=[["basque-bdt-1.4"]],
    )
    feature: NonEmpty | None = Field(
        default=None,
        title="a feature such as Case or Number[psor]",
        description="The feature that changes. Required, unless `sets` is `agreement`.",
        examples=["Case"],
    )
    values: SomeValues | None = Field(
        default=None,
        title="a list of two values or more",
        description=(
            "Its values. The value of the target in the treebank is the right one; each other "
            "value gives a wrong form. Required, unless `sets` is `agreement`."
        ),
        examples=[["Nom", "Dat", "Erg"]],
    )
    features: SomeDistinct[Literal["Number", "Person", "Gender"]] | None = Field(
        default=None,
        title="a list of Number, Person and Gender",
        description=(
            "With `sets: agreement`, the features in which verbs may agree; all three by default."
        ),
        examples=[["Number", "Person"]],
    )
    paradigms: Reference | Some[Reference] | None = Field(
        default=None,
        title="a UniMorph file, or a list: registered names, paths or addresses",
        description="A file of UniMorph that supplies further forms, or several, in their order.",
        examples=["unimorph/eus/eus", ["unimorph/kaz/kaz", "unimorph/kaz/kaz.sm"]],
    )
    agrees: Share | None = Field(
        default=0.9,
        description=(
            "With `sets: agreement`, leave out values and orders in which fewer subjects agree: "
            "where the upper end of Wilson's interval is below this share. null: none."
        ),
    )
    per_condition: SizeOrNull = Field(
        default=None,
        description=(
            "With `sets: agreement`, the most pairs of a right value, a wrong value, an order and "
            "a kind of target, by a random draw. null: all."
        ),
        examples=[100],
    )
    agreement: dict[str, Annotated[str, Field(title="a feature such as Number[erg]")]] | None = (
        Field(
            default=None,
            min_length=1,
            title="a map from a value to the feature of the verb that agrees with it",
            description=(
                "For each value the feature of the verb that agrees with the argument. A wrong "
                "form that is right under another reading is then left out."
            ),
            examples=[{"Erg": "Number[erg]"}],
        )
    )
    printed: bool | None = Field(
        default=None,
        title="true, false, or null",
        description=(
            "With `sets: agreement`, whether MultiBLiMP's printed numbers stand beside the pairs "
            "by its rules: not where the treebanks are not those of its release. null: where all "
            "files of the treebank are registered."
        ),
        examples=[False],
    )
    max_items: SizeOrNull = Field(
        default=None,
        description="The most items of a set; more are reduced by a random draw. null: all.",
        examples=[100],
    )
    sets: Some[SetSettings] | Literal["agreement"] = Field(
        title="a list of sets, or agreement",
        description=(
            "The minimal sets to build. `agreement`: pairs of verbs, auxiliaries and participles "
            "that agree with their subjects, by requests that come with Kasu; one set for each of "
            "`rules`, named `<treebank>-kasu` and `<treebank>-multiblimp`."
        ),
        examples=["agreement"],
    )
    models: Many[Reference] = Field(
        default=(),
        title="a list of models or folders",
        description="The models that score the sets: names of `models`, or folders.",
        examples=[["georgian-bert"]],
    )

    @property
    def own(self) -> tuple[SetSettings, ...]:
        """The sets that have requests of their own."""
        return self.sets if isinstance(self.sets, tuple) else ()

    @property
    def paradigm_files(self) -> tuple[str, ...]:
        """The files of UniMorph in their order."""
        given = self.paradigms or ()
        return (given,) if isinstance(given, str) else given

    @model_validator(mode="after")
    def _keys_of_each_kind(self) -> Self:
        where = f"config minimal_sets.collections, {self.treebank}"
        agreement = self.sets == AGREEMENT
        wanted = () if agreement else ("feature", "values")
        others = (
            ("feature", "values", "agreement", "lexicon", "max_items")
            if agreement
            else ("features", "agrees", "per_condition", "printed")
        )
        if missing := [key for key in wanted if getattr(self, key) is None]:
            raise KasuError(where, f"no {missing[0]}", f"{missing[0]}, or sets: {AGREEMENT}")
        fields = type(self).model_fields
        if wrong := [key for key in others if getattr(self, key) != fields[key].default]:
            kind = f"sets: {AGREEMENT}" if agreement else "a list of sets"
            raise KasuError(where, f"{wrong[0]} beside {kind}", "one without the other")
        return self

    @model_validator(mode="after")
    def _sets_of_the_paper(self) -> Self:
        for item in self.own:
            if item.released is not None and item.released not in SETS:
                where = f"config minimal_sets.collections, {item.name}"
                raise KasuError(where, f"released {item.released!r}", ", ".join(SETS))
        return self


def _of_kind(kind: str) -> list[str]:
    return [name for name, definition in DEFINITIONS.items() if definition.kind == kind]


class DefinitionSettings(Section):
    """What a score is; `kasu score --help` describes the definitions."""

    model_config = ConfigDict(title="masked and causal")

    masked: SomeDistinct[Annotated[str, one_of(_of_kind(MASKED))]] = Field(
        default=(
            "word_released",
            "word_paper_ideal",
            "sentence_intended",
            "sentence_released_dec19",
            "sentence_released_dec24",
            "pll_original",
        ),
        title="a list of definitions",
        description="Definitions for masked models.",
    )
    causal: SomeDistinct[Annotated[str, one_of(_of_kind(CAUSAL))]] = Field(
        default=("causal_released",),
        title="a list of definitions",
        description="Definitions for causal models.",
    )


class MinimalSetsSettings(Section):
    """Does a language model prefer the right form?"""

    collections: Many[CollectionSettings] = Field(
        default=(),
        title="a list of collections",
        description="Minimal sets to build: each collection has a treebank, a feature and sets.",
    )
    rules: SomeDistinct[Rules] = Field(
        default=("kasu",),
        title="a list of kasu and multiblimp",
        description=(
            "How the pairs of collections with `sets: agreement` are made: by Kasu's rules, and by "
            "those of MultiBLiMP 1.0, faults included, with its printed number beside."
        ),
        examples=[["kasu", "multiblimp"]],
    )
    audit: Distinct[Reference] = Field(
        default=(),
        title="a list of files: registered names, paths or addresses",
        description=(
            "Released files of MultiBLiMP to audit. Those of a language with a collection of "
            "`sets: agreement` are compared with its treebanks."
        ),
        examples=[["papers/multiblimp/eng/data.tsv"]],
    )
    released: Distinct[Annotated[str, Field(title="a set")]] = Field(
        default=(),
        title="a list of the authors' sets, or available",
        description=(
            "The authors' sets with their results by item: names of sets of the paper, or "
            "`available`, if `mirror` is set those whose files it or the downloads hold, else all."
        ),
        examples=[["available"], ["transitive-nom-dat-subj"]],
    )
    definitions: DefinitionSettings = Field(
        default=DefinitionSettings(), description="How models of each kind score an item."
    )
    matches: Matches | None = Field(
        default=None,
        title="one of all, last, or null",
        description=(
            "Which matches in a sentence become items: all, or the last (the authors). null: the "
            "last in sets with `released`, all in others."
        ),
    )
    conventions: Reference = Field(
        default="resources/tagsets/unimorph_conventions.tsv",
        description=(
            "The table that says what files of UniMorph mean by tags that state too little, as the "
            "English infinitive, which is also the form of a plural. A table of your own has the "
            "same columns."
        ),
    )
    capitals: Capitals = Field(
        default="word",
        description=(
            "What a form in another case must share with the word in the text: `word`, its "
            "capitalisation; `released`, that of the first letter alone (the authors)."
        ),
    )

    def pair_sets(self) -> dict[str, tuple[str, CollectionSettings]]:
        """Return the sets of pairs by name: whose rules, and the collection.

        Raises:
            KasuError: two collections ask for the pairs of one treebank.
        """
        collections = [each for each in self.collections if each.sets == AGREEMENT]
        where = "minimal_sets.collections with sets: agreement, treebanks"
        check_once([each.treebank for each in collections], where)
        return {
            f"{each.treebank}-{rules}": (rules, each)
            for each in collections
            for rules in self.rules
        }

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        where = "minimal_sets.collections"
        sets = (item.name for collection in self.collections for item in collection.own)
        check_once([*sets, *self.pair_sets()], f"{where}, sets")
        # Files of predictions are named after models, one after the released results
        models = (model for collection in self.collections for model in collection.models)
        check_names(models, f"config {where}, models", [RELEASED])
        return self
