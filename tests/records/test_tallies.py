"""How much is on record: counted once, in a stated order, for a table, a study and the page."""

import pytest

from kasu.records.reading import STUDIES, read_record
from kasu.records.tallies import by_table, figures_of, on_record, tally
from kasu.results.study import StudyReport


@pytest.fixture
def read(store, published):
    return lambda: read_record(store, published)


def test_a_tally_counts_words_in_their_order(measure, read):
    measure(value="0.970000", verdict="differs", system="LSTM", config="long", commit="c9")
    measure(value="0.981000", verdict="agrees", commit="c1")
    counted = tally(figures_of(read(), "agreement"))
    assert (counted.printed, counted.recorded) == (4, 2)
    assert list(counted.words.items()) == [("agrees", 1), ("differs", 1)]
    assert list(counted.configs.items()) == [("long", 1), ("real", 1)]
    assert counted.commits == ["c1", "c9"]


def test_the_commit_that_measured_most_comes_first(measure, members, read):
    """Which is the newest cannot be told: figures and members are in files of their own."""
    measure("inflection", table="Table 15", system="uzh-01", condition="low|basque",
            value="0.100000", verdict="agrees", commit="c1")  # fmt: skip
    members("inflection", {"language": "latin", "accuracy": "0.200000", "commit": "m2"})
    assert tally(figures_of(read(), "inflection")).commits == ["c1", "m2"]
    measure(value="0.981000", verdict="agrees", commit="c3")
    measure(value="0.970000", verdict="differs", system="LSTM", commit="c4")
    measure(table="section 5", system="LSTM", condition="all", value="0.1", verdict="differs",
            commit="c4")  # fmt: skip
    assert tally(figures_of(read(), "agreement")).commits == ["c4", "c3"]


def test_a_claim_is_no_figure(measure, read):
    measure(table="claims", metric="verdict", verdict="holds")
    assert tally(figures_of(read(), "agreement")).recorded == 0


def test_tables_stand_by_number_and_before_all_else(read):
    tables = [each.table for each in by_table(read()) if each.study == "agreement"]
    assert tables == ["Table 4", "Table 10", "section 5"]


def test_counts_of_tables_add_up_to_those_of_studies():
    """Whatever is on record: nothing is counted twice or lost."""
    record = read_record()
    for study in STUDIES:
        figures = figures_of(record, study.name)
        tables, whole = by_table(figures), tally(figures)
        assert sum(each.printed for each in tables) == whole.printed == len(figures)
        assert sum(each.recorded for each in tables) == whole.recorded == whole.words.total()
        assert (
            whole.configs and sum(whole.configs.values()) == whole.recorded
        ) or not whole.recorded


STUDY = StudyReport(
    name="agreement",
    title="Agreement: who is told?",
    citation="Ravfogel & al.",
    paper="basque2018",
    printed={},
    captions={},
)


def test_the_page_gets_what_is_on_record_of_its_studies(measure, read):
    measure(value="0.981000", verdict="agrees")
    measure(table="claims", metric="verdict", verdict="holds", config="curve")
    own = StudyReport(**vars(STUDY) | {"name": "mine", "title": "Mine"})
    (shown,) = on_record([own, STUDY], read())
    assert (shown.name, shown.title, shown.citation) == ("agreement", "Agreement", "Ravfogel & al.")
    assert (shown.figures.printed, shown.figures.recorded) == (4, 1)
    assert [each.table for each in shown.tables] == ["Table 4", "Table 10", "section 5", "claims"]
    # In the order of scales, those of claims too
    assert shown.commands == {
        "real": "snakemake agreement --cores 2 --configfile config/real.yaml",
        "curve": "snakemake agreement --cores 2 --configfile config/real.yaml config/curve.yaml",
    }


def test_a_study_without_anything_on_record_is_shown_too(read):
    (shown,) = on_record([STUDY], read())
    assert (shown.figures.printed, shown.figures.recorded, shown.commands) == (4, 0, {})
