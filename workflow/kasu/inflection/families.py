"""The families of the study: a file of `kasu.inflection.systems` is one."""

from kasu.transduction.members.families import Families

FAMILIES = Families("kasu.inflection.systems")
