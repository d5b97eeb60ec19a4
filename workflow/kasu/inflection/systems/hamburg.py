"""Universität Hamburg: a transducer that copies letters, or changes their marks by patches.

A patch turns letters into others that look alike but for a mark, as o into ö and u into ü. It is
found in pictures of the letters of the training set. A network moves a pointer over the lemma; it
copies or patches the letter there, or writes another. Of four networks, of two sizes with patches
and without, the best on dev answers. Further ones may learn made items, too: words that have what
two items of the same features have in common.

Source: Schröder et al. (2018). The paper tries 36 configurations by five seeds each; the widths 32
of states and 8 of embeddings are left out here. It names neither its epochs nor its font. Ours are
at most 50, 100 and 200 epochs by setting; ten without a gain on dev end the training.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from pydantic import Field

from kasu.base.errors import KasuError
from kasu.config.settings import Section, Size, SizeOrNull
from kasu.job.run import log, seed_of
from kasu.transduction.alphabet import Alphabet, alphabets
from kasu.transduction.augmentation import agreeing, fill
from kasu.transduction.items import Item
from kasu.transduction.members.choice import Chosen, choose_on_dev, chosen_part
from kasu.transduction.members.families import Data, Run, Session, alone
from kasu.transduction.members.learning import ModelFamily, State
from kasu.transduction.members.networks import Drawing, NetworkFamily, drawing
from kasu.transduction.ngrams import Blanks

if TYPE_CHECKING:
    from kasu.transduction.edits.glyphs import Patches
    from kasu.transduction.networks.patching import PatchingTransducer
    from kasu.transduction.networks.training import Recipe


class Part(NamedTuple):
    """A network to choose from.

    Attributes:
        wide: its states are twice as wide.
        patches: it may patch.
        made: items made of each two of the same features.
    """

    wide: bool = False
    patches: bool = False
    made: int = 0


PARTS = {
    name + suffix: Part(wide, patches, made)
    for suffix, made in (("", 0), ("_made", 1), ("_made_five", 5))
    for name, wide, patches in (
        ("plain", False, False),
        ("patches", False, True),
        ("wide", True, False),
        ("wide_patches", True, True),
    )
}
NAMES = tuple(PARTS)

VARIANTS = {
    "chosen": NAMES[:4],
    "enhanced": NAMES[:8],
    "enhanced_five": NAMES,
    **{name: (name,) for name in NAMES},
}
"""The parts that a variant trains. Where several are best on dev, the first answers."""

EPOCHS = {"low": 200, "medium": 100, "high": 50}
PATIENCE = 10  # epochs without a better accuracy on dev
LONGEST = 5  # n-grams that fill the gaps of made words


class Settings(Section):
    """Sizes of Hamburg's networks."""

    hidden: Size = Field(default=64, description="Width of states; of the wide networks, half.")
    embedding: Size = Field(default=16, description="Width of embedded characters and actions.")
    epochs: SizeOrNull = Field(
        default=None,
        description=(
            "Epochs at most; null: 200, 100 and 50 by setting. Ten without a better accuracy on dev"
            " end the training."
        ),
    )


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Drawing, variant: str
) -> "PatchingTransducer":
    """Return the network of a part."""
    from kasu.transduction.edits.glyphs import Patches
    from kasu.transduction.networks.patching import PatchingTransducer

    part, sizes = PARTS[variant], settings.settings
    return PatchingTransducer(
        characters.symbols, tags, Patches(characters.symbols if part.patches else ()),
        embedding=sizes.embedding, size=sizes.hidden * (2 if part.wide else 1),
    )  # fmt: skip


def recipe(data: Data, settings: Drawing, variant: str) -> "Recipe":
    """Return a recipe with Adam, item by item, which keeps the best epoch on dev."""
    from kasu.neural.optimizers import adam
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe

    epochs = settings.settings.epochs or EPOCHS[data.setting]
    return Recipe(
        batch_size=1,
        epochs=epochs,
        stop=Patience(PATIENCE, epochs),
        optimizers=adam(0.005, decay=0.001),
        validated=data.dev,
        made=make_items(data, PARTS[variant].made, settings.seed),
    )


def make_items(data: Data, count: int, seed: int | None) -> list[Item]:
    """Make so many items of each two training items of the same features."""
    if not count:
        return []
    words = [word for item in data.train for word in (item.source, item.target or "")]
    blanks = Blanks(LONGEST).fit(words)
    draw = np.random.default_rng(seed_of("hamburg", data.language, data.setting, seed, "made"))
    return [fill(pattern, blanks, draw) for pattern in agreeing(data.train) for _ in range(count)]


NETWORKS = NetworkFamily(
    __name__,
    settings=Settings,
    variants=PARTS,
    members={},
    submissions={},
    settle=drawing,
    network=network,
    recipe=recipe,
)


def run_of(name: str, seed: int | None, patches: "Patches") -> Run:
    """Return the network of a part; without patches, that of the part which does without."""
    part = PARTS[name] if len(patches) else PARTS[name]._replace(patches=False)
    return Run(next(each for each, known in PARTS.items() if known == part), seed)


def learn(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Chosen | KasuError]:
    """Train the parts that members need, each once; each member keeps its best one.

    In a language without patches, parts with them are as those without, and not trained.
    """
    patches = patches_of(data)
    log.info(
        "hamburg, %s, %s: patches %d, pairs of letters %d, letters that the font lacks %d",
        data.language, data.setting, len(patches), sum(map(len, patches.pairs)),
        len(patches.missing),
    )  # fmt: skip
    runs = {
        member: {part: run_of(part, member.seed, patches) for part in VARIANTS[str(member.variant)]}
        for member in members
    }
    trained = dict.fromkeys(run for parts in runs.values() for run in parts.values())
    found = NETWORKS.learn(data, [*trained], options, session)
    return choose_on_dev("hamburg", data, runs, found)


def patches_of(data: Data) -> "Patches":
    """Return the patches between the letters of the training set."""
    from kasu.transduction.edits.glyphs import Patches

    return Patches(alphabets(data.train)[0].symbols)


def load(data: Data, member: Run, options: Mapping[str, object], state: State) -> Chosen:
    """Load the network of a member."""
    name, weights = chosen_part(state, VARIANTS[str(member.variant)])
    run = run_of(name, member.seed, patches_of(data))
    return Chosen(name, NETWORKS.load(data, run, options, weights))


FAMILY = ModelFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"hamburg-01": alone},
    has_networks=True,
    needs_items=False,
    learnt_by=learn,
    loaded_by=load,
)
