"""The demo's Basque treebank."""

import sys
from pathlib import Path

import pytest

from kasu.corpora.treebanks.treebank import features, read_treebank

BASQUE = Path(__file__).resolve().parents[3] / "tools" / "demo" / "basque"
sys.path.insert(0, str(BASQUE))

import treebank  # noqa: E402
from articles import write_articles  # noqa: E402


@pytest.mark.parametrize(("split", "count"), [("train", 336), ("dev", 168), ("test", 168)])
def test_the_generator_writes_the_tracked_treebank_byte_for_byte(split, count):
    path = treebank.TREEBANK / treebank.path_of(split)
    assert treebank.conllu(write_articles(), split).encode() == path.read_bytes()
    sentences = [*read_treebank(path)]  # a tree each
    assert len(sentences) == count
    for sentence in sentences:
        assert sentence.surface() == sentence.text
        marked = [word for word in sentence.words if word.upos == "NOUN"]
        assert all(features(word.feats).keys() == {"Case", "Number"} for word in marked)
