"""The figure of the curve over the amount of text."""

import pytest

from kasu.agreement.evaluation.curve import CURVE
from kasu.agreement.figures.curve import draw_curve
from kasu.files.tables import write_tsv


def row(words, **values):
    return {
        "system": "BiLSTM", "condition": "Base", "of": "ergative", "metric": "accuracy",
        "variant": "paper", "corpus": "new", "words": words, "ours": 0.6, "low": 0.5, "high": 0.7,
        **values,
    }  # fmt: skip


def drawing(tmp_path, *rows):
    write_tsv(tmp_path / "curve.tsv", rows, CURVE)
    draw_curve(
        tmp_path / "curve.tsv", tmp_path / "curve.svg", variant="paper", main_corpus="new",
        nulls=["majority"],
    )  # fmt: skip
    return (tmp_path / "curve.svg").read_text()


SEEDS = {"seeds_mean": 0.6, "seeds_low": 0.55, "seeds_high": 0.65}
ROWS = [
    row(2000, published=0.871, **SEEDS),
    row(4000, published=0.871),
    row(3000, corpus="old", ours=0.4),
    row(2000, system="majority"),
    row(2000, of="suffix=-ek", metric="f1", system="BiLSTM suffix"),
]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory) -> str:
    """The figure of these rows."""
    return drawing(tmp_path_factory.mktemp("drawn"), *ROWS)


def test_two_runs_draw_the_same_bytes(tmp_path, drawn):
    assert drawing(tmp_path, *ROWS) == drawn


@pytest.mark.parametrize(
    "change",
    [{"low": 0.1}, {"seeds_low": 0.1}, {"published": 0.9}, {"corpus": "old"}, {"words": 1000}],
    ids=lambda change: next(iter(change)),
)
def test_intervals_and_published_figures_and_corpora_are_drawn(tmp_path, drawn, change):
    assert drawing(tmp_path, ROWS[0] | change, *ROWS[1:]) != drawn


@pytest.mark.parametrize("change", [{"variant": "released"}, {"condition": "No verb"},
                                    {"metric": "recall"}])  # fmt: skip
def test_other_variants_conditions_and_metrics_are_left_out(tmp_path, drawn, change):
    assert drawing(tmp_path, *ROWS, ROWS[1] | change) == drawn


def test_a_table_without_rows_is_drawn_empty(tmp_path):
    assert drawing(tmp_path).startswith("<?xml")


def test_the_base_of_words_without_sentence_is_drawn(tmp_path, drawn):
    words = row(2000, of="suffix=-ek", metric="f1", system="MLP on embedding")
    more = drawing(tmp_path, *ROWS, words | {"condition": "Word-only"})
    assert "MLP on embedding" in more
    other = words | {"condition": "Word-only, No verb"}
    assert drawing(tmp_path, *ROWS, other) == drawn


def test_sets_of_about_one_size_share_a_tick(tmp_path):
    one = drawing(tmp_path, row(1999), row(3001))
    assert one.count("<!-- 2 -->") == one.count("<!-- 3 -->") == 1
    near = drawing(tmp_path, row(1999), row(2001, corpus="old"), row(3001))
    assert near.count("<!-- 2 -->") == 1
