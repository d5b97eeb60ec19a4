"""tuebingen-oslo-02 (Rama & Çöltekin 2018): tuebingen-oslo-03 with random words to copy.

For each training item there is another one, as long as the lemma, with the same features, whose
form is the lemma itself. Each member draws its own.
"""

from typing import TYPE_CHECKING

from kasu.inflection.systems import tuebingen_oslo_03
from kasu.job.run import seed_of
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import Drawing, NetworkFamily, drawing

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.vector_seq2seq import VectorSeq2Seq

VARIANTS = tuebingen_oslo_03.VARIANTS


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Drawing, variant: str
) -> "VectorSeq2Seq":
    """Return the network of tuebingen-oslo-03."""
    return tuebingen_oslo_03.network(characters, tags, setting, settings.settings, variant)


def recipe(data: Data, settings: Drawing, variant: str) -> "Recipe":
    """Return the recipe of tuebingen-oslo-03 with copies added.

    The size of batches follows from all items, copies included.
    """
    from dataclasses import replace

    from kasu.transduction.augmentation import random_copies

    seed = seed_of("tuebingen_oslo_02", data.language, data.setting, settings.seed, "copies")
    made = random_copies(data.train, seed)
    whole = data._replace(train=[*data.train, *made])
    return replace(tuebingen_oslo_03.recipe(whole, settings.settings, variant), made=made)


FAMILY = NetworkFamily(
    __name__,
    settings=tuebingen_oslo_03.Settings,
    variants=VARIANTS,
    members=tuebingen_oslo_03.FAMILY.members,
    submissions={"tuebingen-oslo-02": alone},
    settle=drawing,
    network=network,
    recipe=recipe,
)
