"""Numbers on the command line."""

import argparse

import pytest

from kasu.base.arguments import not_negative, size


def test_numbers_are_read():
    assert (size("1"), size("20")) == (1, 20)
    assert (not_negative("0"), not_negative("1e-3")) == (0, 0.001)


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "", "9" * 5000])
def test_no_size(text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected a whole number of 1 or more"):
        size(text)


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "x", ""])
def test_no_number_of_0_or_more(text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected a number of 0 or more"):
        not_negative(text)
