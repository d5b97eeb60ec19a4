"""The families of the study: a file of `kasu.cloze.systems` is one."""

from kasu.transduction.members.families import Families

FAMILIES = Families("kasu.cloze.systems")
