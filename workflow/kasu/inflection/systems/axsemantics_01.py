"""AX Semantics' first system: a classifier chooses the abstract paradigm that inflects a lemma.

It knows the tags and how the lemma begins and ends. Of several kinds of learner, and of several
draws of a network's sizes and rates, the one that is best on dev answers. A paradigm that fits the
lemma in several ways takes the way that was right most often where variables had as many values.

Source: the team AX Semantics (2018) §2. It names five learners of scikit-learn, not the ranges in
which their sizes were searched: ours are below, and only the network has several draws.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pydantic import Field

from kasu.base.errors import KasuError
from kasu.config.settings import Section, Size
from kasu.job.run import seed_of
from kasu.transduction.alignments.paradigms import abstract, apart
from kasu.transduction.classifiers import LEARNERS, draw_classifiers, score
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Answers, CustomFamily, Data, Run, Session, alone

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_matrix


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
TRIED = 50  # paradigms, until one fits


class Settings(Section):
    """How many networks AX Semantics' first system tries, and for how long."""

    draws: Size = Field(default=10, description="Networks to choose from, at low and medium.")
    draws_at_high: Size = Field(default=3, description="Networks to choose from at high.")
    epochs: Size = Field(default=200, description="Epochs of a network at most.")


def train(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Answers | KasuError]:
    """Train the learners that the members choose from, each once; let them choose on dev."""
    settings = Settings.model_validate(options)
    asked = [*data.dev, *data.test]
    draws = settings.draws_at_high if data.setting == "high" else settings.draws
    generator = Generator(data.train)

    @cache
    def matrices(whole: bool) -> tuple["csr_matrix", "csr_matrix"]:
        features = Features(data.train, whole)
        return features.matrix(data.train), features.matrix(asked)

    @cache
    def candidates(learner: str, whole: bool, seed: int) -> list[list[str]]:
        """The forms of dev and test by each draw of a learner that did not diverge."""
        key = ("axsemantics_01", data.language, data.setting, seed, learner)
        found = []
        for ensemble in draw_classifiers(learner, seed_of(*key), draws, settings.epochs):
            scores = score(ensemble, *matrices(whole), generator.classes)
            if scores is not None:
                found.append([*map(generator.inflect, asked, scores)])
        return found

    def choose(run: Run) -> Answers | KasuError:
        variant = VARIANTS[str(run.variant)]
        found = [
            forms
            for learner in variant.learners
            for forms in candidates(learner, variant.whole, run.seed or 1)
        ]
        if not found:
            member = f"axsemantics_01-{data.language}-{data.setting}-{run.variant}-{run.seed}"
            return KasuError(f"training of {member}", "weights that are not finite", "finite ones")
        # The first of the best; without dev, the first
        best = max(found, key=lambda forms: right(forms, data.dev))
        answers = [Answer([form]) for form in best]
        return Answers(answers[: len(data.dev)], answers[len(data.dev) :])

    return {run: choose(run) for run in members}


def right(forms: Sequence[str], items: Sequence[Item]) -> int:
    """Count the items, the first of those that the forms are for, whose form is right."""
    return sum(form == "".join(item.target or "") for form, item in zip(forms, items, strict=False))


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


class Generator:
    """The paradigms of a training set, and which way of several to fit one was right.

    Attributes:
        paradigms: the most frequent first; their places are the classes.
        classes: the class of each item, (items,).
    """

    def __init__(self, train: Sequence[Item]) -> None:
        found = []
        self._right: dict[tuple[int, ...], Counter[tuple[int, ...]]] = defaultdict(Counter)
        for item in train:
            lemma, form = "".join(item.source), "".join(item.target or "")
            paradigm = abstract(lemma, form, apart)
            found.append(paradigm)
            ways = [*paradigm.fill(lemma)]
            if len(ways) > 1:
                sizes, places = index([values for values, _ in ways])
                self._right[sizes].update(
                    place for place, (_, made) in zip(places, ways, strict=True) if made == form
                )
        self.paradigms = [paradigm for paradigm, _ in Counter(found).most_common()]
        numbers = {paradigm: number for number, paradigm in enumerate(self.paradigms)}
        self.classes = [numbers[paradigm] for paradigm in found]

    def inflect(self, item: Item, scores: "np.ndarray") -> str:
        """Inflect by the paradigm of the highest score that fits; of ties, the more frequent.

        Where none of the best TRIED fits, the lemma is the answer.

        Args:
            scores: (paradigms,).
        """
        lemma = "".join(item.source)
        for number in (-scores).argsort(kind="stable")[:TRIED]:
            if ways := [*self.paradigms[number].fill(lemma)]:
                return self._usual(ways) if len(ways) > 1 else ways[0][1]
        return lemma

    def _usual(self, ways: Sequence[tuple[tuple[str, ...], str]]) -> str:
        """Return the form by the way that was right most often in training; else by the first."""
        sizes, places = index([values for values, _ in ways])
        counts = self._right.get(sizes, Counter())
        best = max(range(len(ways)), key=lambda way: counts[places[way]])
        return ways[best][1]


def index(ways: Sequence[tuple[str, ...]]) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """Return how many values each variable has, and each way as the places of its values.

    The values of a variable are sorted by length, then by code points.
    """
    values = [
        sorted(set(column), key=lambda each: (len(each), each))
        for column in zip(*ways, strict=True)
    ]
    places = [{value: place for place, value in enumerate(column)} for column in values]
    return (
        tuple(map(len, values)),
        [tuple(map(dict.__getitem__, places, way)) for way in ways],
    )


FAMILY = CustomFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"axsemantics-01": alone},
    trained_by=train,
)
