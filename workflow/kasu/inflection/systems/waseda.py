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

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from kasu.base.errors import KasuError
from kasu.config.settings import Positive, Section, Size
from kasu.inflection.systems.baseline import Baseline, answer
from kasu.job.run import log, seed_of
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.analogy import solve
from kasu.transduction.augmentation import affix_rules, grow
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Answers, CustomFamily, Data, Run, Session, alone
from kasu.transduction.members.networks import Drawing, NetworkFamily, alphabets, drawing
from kasu.transduction.voting import best_on_dev

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
RARE, MADE, LONGEST = 10, 5, 4  # of a rule seen fewer times: words made, most characters invented


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


class Holistic:
    """Analogies with the pairs of a training set."""

    def __init__(self, train: Sequence[Item]) -> None:
        # Lemma and form by features and each suffix of the lemma, the empty one included
        self._pairs = defaultdict[tuple[tuple[str, ...], str], list[tuple[str, str]]](list)
        for item in train:
            lemma, form = "".join(item.source), "".join(item.target or "")
            for start in range(len(lemma) + 1):
                self._pairs[item.tags, lemma[start:]].append((lemma, form))

    def inflect(self, item: Item) -> str:
        """Return the most frequent solution, the first of several; without any, the lemma."""
        lemma = "".join(item.source)
        suffixes = ((item.tags, lemma[start:]) for start in range(len(lemma) + 1))
        pairs = next((self._pairs[key] for key in suffixes if key in self._pairs), [])
        solutions = (solve(known, form, lemma) for known, form in pairs)
        counts = Counter(form for form in solutions if form is not None)
        return next((form for form, _ in counts.most_common(1)), lemma)


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
        made = make_items([data.train[line] for line in learnt], data, seed_of(*key, "made"))
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


def make_items(items: Sequence[Item], data: Data, seed: int) -> list[Item]:
    """Make items of the rare rules of items; invented roots have the characters of the language."""
    draw, (characters, _) = np.random.default_rng(seed), alphabets(data.train)

    def invent() -> str:
        return "".join(draw.choice(characters.symbols, draw.integers(1, LONGEST + 1)))

    rules = affix_rules(items).items()
    return [item for rule, count in rules if count < RARE for item in grow(rule, MADE, invent)]


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


def train(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Answers | KasuError]:
    """Train the parts that members need, each once; answer with the best part of each member.

    A network that diverges is not chosen; it is an error where it is asked for alone.
    """
    found: dict[Run, Answers | KasuError] = {}
    parts = dict.fromkeys(
        Run(part, member.seed) for member in members for part in VARIANTS[member.variant or ""]
    )
    neural = [run for run in parts if run.variant in NEURAL]
    if neural and data.train:
        found.update(NETWORKS.train(data, neural, options, session))
    # Rules draw nothing: one answer serves all seeds. Without a pair to learn from, networks answer
    # with the lemma, as analogies do
    left = [run for run in parts if run not in found]
    if plain := [run for run in left if run.variant == "baseline"]:
        inflect = partial(Baseline(data.train).inflect, ties="published")
        found.update(dict.fromkeys(plain, answer(data, inflect)))
    if others := [run for run in left if run.variant != "baseline"]:
        found.update(dict.fromkeys(others, answer(data, Holistic(data.train).inflect)))
    return {member: choose(member, found, data) for member in members}


def choose(
    member: Run, found: Mapping[Run, Answers | KasuError], data: Data
) -> Answers | KasuError:
    """Return the answers of the part that is best on dev, without those that are dropped."""
    parts = {part: found[Run(part, member.seed)] for part in VARIANTS[member.variant or ""]}
    if len(parts) == 1:
        return parts.popitem()[1]
    dropped = [*NEURAL] if member.variant == "incomplete" else []
    kept, accuracies = {}, {}
    for part, answers in parts.items():
        if isinstance(answers, Answers):
            kept[part] = Answers(*map(drop_rest, answers)) if part in dropped else answers
            # Of what is dropped, print counts nothing in its figures on dev
            count = len(data.dev) // BATCH * BATCH if part in dropped else len(data.dev)
            pairs = zip(answers.dev[:count], data.dev, strict=False)
            right = sum(each.forms[0] == "".join(item.target or "") for each, item in pairs)
            accuracies[part] = right / max(count, 1)
    (best,) = best_on_dev(accuracies, 1)
    log.info("waseda, %s, %s: %s answers", data.language, data.setting, best)
    return kept[best]


def drop_rest(answers: Sequence[Answer]) -> list[Answer]:
    """Return the answers of full batches; those of a last one that is not full are empty."""
    rest = len(answers) % BATCH
    return [*answers[: len(answers) - rest], *[Answer([""])] * rest]


FAMILY = CustomFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"waseda-01": alone},
    has_networks=True,
    trained_by=train,
)
