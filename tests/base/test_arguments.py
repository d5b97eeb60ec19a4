"""Numbers on the command line."""

import argparse

import pytest

from kasu.base.arguments import not_negative, size, threads


def test_numbers_are_read():
    assert (size("1"), size("20")) == (1, 20)
    assert (threads("1"), threads("1024")) == (1, 1024)
    assert (not_negative("0"), not_negative("1e-3")) == (0, 0.001)


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "", "9" * 5000])
def test_no_size(text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected a whole number of 1 or more"):
        size(text)


@pytest.mark.parametrize("text", ["1025", "1000000", "9" * 40])
def test_threads_that_no_machine_has(text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected at most 1024"):
        threads(text)


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "x", ""])
def test_no_number_of_0_or_more(text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected a number of 0 or more"):
        not_negative(text)
