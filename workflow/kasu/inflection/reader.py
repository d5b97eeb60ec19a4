"""How members of the study get their data."""

from kasu.inflection.data.triples import read_items
from kasu.transduction.members.packs import Reader

READER = Reader(lambda path, setting, split: read_items(path))
