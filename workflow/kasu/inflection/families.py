"""The families of the study, one for each file of `kasu.inflection.systems`."""

from kasu.transduction.members.families import Families
from kasu.transduction.members.learning import LearningFamily
from kasu.transduction.task.settings import SIZES

FAMILIES = Families("kasu.inflection.systems", SIZES)


def trainable() -> dict[str, LearningFamily]:
    """Return the families whose members learn from one language and can be saved, by name."""
    families = {name: FAMILIES.load(name) for name in FAMILIES.names}
    return {
        name: family
        for name, family in families.items()
        if isinstance(family, LearningFamily) and not family.pools
    }
