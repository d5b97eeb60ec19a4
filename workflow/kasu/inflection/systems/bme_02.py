"""bme-02 (Ács 2018): a vote of all fifteen configurations that bme-01 is chosen from.

Each member has a configuration of its own; they come in the order of how often the authors chose
them. Ties go to the member of higher accuracy on dev.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kasu.inflection.systems import bme
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, Member, vote
from kasu.transduction.members.networks import NetworkFamily
from kasu.transduction.voting import best_on_dev

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.two_headed import TwoHeaded


def vote_by_dev(members: Sequence[Member]) -> list[str]:
    """Let members vote, the one of higher accuracy on dev first."""
    accuracies = {place: member.dev_accuracy for place, member in enumerate(members)}
    return vote([members[place] for place in best_on_dev(accuracies, len(members))])


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
