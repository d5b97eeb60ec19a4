"""AX Semantics' second system: edit actions from one vector, without attention or feedback.

A GRU makes one vector of lemma and features. A second one reads it at each of a fixed number of
steps, and each step gives an action: copy, delete, insert, or stop. Alignments shift the whole
lemma, as those of the baseline do.

Source: Madsack et al. (2018) §3. The paper leaves open embeddings, batches, epochs, when training
ends, and the order of actions where several columns of an alignment differ. The program was written
in Keras, whose first weights it has here.
"""

from typing import TYPE_CHECKING

from pydantic import Field

from kasu.config.settings import Section, Size, SizeOrNull
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.transduction.networks.repeating import RepeatingTransducer
    from kasu.transduction.networks.training import Recipe

VARIANTS = {"by_column": False, "grouped": True}
"""Whether all deletions between two copies come before all insertions."""

BATCH = 32
EPOCHS = {"low": 300, "medium": 300, "high": 100}
DROPOUT = 0.2


class Settings(Section):
    """Sizes of AX Semantics' network."""

    hidden: Size = Field(default=256, description="Width of states per direction.")
    embedding: Size = Field(default=64, description="Width of embedded characters and features.")
    steps: Size = Field(default=100, description="The most actions of a word.")
    epochs: SizeOrNull = Field(
        default=None,
        description=(
            "Most epochs, of which the best on dev is kept; null: 300, 300 and 100 by setting."
        ),
    )
    patience: Size = Field(
        default=20,
        description="Epochs without a gain on dev that end training, from the first right form on.",
    )


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Settings, variant: str
) -> "RepeatingTransducer":
    """Return the network, of the same size in all languages."""
    from kasu.neural.initial import draw_as_keras
    from kasu.transduction.edits.actions import COPY, DELETE, ActionAlphabet
    from kasu.transduction.networks.repeating import RepeatingTransducer

    made = RepeatingTransducer(
        ActionAlphabet(characters.symbols, [COPY, DELETE]), tags, embedding=settings.embedding,
        size=settings.hidden, steps=settings.steps, dropout=DROPOUT, grouped=VARIANTS[variant],
    )  # fmt: skip
    return draw_as_keras(made)


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with Adam, which keeps the best epoch on dev."""
    from kasu.neural.optimizers import adam
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe

    epochs = settings.epochs or EPOCHS[data.setting]
    return Recipe(
        batch_size=BATCH,
        epochs=epochs,
        stop=Patience(settings.patience, epochs, above=0.0, waits=True),
        optimizers=adam(0.001),
        validated=data.dev,
    )


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"axsemantics-02": alone},
    network=network,
    recipe=recipe,
)
