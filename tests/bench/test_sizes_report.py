"""Hours of the English Wikipedia by the rates of the stages."""

import pytest
from sizes import STAGES
from sizes_report import hours_of, table

# 100,000 MB in an hour of a core: 27.8 MB a second
RATES = dict(zip(STAGES, (100 / 3.6, 50 / 3.6, 10 / 3.6), strict=True))


def test_a_part_is_extracted_on_its_node_and_a_corpus_is_merged_and_analysed_on_one():
    hours = hours_of(RATES)
    assert hours["extraction"] == pytest.approx((1, 1 / 8, 1 / 8 / 64, 1 / 8 / 64))
    assert hours["merge without duplicates"] == pytest.approx((2, 2, 2, 2 / 64))
    assert hours["analysis"] == pytest.approx((10, 10 / 8, 10 / 8, 10 / 8 / 64))
    assert hours["all"].cores == pytest.approx(13)


def test_the_table_states_the_price_it_was_asked_for():
    lines = table(RATES, 0.1)
    assert "price at 0.1 a core-hour" in lines[0]
    assert lines[-1] == "| all | 13.0 | 1.30 | 3.4 | 3.3 | under 0.1 |"
