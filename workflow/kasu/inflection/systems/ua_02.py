"""ua-02 (Najafi et al. 2018): an edit transducer that learns from alignments.

The system is HAEM of Makarov et al. (2017). Here it is the network of the University of Zurich, at
the sizes of 2018. It learns the actions that follow from a statistical alignment of the training
set, which each member draws, and nothing else.
"""

from typing import TYPE_CHECKING

from kasu.inflection.systems import uzh
from kasu.job.run import seed_of
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import Drawing, NetworkFamily, drawing

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.transducer import EditTransducer


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Drawing, variant: str
) -> "EditTransducer":
    """Return the network of the University of Zurich."""
    return uzh.network(characters, tags, setting, settings.settings, "released")


def recipe(data: Data, settings: Drawing, variant: str) -> "Recipe":
    """Return Zurich's recipe with a teacher that knows alignments only."""
    from dataclasses import replace

    from kasu.transduction.alignments.crp_alignment import align_by_crp
    from kasu.transduction.edits.actions import aligned_oracle
    from kasu.transduction.edits.imitation import Alignments

    pairs = [("".join(item.source), "".join(item.target or "")) for item in data.train]
    seed = seed_of("ua_02", data.language, data.setting, settings.seed, "alignment")
    alignments = zip(data.train, align_by_crp(pairs, seed=seed), strict=True)
    teacher = Alignments({item: aligned_oracle(columns) for item, columns in alignments})
    return replace(uzh.recipe(data, settings.settings, "released"), teacher=teacher)


FAMILY = NetworkFamily(
    __name__,
    settings=uzh.Settings,
    members={"low": 1},
    submissions={"ua-02": alone},
    settle=drawing,
    network=network,
    recipe=recipe,
    width=uzh.FAMILY.width,
)
