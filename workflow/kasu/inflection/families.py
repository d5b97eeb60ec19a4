"""The families of the study, one for each file of `kasu.inflection.systems`."""

from kasu.transduction.members.families import Families
from kasu.transduction.task.settings import SIZES

FAMILIES = Families("kasu.inflection.systems", SIZES)
