"""Figures of datasets made from treebanks, from the tables beside them."""

import pytest

from kasu.cloze.data.annotations import AGREEMENT
from kasu.cloze.data.recovery import RECOVERED
from kasu.cloze.data.treebank import CONVERSION
from kasu.cloze.evaluation.made import figures
from kasu.cloze.evaluation.scores import made_scores
from kasu.files.tables import write_counts, write_tsv


@pytest.fixture
def folder(tmp_path):
    def row(columns, *cells):
        return dict(zip(columns, cells, strict=True))

    counts = {
        "dev: sentences of the treebank": 4, "dev: candidate sentences": 1,
        "dev: words that may be asked for": 2, "inflected words": 5,
        "inflected words that the paradigms have": 1,
    }  # fmt: skip
    write_counts(tmp_path / "counts.tsv", counts)
    coverage = [
        row(CONVERSION, "dev", "DET", 10, 9, 6, 0, 0, 0, 0),
        row(CONVERSION, "dev", "NOUN", 10, 10, 8, 10, 8, 6, 5),
    ]
    write_tsv(tmp_path / "conversion.tsv", coverage, CONVERSION)
    found = [
        row(RECOVERED, "high", 10, 8, 6, None, None, None),
        row(RECOVERED, "dev", 10, 5, 4, 8, 6, 3),
    ]
    write_tsv(tmp_path / "recovered.tsv", found, RECOVERED)
    agreed = [
        row(AGREEMENT, "a", "b", 4, 8, 0.75, 0.5, 0.25),
        row(AGREEMENT, "a", "c", 0, 0, None, None, None),
    ]
    write_tsv(tmp_path / "agreement.tsv", agreed, AGREEMENT)
    return tmp_path


def test_figures(folder):
    assert figures(folder) == [
        ("dev", "sentences", 4, None),
        ("dev", "candidates_share", 0.25, 4),
        ("dev", "words_to_ask_for", 2, None),
        ("treebank", "inflected_words_share", 0.2, 5),
        ("treebank", "converted_tokens_share", 0.95, 20),
        ("treebank", "lossless_tokens_share", 0.7, 20),
        ("treebank", "lemma_words_share", 0.8, 10),
        ("treebank", "form_words_share", 0.6, 10),
        ("treebank", "cell_words_share", 0.5, 10),
        ("released high", "sentences_found_share", 0.8, 10),
        ("released high", "candidates_share", 0.75, 8),
        ("released dev", "sentences_found_share", 0.5, 10),
        ("released dev", "candidates_share", 0.8, 5),
        ("released dev", "targets_found_share", 0.75, 8),
        ("released dev", "targets_recovered_share", 0.5, 6),
        ("a and b", "forms_judged_alike_share", 0.75, 8),
        ("a and b", "same_sets_share", 0.25, 4),
        ("a and b", "kappa", 0.5, 8),
    ]


def test_rows_of_the_study(folder):
    rows = made_scores("toy", folder)
    assert len(rows) == 18
    assert {(row.table, row.system) for row in rows} == {("made from treebanks", "toy")}
    named = [(row.condition, row.metric, row.value, row.n) for row in rows]
    assert named[1] == ("dev", "candidates_share", 0.25, 4)
