"""msu-04: a network that writes characters and moves a pointer over the lemma, with a copy gate.

It learns from alignments. These are sampled, from the abstract paradigms of msu-02 on, and tell the
characters of endings from others. The paper calls the system M1.

Source: Sorokin (2018) §2.1, after Makarov et al. (2017); details as in the released code. There the
accuracy on dev that ends the training is Keras': the share of right characters and steps.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import Field

from kasu.config.settings import Section, Size
from kasu.inflection.systems.msu_02 import DenseWidth, FeatureWidth, by_class
from kasu.job.run import seed_of
from kasu.transduction.alphabet import Alphabet, alphabets
from kasu.transduction.edits.actions import MOVE, ActionAlphabet, moving_oracle
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.transduction.networks.pointer_lm import StepSizes, StepTransducer
    from kasu.transduction.networks.training import Recipe


class Variant(NamedTuple):
    """What differs between variants.

    Attributes:
        gate: whether the network may copy.
        paradigms: sampling starts from abstract paradigms, not from any common subsequence.
        endings: the symbols of endings are others in alignments.
    """

    gate: bool = True
    paradigms: bool = True
    endings: bool = True


VARIANTS = {
    "released": Variant(),
    "no_gate": Variant(gate=False),
    "no_paradigms": Variant(paradigms=False),
    "no_endings": Variant(endings=False),
}

BATCH, BEAM, PATIENCE, DROPOUT = 32, 10, 15, 0.2

History = Annotated[Size, Field(description="Own outputs that the decoder reads.")]


class Settings(Section):
    """Sizes of MSU's network."""

    embedding: Size = Field(default=32, description="Width of embedded characters.")
    encoder: Size = Field(default=96, description="Width of encoder states, per direction.")
    hidden: Size = Field(default=128, description="Width of decoder states.")
    feature: FeatureWidth = 48
    dense: DenseWidth = 96
    history: History = 4
    epochs: Size = Field(
        default=100, description="Epochs at most; 15 without a gain on dev end the training."
    )


def symbols(items: Sequence[Item]) -> tuple[ActionAlphabet, Alphabet]:
    """Return the characters and MOVE, and the features."""
    characters, tags = alphabets(items)
    return ActionAlphabet(characters.symbols, [MOVE]), tags


def network(
    characters: ActionAlphabet, tags: Alphabet, setting: str, settings: Settings, variant: str
) -> "StepTransducer":
    """Return the network of a variant."""
    from kasu.neural.initial import draw_as_keras
    from kasu.transduction.networks.pointer_lm import StepTransducer

    gate = VARIANTS[variant].gate
    return draw_as_keras(
        StepTransducer(characters, tags, sizes(settings), dropout=DROPOUT, gate=gate)
    )


def sizes(settings: Settings) -> "StepSizes":
    """Return the sizes of a network."""
    from kasu.transduction.networks.pointer_lm import StepSizes

    return StepSizes(
        settings.embedding, settings.encoder, settings.hidden, settings.feature, settings.dense,
        settings.history,
    )  # fmt: skip


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with Adam, and alignments as the teacher."""
    from kasu.neural.optimizers import adam, clip_norm
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe, bucket_size, by_length

    size = bucket_size(len(data.train), BATCH)
    actions = align(data, VARIANTS[variant])
    return Recipe(
        batch_size=size,
        epochs=settings.epochs,
        stop=Patience(PATIENCE if data.dev else settings.epochs, settings.epochs),
        optimizers=adam(0.001),
        clip=clip_norm(5),
        validated=data.dev,
        measure="symbols",
        order=by_length([len(actions[item]) for item in data.train], size),
        teacher=actions,
    )


def align(data: Data, variant: Variant) -> dict[Item, list[str]]:
    """Return the actions of each item of train and dev by its alignment; dev helps no others."""
    from kasu.transduction.alignments.crp_alignment import align_by_crp
    from kasu.transduction.alignments.edit_distance import common_subsequence
    from kasu.transduction.alignments.paradigms import fewest_cuts

    train, dev = (
        [("".join(item.source), "".join(item.target or "")) for item in items]
        for items in (data.train, data.dev)
    )
    columns = align_by_crp(
        train,
        seed=seed_of("msu", data.language, data.setting, "alignment"),
        start=fewest_cuts if variant.paradigms else common_subsequence,
        endings=variant.endings,
        further=dev,
    )
    return dict(zip([*data.train, *data.dev], map(moving_oracle, columns), strict=True))


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"msu-04": alone},
    symbols=symbols,
    prepare=by_class,
    network=network,
    recipe=recipe,
    width=BEAM,
)
