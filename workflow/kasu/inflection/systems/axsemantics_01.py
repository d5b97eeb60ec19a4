"""AX Semantics' first system: a classifier chooses the abstract paradigm that inflects a lemma.

It knows the tags and how the lemma begins and ends. Of several kinds of learner, and of several
draws of a network's sizes and rates, the one that is best on dev answers. A paradigm that fits the
lemma in several ways takes the way that was right most often where variables had as many values.

Source: the team AX Semantics (2018) §2. It names five learners of scikit-learn, not the ranges in
which their sizes were searched: ours are below, and only the network has several draws.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, cast

from pydantic import Field

from kasu.base.errors import KasuError
from kasu.config.settings import Section, Size
from kasu.job.run import seed_of
from kasu.transduction.classification.classifiers import LEARNERS, draw_classifiers, fit
from kasu.transduction.classification.generator import Generator
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.choice import Chosen, choose, chosen_part, share_right
from kasu.transduction.members.families import Data, Run, Session, alone
from kasu.transduction.members.learning import ModelFamily, State

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from torch import Tensor

    from kasu.transduction.classification.scorers import Scorer


class Variant(NamedTuple):
    """Which learners there are to choose from, and whether the MSD is one feature or its tags."""

    learners: Sequence[str]
    whole: bool = False


VARIANTS = {
    "chosen": Variant(LEARNERS),
    "whole": Variant(LEARNERS, whole=True),
    **{learner: Variant((learner,)) for learner in LEARNERS},
}
"""`chosen` and `whole` differ in how they read the MSD; the others have one learner each."""

PREFIXES, SUFFIXES = 3, 5  # characters at most
FEWEST = 3  # training items with an affix that is a feature


class Settings(Section):
    """How many networks AX Semantics' first system tries, and for how long."""

    draws: Size = Field(default=10, description="Networks to choose from, at low and medium.")
    draws_at_high: Size = Field(default=3, description="Networks to choose from at high.")
    epochs: Size = Field(default=200, description="Epochs of a network at most.")


class Inflector:
    """The features and paradigms of a training set, and a scorer that chooses a paradigm."""

    def __init__(self, features: "Features", generator: "Generator", scorer: "Scorer") -> None:
        self._features, self._generator, self._scorer = features, generator, scorer

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the one form of each item."""
        scores = self._scorer.score(self._features.matrix(items))
        pairs = zip(items, scores, strict=True)
        return [Answer([self._generator.inflect(*pair)]) for pair in pairs]

    def state_dict(self) -> State:
        """Return the arrays of the scorer."""
        import torch

        arrays = self._scorer.arrays().items()
        return {name: torch.from_numpy(array) for name, array in arrays}


def learn(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Chosen | KasuError]:
    """Train the learners that the members choose from, each once; let them choose on dev."""
    settings = Settings.model_validate(options)
    draws = settings.draws_at_high if data.setting == "high" else settings.draws
    generator = Generator(data.train)
    features = cache(partial(Features, data.train))

    @cache
    def best(learner: str, whole: bool, seed: int | None) -> tuple[float, Inflector] | KasuError:
        """Return the draw of a learner that is best on dev, the first of equals."""
        key = ("axsemantics_01", data.language, data.setting, seed, learner)
        found = None
        for ensemble in draw_classifiers(learner, seed_of(*key), draws, settings.epochs):
            matrix = features(whole).matrix(data.train)
            if scorer := fit(ensemble, matrix, generator.classes):
                made = Inflector(features(whole), generator, scorer)
                share = share_right(made, data.dev)
                if found is None or share > found[0]:
                    found = share, made
        if found is None:
            member = f"axsemantics_01-{data.language}-{data.setting}-{learner}-{seed}"
            return KasuError(f"training of {member}", "weights that are not finite", "finite ones")
        return found

    def chosen(run: Run) -> Chosen | KasuError:
        learners, whole = VARIANTS[str(run.variant)]
        found = {learner: best(learner, whole, run.seed) for learner in learners}
        parts = {
            learner: each if isinstance(each, KasuError) else each[1]
            for learner, each in found.items()
        }
        return choose(parts, lambda learner: cast(tuple, found[learner])[0])

    return {run: chosen(run) for run in members}


def load(data: Data, member: Run, options: Mapping[str, object], state: State) -> Chosen:
    """Read features and paradigms from the training set again; load the scorer."""
    from kasu.transduction.classification.scorers import load_scorer

    learners, whole = VARIANTS[str(member.variant)]
    learner, tensors = chosen_part(state, learners)
    arrays = {name: cast("Tensor", each).numpy() for name, each in tensors.items()}
    features, generator = Features(data.train, whole), Generator(data.train)
    size = features.matrix([]).shape[1]
    scorer = load_scorer(arrays, size, len(generator.paradigms))
    return Chosen(learner, Inflector(features, generator, scorer))


class Features:
    """The binary features of a training set: tags or the whole MSD, prefixes and suffixes."""

    def __init__(self, train: Sequence[Item], whole: bool) -> None:
        self._whole = whole
        # An item counts even if others have its lemma, so longer affixes may stand for lemmata
        counts = Counter(affix for item in train for affix in affixes("".join(item.source)))
        tags = dict.fromkeys(tag for item in train for tag in self._tags(item))
        frequent = (affix for affix, count in counts.items() if count >= FEWEST)
        self._columns = {each: column for column, each in enumerate([*tags, *frequent])}

    def _tags(self, item: Item) -> Iterable[tuple[str, str]]:
        tags = [";".join(item.tags)] if self._whole else dict.fromkeys(item.tags)
        return (("tag", tag) for tag in tags)

    def matrix(self, items: Sequence[Item]) -> "csr_matrix":
        """Return the features of items, (items, features); unknown ones are left out."""
        import numpy as np
        from scipy.sparse import csr_matrix

        columns: list[int] = []
        ends = [0]
        for item in items:
            found = (*self._tags(item), *affixes("".join(item.source)))
            columns += sorted(self._columns[each] for each in found if each in self._columns)
            ends.append(len(columns))
        shape = (len(items), len(self._columns))
        return csr_matrix((np.ones(len(columns)), columns, ends), shape)


def affixes(lemma: str) -> Iterator[tuple[str, str]]:
    """Yield the prefixes and suffixes of a lemma that may be features."""
    yield from (("prefix", lemma[:size]) for size in range(1, min(PREFIXES, len(lemma)) + 1))
    yield from (("suffix", lemma[-size:]) for size in range(1, min(SUFFIXES, len(lemma)) + 1))


FAMILY = ModelFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"axsemantics-01": alone},
    learnt_by=learn,
    loaded_by=load,
)
