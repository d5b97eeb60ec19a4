"""The families of the study, one for each file of `kasu.inflection.systems`."""

from kasu.transduction.members.families import Families

FAMILIES = Families("kasu.inflection.systems")
