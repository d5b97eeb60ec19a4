"""ua-03 (DirecTL+): a phrasal transducer without a network, of the sizes that are best on dev.

The source is a lemma among its tags, each tag a symbol. Chunks of source and form are aligned, then
a linear model learns which chunk yields what. Words that stand beside the main word of a form come
with its features: they are cut off, and put back for the same features.

Source: the University of Alberta's paper (2018) §2.3, and the programs that it names. The paper
prints the ranges of its grid search, thousands of combinations, not what won: ours tries the 24
below. How it handles particles is in a paper of 2017 that is not at hand, so the rule is ours. The
program ends a training by an aligned dev set; ours by those items of dev that also choose.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import islice, product
from operator import itemgetter
from typing import Annotated, NamedTuple

from pydantic import Field

from kasu.config.settings import Section, Size
from kasu.job.run import log
from kasu.transduction.alignments.edit_distance import common_subsequence
from kasu.transduction.alignments.many_to_many import Alignment, ManyToMany, Pair
from kasu.transduction.items import Answer, Item, answer_of
from kasu.transduction.linear.phrasal import BEAM, NBEST, Phrasal, Sizes
from kasu.transduction.members.families import Answers, CustomFamily, Data, Run, Session, alone

Tags = tuple[str, ...]


class Configuration(NamedTuple):
    """What a transducer is made of.

    Attributes:
        before: whether tags stand before the lemma, too, not after it alone.
        chunks: symbols of a chunk of the source, of what it yields, and of what a tag yields.
        copy: whether the alignment prefers copies.
        sizes: of features.
    """

    before: bool
    chunks: tuple[int, int, int]
    copy: bool
    sizes: Sizes


CHUNKS = (1, 1, 2), (1, 1, 3), (2, 1, 3), (2, 2, 2)
CONTEXTS = 2, 3, 5
HISTORIES = (2, True), (4, False)  # steps before a step; whether the alignment prefers copies

VARIANTS = {"both": (True,), "after": (False,), "free": (True, False)}
"""Whether tags stand before the lemma, too; `free` may choose."""


class Settings(Section):
    """How many configurations ua-03 tries, and how it chooses among them."""

    tried: Annotated[int, Field(ge=1, le=24, title="a whole number from 1 to 24")] = Field(
        default=24, description="Configurations to choose from, the first of 24."
    )
    chosen_on: Size = Field(
        default=300, description="Items of dev, the first, that end trainings and choose."
    )


def train(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Answers]:
    """Train each configuration once; let members choose on dev; answer dev and test."""
    settings = Settings.model_validate(options)
    particles = Particles(data.train)
    items = [particles.cut(item) for item in data.train]
    judges = data.dev[: settings.chosen_on]

    @cache
    def align(before: bool, chunks: tuple[int, int, int], copy: bool) -> list[Alignment]:
        found = ManyToMany(*chunks, copy=copy).fit([pair_of(item, before) for item in items])
        if missing := found.count(None):
            log.info("ua_03: %d of %d items have no alignment", missing, len(items))
        return [steps for steps in found if steps is not None]

    def learn(each: Configuration) -> Transducer:
        made = Phrasal(align(each.before, each.chunks, each.copy), each.sizes)
        made.train([pair_of(particles.cut(item), each.before) for item in judges])
        return Transducer(made, each.before, particles)

    @cache
    def choose(before: bool) -> tuple[int, Transducer]:
        """Return how many items the best transducer has right, and it; of equals, the first."""
        best = None
        for each in islice(configurations(before), settings.tried):
            learnt = learn(each)
            right = sum(learnt.answer(item, 1).forms[0] == form_of(item) for item in judges)
            log.info(
                "ua_03 %s-%s: %d of %d right by %s",
                data.language, data.setting, right, len(judges), each,
            )  # fmt: skip
            if best is None or right > best[0]:
                best = right, learnt
        assert best
        return best

    @cache
    def respond(variant: str) -> Answers:
        _, best = max(map(choose, VARIANTS[variant]), key=itemgetter(0))
        return Answers(*([*map(best.answer, asked)] for asked in (data.dev, data.test)))

    return {member: respond(str(member.variant)) for member in members}


def configurations(before: bool) -> Iterator[Configuration]:
    """Yield all configurations."""
    for context, (joint, copy), chunks in product(CONTEXTS, HISTORIES, CHUNKS):
        yield Configuration(before, chunks, copy, Sizes(context, 2 * context + 1, joint))


def pair_of(item: Item, before: bool) -> Pair:
    """Return the source of an item, with its tags after the lemma or around it, and its form."""
    tags = [f"<{tag}>" for tag in item.tags]
    return [*(tags if before else ()), *item.source, *tags], form_of(item)


def form_of(item: Item) -> str:
    """Return the form of an item, empty where it is asked for."""
    return "".join(item.target or "")


class Transducer(NamedTuple):
    """A trained transducer, and how its sources and forms are made."""

    phrasal: Phrasal
    before: bool
    particles: "Particles"

    def answer(self, item: Item, count: int = NBEST) -> Answer:
        """Return the best forms of an item, with their scores."""
        source, _ = pair_of(item, self.before)
        found = answer_of(
            (self.particles.put_back(item, each.form), each.score)
            for each in self.phrasal.nbest(source, BEAM if count > 1 else 1)
        )
        return Answer(found.forms[:count], found.scores[:count])


class Particles:
    """What stands before and after the main word of a form: *lavar* has *me* in *me he lavado*.

    The main word has the longest subsequence in common with the lemma; of equals it is the first.
    A lemma with a space has no particles.

    Args:
        train: items to learn from. The same features have their most frequent particles, other
            features those of the features that share the most with them; of equals the first.
    """

    def __init__(self, train: Sequence[Item]) -> None:
        counts: dict[Tags, Counter[tuple[str, str]]] = defaultdict(Counter)
        for item in train:
            if " " not in item.source:
                before, _, after = split(item)
                counts[item.tags][before, after] += 1
        self._usual = {tags: found.most_common(1)[0][0] for tags, found in counts.items()}

    def cut(self, item: Item) -> Item:
        """Return an item whose form is its main word."""
        return item if " " in item.source else item._replace(target=split(item)[1])

    def put_back(self, item: Item, form: str) -> str:
        """Return a form of an item with the particles of its features."""
        if " " in item.source or not self._usual:
            return form
        tags = item.tags
        if tags not in self._usual:
            tags = max(self._usual, key=lambda known: overlap(set(known), set(tags)))
        before, after = self._usual[tags]
        return before + form + after


def split(item: Item) -> tuple[str, str, str]:
    """Return what stands before the main word of a form, the word, and what stands after it."""
    words = form_of(item).split(" ")
    main = max(
        range(len(words)), key=lambda place: len(common_subsequence(item.source, words[place]))
    )
    before, after = words[:main], words[main + 1 :]
    return (
        "".join(word + " " for word in before),
        words[main],
        "".join(" " + word for word in after),
    )


def overlap(one: Set[str], other: Set[str]) -> float:
    """Return the share of common tags among all tags (Jaccard)."""
    return len(one & other) / max(len(one | other), 1)


FAMILY = CustomFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": None},
    submissions={"ua-03": alone},
    trained_by=train,
)
