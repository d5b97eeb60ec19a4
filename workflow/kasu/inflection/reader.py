"""The reader of the study's datasets, for training members."""

from kasu.inflection.data.triples import read_items
from kasu.transduction.members.packs import Reader

READER = Reader(lambda path, setting, split: read_items(path))
