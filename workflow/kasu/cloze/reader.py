"""The reader of the study's datasets, for training members."""

from kasu.cloze.data.items import read_split
from kasu.corpora.texts.spelling import lower_case
from kasu.transduction.members.packs import Reader

# As the scorer does, accuracy on dev takes capitals and small letters for the same
READER = Reader(read_split, lower_case)
