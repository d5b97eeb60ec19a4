"""ua-02 (Najafi et al. 2018): an edit transducer that learns from alignments.

The system is HAEM of Makarov et al. (2017). Here it is the network of the University of Zurich, at
the sizes of 2018. It learns the actions that follow from a statistical alignment of the training
set, and nothing else.
"""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from kasu.base.run import seed_of
from kasu.inflection.systems import uzh
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import train_networks

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.transducer import EditTransducer

VARIANTS: Mapping[str, object] = {}
WIDTH = uzh.WIDTH
MEMBERS = {"low": 1}
SUBMISSIONS = {"ua-02": alone}

Settings = uzh.Settings


class Aligning(NamedTuple):
    """Sizes, and the seed of the member, which draws its own alignment."""

    sizes: uzh.Settings
    seed: int | None


def settle(settings: uzh.Settings, language: str, setting: str, seed: int | None) -> Aligning:
    """Give each member an alignment of its own."""
    return Aligning(settings, seed)


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Aligning, variant: str
) -> "EditTransducer":
    """The network of the University of Zurich."""
    return uzh.network(characters, tags, setting, settings.sizes, "released")


def recipe(data: Data, settings: Aligning, variant: str) -> "Recipe":
    """As in Zurich, but with a teacher that knows alignments only."""
    from dataclasses import replace

    from kasu.transduction.alignments.crp_alignment import align_by_crp
    from kasu.transduction.edits.actions import aligned_oracle
    from kasu.transduction.edits.imitation import Alignments

    pairs = [("".join(item.source), "".join(item.target or "")) for item in data.train]
    seed = seed_of("ua_02", data.language, data.setting, settings.seed, "alignment")
    alignments = zip(data.train, align_by_crp(pairs, seed=seed), strict=True)
    teacher = Alignments({item: aligned_oracle(columns) for item, columns in alignments})
    return replace(uzh.recipe(data, settings.sizes, "released"), teacher=teacher)


train = partial(train_networks, __name__)
