"""The imitation learning of edit transducers that all systems of the University of Zurich share.

Source: Makarov & Clematide (2018) §4, Table 1; what the paper leaves open is as in the released
code. Torch is imported inside functions, since plans import families.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pydantic import Field

from kasu.config.settings import Section, Size, SizeOrNull
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Item

if TYPE_CHECKING:
    from kasu.neural.recurrent.networks import Kind
    from kasu.transduction.edits.imitation import Expert, Teacher
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.transducer import Constant, EditTransducer

BEAM = 4
LIMIT = 150  # actions
EPOCHS = {"low": 60, "medium": 50, "high": 30}
PATIENCE = {"low": 20, "medium": 15, "high": 5}


class Variant(NamedTuple):
    """What differs between variants.

    Attributes:
        static: learn alignments instead; of the other settings, only `cell` counts.
        others: see kasu.transduction.edits.imitation.Expert.
    """

    k: float | None = 12.0
    uniform: bool = False
    rolled_out: float = 0.5
    beta: float = 0.0
    static: bool = False
    cell: "Kind" = "coupled"

    def expert(self) -> "Expert":
        """Return the teacher of a variant that is not static."""
        from kasu.transduction.edits.imitation import Expert

        return Expert(LIMIT, self.k, self.uniform, self.rolled_out, self.beta)


RELEASED = Variant()
PAPER = Variant(uniform=True, beta=5.0)
"""In the paper's equations the expert draws uniformly, and roll-outs pay for their distance."""


class TransducerSettings(Section):
    """Sizes of a transducer."""

    hidden: Size = Field(default=200, description="Width of states, per direction in the encoder.")
    embedding: Size = Field(default=100, description="Width of embedded characters and actions.")
    epochs: SizeOrNull = Field(
        default=None, description="Epochs at most; null: 60, 50 and 30 by setting."
    )


def transducer(
    characters: Alphabet, constant: "Constant", settings: TransducerSettings, kind: "Kind"
) -> "EditTransducer":
    """Return a network that copies, deletes and inserts."""
    from kasu.transduction.edits.actions import COPY, DELETE, ActionAlphabet
    from kasu.transduction.networks.transducer import EditTransducer

    return EditTransducer(
        ActionAlphabet(characters.symbols, [COPY, DELETE]),
        constant,
        embedding=settings.embedding,
        size=settings.hidden,
        kind=kind,
        limit=LIMIT,
    )


def imitation_recipe(
    dev: Sequence[Item], size: str, settings: TransducerSettings, teacher: "Teacher"
) -> "Recipe":
    """Return a recipe: single items, DyNet's Adadelta and clipping, the best epoch on dev."""
    from kasu.neural.optimizers import adadelta, clip_norm
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe

    epochs = settings.epochs or EPOCHS[size]
    return Recipe(
        batch_size=1,
        epochs=epochs,
        stop=Patience(PATIENCE[size] if dev else epochs, epochs),
        optimizers=adadelta(),
        clip=clip_norm(5.0),
        validated=dev,
        teacher=teacher,
    )
