"""ua-03 (DirecTL+): a phrasal transducer without a network, of the sizes that are best on dev.

The source is a lemma among its tags, each tag a symbol. Chunks of source and form are aligned, then
a linear model learns which chunk yields what. Words that stand beside the main word of a form come
with its features: they are cut off, and put back for the same features.

Source: the University of Alberta's paper (2018) §2.3, and the programs that it names. The paper
prints the ranges of its grid search, thousands of combinations, not what won: ours tries the 24
below. How it handles particles is in a paper of 2017 that is not at hand, so the rule is ours. The
program ends a training by an aligned dev set; ours by those items of dev that also choose.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice, product
from operator import itemgetter
from typing import Annotated, NamedTuple, cast

from pydantic import Field, TypeAdapter

from kasu.config.settings import Section, Size
from kasu.job.run import log
from kasu.transduction.alignments.many_to_many import Alignment, ManyToMany, Pair
from kasu.transduction.items import Answer, Item, answer_of
from kasu.transduction.linear.particles import Particles
from kasu.transduction.linear.phrasal import BEAM, NBEST, Phrasal, Sizes
from kasu.transduction.members.families import Data, Run, Session, alone
from kasu.transduction.members.learning import ModelFamily, State


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


class Transducer(NamedTuple):
    """A trained transducer, and how its sources and forms are made."""

    phrasal: Phrasal
    before: bool
    particles: Particles

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the `width` best forms of each item, with their scores."""
        return [self._answer(item, width) for item in items]

    def _answer(self, item: Item, width: int) -> Answer:
        source, _ = pair_of(item, self.before)
        found = answer_of(
            (self.particles.put_back(item, each.form), each.score)
            for each in self.phrasal.nbest(source, BEAM if width > 1 else 1)
        )
        return Answer(found.forms[:width], found.scores[:width])


class Best(NamedTuple):
    """The transducer that is best on dev, and its configuration."""

    transducer: Transducer
    configuration: Configuration

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the `width` best forms of each item, with their scores."""
        return self.transducer.answer(items, width)

    def state_dict(self) -> State:
        """Return the configuration and what training adds to the aligned items."""
        learnt = self.transducer.phrasal.learnt()
        return {"configuration": json.dumps(self.configuration), "learnt": learnt}


def align(
    items: Sequence[Item], before: bool, chunks: tuple[int, int, int], copy: bool
) -> list[Alignment]:
    """Align items that have no particles; those without an alignment are left out."""
    pairs = [pair_of(item, before) for item in items]
    return kept("ua_03", ManyToMany(*chunks, copy=copy).fit(pairs))


def kept(system: str, alignments: Sequence[Alignment | None]) -> list[Alignment]:
    """Return the alignments that there are; log how many items of a system have none."""
    found = [steps for steps in alignments if steps is not None]
    if missing := len(alignments) - len(found):
        log.info("%s: %d of %d items have no alignment", system, missing, len(alignments))
    return found


def learn(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Best]:
    """Train each configuration once; let members choose on dev."""
    settings = Settings.model_validate(options)
    particles = Particles(data.train)
    items = [particles.cut(item) for item in data.train]
    judges = data.dev[: settings.chosen_on]
    aligned = cache(partial(align, items))

    @cache
    def choose(before: bool) -> tuple[int, Best]:
        """Return how many items the best transducer has right, and it; of equals, the first."""
        best = None
        for each in islice(configurations(before), settings.tried):
            made = Phrasal(aligned(before, each.chunks, each.copy), each.sizes)
            made.train([pair_of(particles.cut(item), before) for item in judges])
            learnt = Transducer(made, before, particles)
            forms = (answer.forms[0] for answer in learnt.answer(judges))
            right = sum(form == form_of(item) for form, item in zip(forms, judges, strict=True))
            log.info(
                "ua_03 %s-%s: %d of %d right by %s",
                data.language, data.setting, right, len(judges), each,
            )  # fmt: skip
            if best is None or right > best[0]:
                best = right, Best(learnt, each)
        assert best
        return best

    def chosen(variant: str) -> Best:
        return max(map(choose, VARIANTS[variant]), key=itemgetter(0))[1]

    return {member: chosen(str(member.variant)) for member in members}


def load(data: Data, member: Run, options: Mapping[str, object], state: State) -> Best:
    """Load a transducer; the training items are aligned again."""
    each = TypeAdapter(Configuration).validate_json(cast(str, state["configuration"]))
    if each not in configurations(each.before):  # others could take hours to align
        raise ValueError(f"{each} is none of ours")
    particles = Particles(data.train)
    items = [particles.cut(item) for item in data.train]
    made = Phrasal(align(items, each.before, each.chunks, each.copy), each.sizes)
    made.load(cast(str, state["learnt"]))
    return Best(Transducer(made, each.before, particles), each)


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


FAMILY = ModelFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": None},
    submissions={"ua-03": alone},
    width=NBEST,
    learnt_by=learn,
    loaded_by=load,
)
