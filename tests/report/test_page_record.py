"""The page: what is on record, beside the run."""

from collections import Counter
from dataclasses import replace

import pytest

from kasu.report.on_record import OnRecord, Tally
from kasu.results.study import Data


@pytest.fixture
def record():
    """What is on record of the study: three of 1,148 figures, one claim."""
    words = Counter({"agrees": 1, "differs": 2})
    figures = Tally("agreement", "", 1148, words, {"long": 1, "real": 2}, ["c2", "c1"])
    table = Tally("agreement", "Table <4>", 20, words, {"long": 1, "real": 2}, ["c2", "c1"])
    claims = Tally("agreement", "claims", 1, Counter(holds=1), {"real": 1}, ["c1"])
    commands = {"long": "snakemake agreement <long>", "real": "snakemake agreement real"}
    return [OnRecord("agreement", "Agreement", "R. & al.", figures, [table, claims], commands)]


@pytest.fixture
def first_screen(on, record):
    """Builds the page with the record; returns it as far as the first study, blanks as one."""

    def build(data=Data.PAPER):
        page = on(data, record=record)
        return " ".join(page[page.index("</nav>") : page.index(' id="agreement"')].split())

    return build


@pytest.mark.parametrize(
    "text",
    [
        '<strong class="count">3</strong> of 1,148 printed figures have one of ours on record',
        '<span class="count">3 <span class="soft">of 1,148</span></span>',
        '<span class="state agrees">1 agrees</span> <span class="state differs">2 differs</span>',
        '<span class="soft scale">long, real <code>c2</code></span>',
        '<td>Table &lt;4&gt;</td><td class="number">3 of 20</td>',
        "<td>long 1, real 2</td>",
        '<td>c2 <span class="soft">+1</span></td>',
        '<span class="state ">1 holds</span>',
        "<em>long</em> again: <code>snakemake agreement &lt;long&gt;</code>",
        "<em>real</em> again: <code>snakemake agreement real</code>",
    ],
)
def test_the_first_screen_shows_the_record(first_screen, text):
    assert text in first_screen()


def test_the_record_stands_before_the_run(first_screen):
    page = first_screen()
    assert page.index('id="record"') < page.index('id="summary"') < page.index("A trial.")
    assert 'Below: <a href="#summary">this run</a>' in page


def test_a_run_on_the_demos_data_opens_on_the_record(first_screen, on):
    page = first_screen(Data.DEMO)
    assert "The run of this page is on other data, invented for the demo or your own" in page
    assert "2 differs" in page and "not run at this scale" not in page[: page.index("<dl")]


def test_a_run_on_the_users_data_opens_on_it(on, record):
    page = on(Data.YOURS, record=record)
    assert page.index('href="#summary"') < page.index('href="#record"')
    assert page.index('href="#record"') < page.index('href="#provenance"')
    assert page.index('id="summary"') < page.index('id="record"') < page.index('id="provenance"')


def test_figures_of_unknown_data_are_not_said_to_be_of_other_data(on, record):
    page = on(Data.UNKNOWN, record=record)
    assert "the folder does not say whose data these are" in page
    assert "is on other data" not in page and "reproduce none of the paper" not in page


def test_a_run_partly_on_other_data_says_which_part(inputs, record, on, build):
    (study,) = inputs["studies"]
    demo = replace(study, name="mine", title="Mine: why?", printed={}, data=Data.DEMO)
    inputs["studies"] = [study, demo]
    page = " ".join(build(record=record).split())
    assert "The run of this page, as to Mine, is on other data, invented for the demo" in page


def test_nothing_on_record_is_said(first_screen, record, on):
    empty = Tally("agreement", "", 7, Counter(), {}, [])
    record[:] = [replace(record[0], figures=empty, tables=[], commands={})]
    assert '<span class="soft">nothing on record yet</span>' in first_screen()


def test_a_page_without_a_record_has_none(page, record):
    assert 'id="record"' not in page and 'href="#record"' not in page
