"""IPS-Waseda: in each language the best on dev of the baseline, analogies and two networks.

An analogy is to the lemma asked for what a training pair of the same features is: of the pairs
whose lemmata share the longest suffix with it, the most frequent solution is the form. The first
network attends to features and lemma, which it reads as one sequence; the second one also learns
words made by rules of the training set, whose affixes are around invented roots.

The published answers of networks lack the last ten where there are 50 items: they came in batches
of 20, and a batch that was not full was dropped. The variant `incomplete` does so, too.

Source: Fam & Lepage (2018). The paper names four measures by which pairs are chosen; its figures
are those of the suffix alone. It leaves first weights open, and where the decoder starts: here
embeddings are small, as in the translation program of Luong et al. (2017), and the start is at
zeros. The learning rate, printed as 5 × 10⁴, is read as 5 × 10⁻⁴.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, cast

import numpy as np
from pydantic import Field

from kasu.base.errors import KasuError
from kasu.config.settings import Positive, Section, Size
from kasu.inflection.systems.baseline import Baseline
from kasu.job.run import seed_of
from kasu.transduction.alphabet import Alphabet, alphabets
from kasu.transduction.analogy import Analogies
from kasu.transduction.augmentation import grow_rare
from kasu.transduction.items import Item
from kasu.transduction.members.choice import Chosen, choose_on_dev, chosen_part
from kasu.transduction.members.families import Data, Run, Session, alone
from kasu.transduction.members.learning import Incomplete, Learnt, ModelFamily, Rules, State, full
from kasu.transduction.members.networks import Drawing, NetworkFamily, drawing

if TYPE_CHECKING:
    from kasu.transduction.networks.joined_seq2seq import JoinedSeq2Seq
    from kasu.transduction.networks.training import Recipe

NEURAL = {"seq2seq": False, "augmented": True}
"""Whether a network also learns words that are made."""

PARTS = ("baseline", "holistic", *NEURAL)
"""The parts to choose from. Where several are best on dev, the first answers."""

VARIANTS = {"chosen": PARTS, **{part: (part,) for part in PARTS}, "incomplete": PARTS}
"""The parts that a variant trains."""

BATCH = 20
BOUND = 0.1  # of first embeddings
PATIENCE = 30  # epochs without a lower loss on lines held out of the training set
HELD, FEWEST = 10, 5  # one line of ten is held out, but five at least


class Settings(Section):
    """Sizes of Waseda's networks."""

    hidden: Size = Field(default=100, description="Width of states, per direction in the encoder.")
    embedding: Size = Field(default=300, description="Width of embedded characters and features.")
    epochs: Size = Field(
        default=500,
        description="Epochs at most; 30 without a lower loss on lines set apart end the training.",
    )
    learning_rate: Positive = Field(default=0.0005, description="Of Adam.")
    held_out: bool = Field(
        default=True,
        description="The lines whose loss ends training are not learnt; the paper leaves it open.",
    )


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Drawing, variant: str
) -> "JoinedSeq2Seq":
    """Return the network, of the same size in all languages."""
    from kasu.transduction.networks.joined_seq2seq import JoinedSeq2Seq

    sizes = settings.settings
    return JoinedSeq2Seq(
        characters, tags, embedding=sizes.embedding, size=sizes.hidden, bound=BOUND
    )


def recipe(data: Data, settings: Drawing, variant: str) -> "Recipe":
    """Return a recipe with Adam, which ends by the loss on lines held out of the training set."""
    from kasu.neural.optimizers import adam
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe

    key = "waseda", data.language, data.setting, settings.seed
    lines = np.random.default_rng(seed_of(*key, "held out")).permutation(len(data.train))
    # Of a few lines, half at most
    count = min(max(len(lines) // HELD, FEWEST), len(lines) // 2)
    held = [data.train[line] for line in lines[:count]]
    learnt = lines[count if settings.settings.held_out else 0 :]
    made: list[Item] = []
    if NEURAL[variant]:
        symbols = alphabets(data.train)[0].symbols
        made = grow_rare([data.train[at] for at in learnt], symbols, seed_of(*key, "made"))
    # What is made comes after all lines
    places = np.append(learnt, np.arange(len(made)) + len(lines))
    epochs = settings.settings.epochs
    return Recipe(
        batch_size=BATCH,
        epochs=epochs,
        stop=Patience(PATIENCE if held else epochs, epochs),
        optimizers=adam(settings.settings.learning_rate),
        validated=held,
        measure="loss",
        order=lambda draw: draw.permutation(places).tolist(),
        made=made,
    )


NETWORKS = NetworkFamily(
    __name__,
    settings=Settings,
    variants=NEURAL,
    members={},
    submissions={},
    settle=drawing,
    network=network,
    recipe=recipe,
)


def learn(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Chosen | KasuError]:
    """Train the parts that members need, each once; each member keeps its best one.

    A network that diverges is not chosen; it is an error where it is asked for alone.
    """
    runs = {
        member: {part: Run(part, member.seed) for part in VARIANTS[member.variant or ""]}
        for member in members
    }
    parts = dict.fromkeys(run for each in runs.values() for run in each.values())
    neural = [run for run in parts if run.variant in NEURAL]
    found: dict[Run, Learnt | KasuError] = {}
    if neural and data.train:
        found.update(NETWORKS.learn(data, neural, options, session))
    # Rules draw nothing: one object serves all seeds. Without a pair to learn from, networks
    # answer with the lemma, as analogies do
    made = cache(partial(rules, data))
    found |= {run: made(run.variant) for run in parts if run not in found}

    def counted(member: Run, part: str) -> int:
        # Of what is dropped, print counts nothing in its figures on dev
        return full(data.dev, BATCH) if drops(member, part) else len(data.dev)

    chosen = choose_on_dev("waseda", data, runs, found, counted)
    return {member: as_printed(each, member) for member, each in chosen.items()}


def drops(member: Run, part: str) -> bool:
    """Return whether a part of a member drops answers: a network, if the variant says so."""
    return member.variant == "incomplete" and part in NEURAL


def as_printed(chosen: Chosen | KasuError, member: Run) -> Chosen | KasuError:
    """Return a chosen part, or its error, as it answers for a member."""
    if isinstance(chosen, KasuError) or not drops(member, chosen.part):
        return chosen
    return replace(chosen, learnt=Incomplete(chosen.learnt, BATCH))


def rules(data: Data, part: str | None) -> Rules:
    """Return the baseline or, for any other part, analogies."""
    if part == "baseline":
        return Rules(partial(Baseline(data.train).inflect, ties="published"))
    return Rules(Analogies(data.train).inflect)


def load(data: Data, member: Run, options: Mapping[str, object], state: State) -> Chosen:
    """Load the network of a member, or learn its rules again."""
    part, weights = chosen_part(state, VARIANTS[member.variant or ""])
    run = Run(part, member.seed)
    neural = part in NEURAL
    learnt = NETWORKS.load(data, run, options, weights) if neural else rules(data, part)
    return cast(Chosen, as_printed(Chosen(part, learnt), member))


FAMILY = ModelFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"waseda-01": alone},
    has_networks=True,
    learnt_by=learn,
    loaded_by=load,
)
