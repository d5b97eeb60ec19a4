"""The families of the study, one for each file of `kasu.cloze.systems`."""

from kasu.cloze.data.names import SETTINGS
from kasu.transduction.members.families import Families

FAMILIES = Families("kasu.cloze.systems", SETTINGS)
