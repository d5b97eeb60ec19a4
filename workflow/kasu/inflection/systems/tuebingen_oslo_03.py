"""tuebingen-oslo-03: an encoder-decoder without attention that reads the features at every step.

A bidirectional LSTM encodes the lemma. Its final state is where the decoder starts, an LSTM that
reads the previous character and the features. Words are cut to 30 characters.

Source: Rama & Çöltekin (2018). The paper leaves open how the decoder takes over both directions of
the final state: here by an affine map. It does not name its library either, whose first weights
make a difference (docs/inflection-systems.md).
"""

from typing import TYPE_CHECKING

from pydantic import Field

from kasu.config.settings import Section, Size
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.vector_seq2seq import VectorSeq2Seq

VARIANTS = {"keras": (True, False), "torch": (False, False), "padded": (True, True)}
"""Whether the first weights are those of Keras, and whether the encoder reads padding."""

LONGEST = 30  # characters
PATIENCE = 5  # epochs without a lower loss on dev
FEW = 1000  # items


class Settings(Section):
    """Sizes of Tübingen-Oslo's network."""

    hidden: Size = Field(default=256, description="Width of states, per direction in the encoder.")
    epochs: Size = Field(
        default=200, description="Epochs at most; 5 without a lower loss on dev end the training."
    )


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Settings, variant: str
) -> "VectorSeq2Seq":
    """Return the network, of the same size in all languages."""
    from kasu.neural.initial import draw_as_keras
    from kasu.transduction.networks.vector_seq2seq import VectorSeq2Seq

    keras, padded = VARIANTS[variant]
    made = VectorSeq2Seq(
        characters, tags, settings.hidden, fed=False, truncated=LONGEST, padded=padded
    )
    return draw_as_keras(made) if keras else made


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with Adam, which ends when the loss on dev no longer falls."""
    from kasu.neural.optimizers import adam
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe

    return Recipe(
        batch_size=32 if len(data.train) <= FEW else 128,
        epochs=settings.epochs,
        stop=Patience(PATIENCE if data.dev else settings.epochs, settings.epochs),
        optimizers=adam(0.001),
        validated=data.dev,
        measure="loss",
    )


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"tuebingen-oslo-03": alone},
    network=network,
    recipe=recipe,
)
