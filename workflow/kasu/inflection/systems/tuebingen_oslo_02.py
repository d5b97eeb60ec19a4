"""tuebingen-oslo-02 (Rama & Çöltekin 2018): tuebingen-oslo-03 with random words to copy.

For each training item there is another one, as long as the lemma, with the same features, whose
form is the lemma itself.
"""

from functools import partial
from typing import TYPE_CHECKING

from kasu.base.run import seed_of
from kasu.inflection.systems import tuebingen_oslo_03
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import train_networks

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Recipe

VARIANTS = tuebingen_oslo_03.VARIANTS
WIDTH = tuebingen_oslo_03.WIDTH
MEMBERS = tuebingen_oslo_03.MEMBERS
SUBMISSIONS = {"tuebingen-oslo-02": alone}

Settings = tuebingen_oslo_03.Settings
network = tuebingen_oslo_03.network


def recipe(data: Data, settings: tuebingen_oslo_03.Settings, variant: str) -> "Recipe":
    """As without the copies, whose number does not change the size of batches."""
    from dataclasses import replace

    from kasu.transduction.augmentation import random_copies

    seed = seed_of("tuebingen_oslo_02", data.language, data.setting, "copies")
    made = random_copies(data.train, seed)
    return replace(tuebingen_oslo_03.recipe(data, settings, variant), made=made)


train = partial(train_networks, __name__)
