"""RACAI: a transducer that focuses on one character of the lemma and moves its focus by actions.

Instead of attention, the decoder reads the character at its focus, and either writes a character,
copies the one at the focus, or moves on. It does not read what it has written. What was submitted
suffered from a bug that left all weights but the recurrent ones as they were drawn.

The system was written in DyNet. What the paper leaves open is as in a lemmatizer that the authors
released, of the same actions (NLP-Cube): DyNet draws the weights and cuts the gradient of a batch's
summed loss to a norm of 5, and the first epoch is compared with the network before it. So an
accuracy of 0 is no gain, and a training that has nothing to show on dev for twenty epochs ends.

Source: Dumitrescu & Boroș (2018).
"""

from typing import TYPE_CHECKING

from pydantic import Field

from kasu.config.settings import Section, Size
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.transduction.networks.pointing import PointingTransducer
    from kasu.transduction.networks.training import Recipe

VARIANTS = {
    "submitted": {"frozen": True, "waits": False},
    "corrected": {"frozen": False, "waits": False},
    "patient": {"frozen": False, "waits": True},
}
"""`corrected` is what the paper reports besides, trained anew after the deadline.

`patient` is ours: it counts epochs without a gain only once a form has been right.
"""

LAYERS = 2
BATCH = 1000  # words
PATIENCE = 20  # epochs without a better accuracy on dev; at first, without one above 0


class Settings(Section):
    """Sizes of RACAI's network."""

    hidden: Size = Field(default=200, description="Width of states, per direction in the encoder.")
    embedding: Size = Field(default=100, description="Width of embedded characters and features.")
    epochs: Size = Field(
        default=500,
        description="Epochs at most; 20 without a better accuracy on dev end the training.",
    )


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Settings, variant: str
) -> "PointingTransducer":
    """Return the network of a variant."""
    from kasu.neural.dynet import draw_network
    from kasu.transduction.edits.actions import COPY, MOVE, ActionAlphabet
    from kasu.transduction.networks.pointing import PointingTransducer

    made = PointingTransducer(
        ActionAlphabet(characters.symbols, [COPY, MOVE]), tags,
        embedding=settings.embedding, size=settings.hidden, layers=LAYERS,
    )  # fmt: skip
    draw_network(made)
    if VARIANTS[variant]["frozen"]:
        for part in (made.table, made.features, made.output):
            part.requires_grad_(False)
    return made


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with Adam over batches of 1,000 words, which keeps the best epoch on dev."""
    from kasu.neural.optimizers import adam, clip_norm
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe

    return Recipe(
        batch_size=BATCH,
        epochs=settings.epochs,
        stop=Patience(PATIENCE, settings.epochs, above=0.0, waits=VARIANTS[variant]["waits"]),
        optimizers=adam(0.001),
        # DyNet's 5 is for the summed loss; ours is a mean over the batch. Adam sees no difference
        clip=clip_norm(5.0 / BATCH),
        validated=data.dev,
    )


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"high": 1},
    submissions={"racai-01": alone},
    network=network,
    recipe=recipe,
)
