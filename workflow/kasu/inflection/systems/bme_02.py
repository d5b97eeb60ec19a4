"""bme-02 (Ács 2018): a vote of all fifteen configurations that bme-01 is chosen from.

Each member has a configuration of its own; they come in the order of how often the authors chose
them. Ties go to the member of higher accuracy on dev.
"""

from collections import Counter
from typing import TYPE_CHECKING

from kasu.inflection.systems import bme
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, vote_by_dev
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.two_headed import TwoHeaded


def settle(
    settings: bme.Settings, language: str, setting: str, seed: int | None
) -> bme.Configuration:
    """Return the member's own configuration."""
    chosen = Counter(bme.read_configurations(settings.configurations).values()).most_common()
    found, _ = chosen[((seed or 1) - 1) % len(chosen)]
    return found._replace(
        batch=bme.BATCH.get(language, found.batch), epochs=min(found.epochs, settings.epochs)
    )


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: bme.Configuration, variant: str
) -> "TwoHeaded":
    """Return the network of a configuration."""
    return bme.network(characters, tags, setting, settings, "recorded")


def recipe(data: Data, settings: bme.Configuration, variant: str) -> "Recipe":
    """Return the recipe of bme-01."""
    return bme.recipe(data, settings, "recorded")


FAMILY = NetworkFamily(
    __name__,
    settings=bme.Settings,
    members={"low": 15, "medium": 15, "high": 15},
    submissions={"bme-02": vote_by_dev},
    files=bme.FAMILY.files,
    settle=settle,
    network=network,
    recipe=recipe,
)
