"""The printed figures of task 2."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.cloze.evaluation.printed import Printed, cell_of, condition, read_printed


@pytest.fixture(scope="module")
def printed():
    return read_printed(Path(__file__).resolve().parents[3] / "resources/published")


def test_a_condition():
    assert condition("track1-low", "original") == "track1|original|low"
    assert condition("track2-high", "plausible", "sv") == "track2|plausible|high|sv"


@pytest.mark.parametrize(
    ("condition", "cell"),
    [
        ("track1|original|low|de", ("track1-low", "de")),
        ("track2|original|high|my-own", ("track2-high", "my-own")),
        ("track1|plausible|low|de", None),
        ("track1|original|low", None),
        ("track1|original|low|part of the languages", None),
        ("track1|original|low|languages outside the paper", None),
        ("track1|original|low|of the systems run", None),
    ],
)
def test_a_cell_is_of_original_forms_in_one_language(condition, cell):
    assert cell_of(condition) == cell


def test_languages_and_systems(printed):
    assert printed.languages == ["de", "en", "es", "fi", "fr", "ru", "sv"]
    assert printed.systems == [
        "bme-has", "copenhagen", "cuboulder-1", "cuboulder-2", "nyu", "uzh", "neural-bl", "copy-bl",
    ]  # fmt: skip


def test_figures(printed):
    assert printed.value("copy-bl", "track1|plausible|low") == 0.42
    assert printed.value("uzh", "track2|original|low|es") == 0.3268
    assert printed.value("uzh", "track2|original|high") is None
    assert printed.value("en", "train_low", "tokens") == 1009
    assert printed.shows("copy-bl", "track1|original|low", "accuracy", 0.36624)
    assert printed.shows("copy-bl", "track1|original|low", "accuracy", 0.36626) is False
    assert printed.shows("frequent", "track1|original|low", "accuracy", 0.5) is None


def test_means_leave_out_what_was_not_submitted(printed):
    assert printed.means("track2-low", "plausible")["nyu"] == 0.3862
    assert set(printed.means("track2-high", "original")) == {
        "bme-has", "copenhagen", "cuboulder-1", "neural-bl", "copy-bl",
    }  # fmt: skip


def test_the_best_of_each_language(printed):
    assert printed.best("track1-medium", "original")["en"] == "copy-bl"
    assert printed.best("track2-high", "plausible") == {
        "de": "neural-bl",
        "en": "copenhagen",
        "es": "neural-bl",
        "fi": "neural-bl",
        "ru": "bme-has",
        "sv": "copenhagen",
    }


def test_figures_by_language_average_to_those_of_table_11(printed):
    """Up to the last digit, in which published tables of others were rounded once more."""
    compared = 0
    for track in ("track1", "track2"):
        for size in ("low", "medium", "high"):
            for forms in ("original", "plausible"):
                setting = f"{track}-{size}"
                names = list(printed.best(setting, forms))
                for system, mean in printed.means(setting, forms).items():
                    where = [condition(setting, forms, name) for name in names]
                    values = [printed.value(system, each) for each in where]
                    if None not in values:
                        compared += 1
                        assert sum(values) / len(values) == pytest.approx(mean, abs=0.00011)
    assert compared == 40


def test_without_figures_of_the_task_there_is_an_error():
    with pytest.raises(KasuError, match="published figures: none of sigmorphon2018 for task 2"):
        Printed([])
