"""Families whose members are networks."""

import logging

from kasu.inflection.families import Data, Session
from kasu.inflection.networks import train_networks
from kasu.transduction.items import Item


def test_says_what_training_lacks(tmp_path, caplog):
    train = [Item("ab", ("N",), "abc")]
    dev = [Item("a", ("N", "PL"), "a"), Item("b", ("N",), "b")]
    test = [Item("ax", ("V",)), Item("c", ("N",))]
    with caplog.at_level(logging.INFO, "kasu"):
        train_networks("uzh", Data("toy", "low", train, dev, test), [], {}, Session(tmp_path))
    line = "toy, low: of 4 dev and test items, training lacks features of 2 and characters of 1"
    assert caplog.messages == [line]
