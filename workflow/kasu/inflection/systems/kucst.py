"""KU-CST: three encoders, of which the third reads the lemma from its ends to its centre.

Their outputs at one place of the lemma are joined, and the decoder attends to them. For half of the
items it reads what it has written itself.

Source: Agirrezabal (2018). Attention is that of Bahdanau et al. (2015), whom the paper cites. It
does not name the optimizer, its rate or dropout: they are those of the translation example that
comes with PyTorch, from which the program was made.
"""

from typing import TYPE_CHECKING

from pydantic import Field

from kasu.config.settings import Positive, Section, Size, SizeOrNull
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.transduction.layers.encoder import Order
    from kasu.transduction.networks.ordered_seq2seq import OrderedSeq2Seq
    from kasu.transduction.networks.training import Recipe

VARIANTS: "dict[str, tuple[Order, ...]]" = {
    "three_orders": ("forward", "backward", "outside_in"),
    "two_orders": ("forward", "backward"),
}

EPOCHS = {"low": 20, "medium": 15, "high": 5}
FORCED = 0.5
DROPOUT = 0.1


class Settings(Section):
    """Sizes of KU-CST's network."""

    hidden: Size = Field(default=128, description="Width of states, in encoders and decoder.")
    embedding: Size = Field(default=128, description="Width of embedded characters.")
    epochs: SizeOrNull = Field(default=None, description="Epochs; null: 20, 15 and 5 by setting.")
    learning_rate: Positive = Field(default=0.01, description="Of stochastic gradient descent.")


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Settings, variant: str
) -> "OrderedSeq2Seq":
    """Return the network of a variant."""
    from kasu.transduction.networks.ordered_seq2seq import OrderedSeq2Seq

    return OrderedSeq2Seq(
        characters, tags, VARIANTS[variant], embedding=settings.embedding, size=settings.hidden,
        dropout=DROPOUT, forced=FORCED,
    )  # fmt: skip


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with plain gradient steps on single items, for a fixed number of epochs."""
    from kasu.neural.optimizers import sgd
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe

    epochs = settings.epochs or EPOCHS[data.setting]
    return Recipe(
        batch_size=1,
        epochs=epochs,
        stop=Patience(epochs, epochs),
        optimizers=sgd(settings.learning_rate),
    )


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"kucst-01": alone},
    network=network,
    recipe=recipe,
)
