"""IIT (BHU) and IIIT Hyderabad: a pointer-generator that encodes and attends to features apart.

Two bidirectional LSTMs encode the lemma and its features. A decoder attends to both, and generates
each character or copies one of the lemma. The second submission is a vote over five, three or one
members by setting.

Source: Sharma et al. (2018); what the paper leaves open is as in the released code.
"""

import random
from typing import TYPE_CHECKING, NamedTuple

from pydantic import Field

from kasu.config.settings import Section, Size, SizeOrNull
from kasu.transduction.members.families import Data, alone, vote
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.transduction.alphabet import Alphabet
    from kasu.transduction.networks.seq2seq import TwoEncoders
    from kasu.transduction.networks.training import Recipe


class Variant(NamedTuple):
    """The choices in which variants differ.

    Attributes:
        fixed: the features are one vector, the last state of their encoder (§5.3).
        longest: length of the longest answer, in characters; None for no bound.
    """

    fixed: bool = False
    longest: int | None = 25


VARIANTS = {
    "released": Variant(),
    "unbounded": Variant(longest=None),
    "no_tag_attention": Variant(fixed=True),
}

EMBEDDING = {"low": 100, "medium": 100, "high": 300}
DROPOUT = {"low": 0.5, "medium": 0.5, "high": 0.3}
EPOCHS = {"low": 300, "medium": 80, "high": 60}
FURTHER = {"low": 100, "medium": 20, "high": 10}  # epochs after a late best one


class Settings(Section):
    """Sizes of IIT (BHU)'s network."""

    hidden: Size = Field(default=100, description="Width of states, per direction in encoders.")
    embedding: SizeOrNull = Field(
        default=None, description="Width of embeddings; null: 100, 100 and 300 by setting."
    )
    epochs: SizeOrNull = Field(
        default=None,
        description=(
            "Epochs; null: 300, 80 and 60 by setting, and more as long as the best is a late one."
        ),
    )


def network(
    characters: "Alphabet", tags: "Alphabet", setting: str, settings: Settings, variant: str
) -> "TwoEncoders":
    """Return the network of a variant."""
    from torch import nn

    from kasu.neural.recurrent.networks import Recurrent
    from kasu.transduction.layers.encoder import Encoder
    from kasu.transduction.layers.pointer_generator import PointerGenerator
    from kasu.transduction.networks.seq2seq import TwoEncoders

    hidden, embedding = settings.hidden, settings.embedding or EMBEDDING[setting]
    table = nn.Embedding(len(characters), embedding)  # encoder and decoder share it
    lemma, features = (
        Encoder(each, Recurrent("lstm", embedding, hidden, directions=2))
        for each in (table, nn.Embedding(len(tags), embedding))
    )
    fixed, longest = VARIANTS[variant]
    decoder = PointerGenerator(table, hidden, [2 * hidden] * 2, hidden)
    return TwoEncoders(
        characters, tags, lemma, features, decoder,
        dropout=DROPOUT[setting], fixed=fixed, longest=longest,
    )  # fmt: skip


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with Adam over batches of 32, which keeps the best epoch on a part of dev.

    Gradients are cut to a norm of 3.
    """
    from kasu.neural.optimizers import adam, clip_norm
    from kasu.neural.stopping import Extend, Patience
    from kasu.transduction.networks.training import Recipe

    first = settings.epochs or EPOCHS[data.setting]
    size = max(100, min(len(data.train) // 5, 1000))
    # The same items as in the released code if the data have not changed since
    draw = random.Random(42)  # noqa: S311 - no secret
    validated = draw.sample(data.dev, min(size, len(data.dev)))
    late = settings.epochs is None and bool(validated)
    return Recipe(
        batch_size=32,
        epochs=first,
        stop=Extend(first, FURTHER[data.setting]) if late else Patience(first, first),
        optimizers=adam(0.001),
        clip=clip_norm(3.0),
        validated=validated,
    )


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 5, "medium": 3, "high": 1},
    submissions={"iitbhu-iiith-01": alone, "iitbhu-iiith-02": vote},
    network=network,
    recipe=recipe,
)
