"""IIT (BHU) Varanasi: an encoder-decoder without attention that reads the lemma beside its output.

A bidirectional LSTM encodes the lemma. At every step the decoder reads the encoder's final output,
the features, the previous character, and the lemma's character at that place. Widths grow with the
alphabets.

Source: Jain & Singh (2018), after Faruqui et al. (2016). The paper leaves open how states begin and
what the width is exactly. Nor does it say whether the decoder reads the encoder's final output, as
in the system that it follows, or the output at its own place. The program was written in Keras,
whose first weights it has here.
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

VARIANTS = {"vector": False, "by_position": True}
"""Whether the decoder reads the encoder's output at its place, not the final one."""

BATCH = {"low": 10, "medium": 100, "high": 250}
WIDER = 5  # times the number of characters and features


class Settings(Section):
    """Sizes of IIT (BHU) Varanasi's network."""

    widest: Size = Field(
        default=512,
        description="The largest width; else it is five times the number of symbols and features.",
    )
    epochs: Size = Field(default=100, description="Epochs.")


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Settings, variant: str
) -> "VectorSeq2Seq":
    """Return a network as wide as the language needs."""
    from kasu.neural.dynet import draw_matrix
    from kasu.neural.initial import draw_as_keras
    from kasu.transduction.networks.vector_seq2seq import VectorSeq2Seq

    symbols = len(characters.symbols) + len(tags.symbols)
    size = min(WIDER * symbols, settings.widest)
    by_position = VARIANTS[variant]
    made = VectorSeq2Seq(characters, tags, size, fed=True, by_position=by_position)
    draw_as_keras(made)
    # To Keras, all that the decoder reads at a step is one vector
    decoder = made.decoder
    previous = decoder.cell.layers[0].input_projection().weight.squeeze(0)
    parts = [previous, decoder.cell.constant, decoder.beside.weight.mT]
    if by_position:
        parts.append(decoder.outputs.weight)
    draw_matrix(*parts, rows=4 * size)
    return made


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with RMSprop, which keeps the last of a fixed number of epochs."""
    from kasu.neural.optimizers import rmsprop
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe

    return Recipe(
        batch_size=BATCH[data.setting],
        epochs=settings.epochs,
        stop=Patience(settings.epochs, settings.epochs),
        optimizers=rmsprop(0.001),
    )


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"iit-varanasi-01": alone},
    network=network,
    recipe=recipe,
)
