"""New York University: an encoder for the lemma, and one each for the words before and after it.

The words are read as units of byte pair encoding; the decoder attends to all three encoders. When
20 epochs bring no better accuracy on dev, training goes back to the best epoch, at half the rate.
Five restarts vote; of a tie, the one that is best on dev decides.

Source: Kann, Lauly & Cho (2018 §3). The paper names neither the number of units nor the first rate,
and calls what is counted steps; here it is epochs. Accuracy after an epoch is that of some items.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from kasu.config.settings import Positive, Section, Share, Size
from kasu.transduction.alphabet import Alphabet, alphabets
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, alone, vote_by_dev
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.cloze.networks.three_encoders import ThreeEncoders
    from kasu.transduction.networks.training import Recipe


class Settings(Section):
    """Sizes and rates of New York University's network."""

    hidden: Size = Field(default=300, description="Width of states, per direction in encoders.")
    embedding: Size = Field(default=100, description="Width of embedded characters and units.")
    dropout: Share = Field(
        default=0.5,
        lt=1,
        title="a share of 0 or more, below 1",
        description="Share of what each layer reads that training drops.",
    )
    merges: Size = Field(default=500, description="Pairs of units that are joined to one.")
    learning_rate: Positive = Field(default=0.001, description="The first one of Adam.")
    least_rate: Positive = Field(default=0.0001, description="A rate below it ends training.")
    patience: Size = Field(
        default=20, description="Epochs without a better one that halve the rate."
    )
    dev_items: Size = Field(
        default=300,
        description="How many items of dev, the first, are answered after an epoch.",
    )


def symbols(items: Sequence[Item]) -> tuple[Alphabet, Mapping[str, int]]:
    """Collect the characters of training items; count the forms in their sentences."""
    from kasu.cloze.context.words import tokens_of

    forms = Counter(token.form for token in tokens_of(items) if token.form)
    return alphabets(items)[0], forms


def network(
    characters: Alphabet, forms: Mapping[str, int], setting: str, settings: Settings, variant: str
) -> "ThreeEncoders":
    """Return the network."""
    from kasu.cloze.context.subwords import learn_subwords
    from kasu.cloze.networks.three_encoders import ThreeEncoders

    return ThreeEncoders(
        characters,
        learn_subwords(forms, settings.merges),
        embedding=settings.embedding,
        size=settings.hidden,
        dropout=settings.dropout,
    )


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with single items and Adam, whose rate is halved until it is too low."""
    from kasu.neural.optimizers import adam
    from kasu.neural.stopping import Halve
    from kasu.transduction.networks.training import Recipe

    rate = settings.learning_rate
    return Recipe(
        batch_size=1,
        epochs=5 * settings.patience,
        stop=Halve(settings.patience, rate, settings.least_rate),
        optimizers=adam(rate),
        validated=data.dev[: settings.dev_items],
    )


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    members={"track2-low": 5},
    submissions={"nyu": vote_by_dev, "nyu-single": alone},
    symbols=symbols,
    network=network,
    recipe=recipe,
    width=5,
)
