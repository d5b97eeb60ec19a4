"""The reader of the study's datasets, for training members."""

from kasu.cloze.data.items import read_split
from kasu.corpora.texts.spelling import lower_case
from kasu.transduction.members.packs import Reader

# Accuracy on dev ignores case, as the scorer does
READER = Reader(read_split, lower_case)
