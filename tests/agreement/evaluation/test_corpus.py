"""Facts of the corpus: sizes, datives, and third person plural ergatives without a word in -ek."""

from pathlib import Path

import pyarrow as pa
import pytest

from kasu.agreement.data.sentences import SCHEMA
from kasu.agreement.evaluation.corpus import COLUMNS, corpus_facts
from kasu.files.tables import ROW_GROUP, write_counts, write_parquet

SIZES = {"sentences": 9, "paper: train": 3, "paper: validation": 1, "paper: test": 6}
# form of the words, their suffixes, dative, third person plural ergative
ITEMS = [
    (["Gizonek", "dute"], ["-ek", "none"], "none", True),
    (["MIKELEK", "dute"], ["none", "none"], "none", True),  # ends in -ek, but has no article
    (["gizona", "dute"], ["-a", "none"], "plural", True),
    (["dute"], ["none"], "singular", True),
    (["ekin", "du"], ["none", "none"], "none", False),
    (["gizona", "du"], ["-a", "none"], "none", False),
]


def facts(folder: Path, items=ITEMS, clusters="abcdef", **counts: int) -> dict[str, dict]:
    """The facts of one variant, by metric."""
    write_counts(folder / "counts.tsv", {**SIZES, **counts})
    rows = [
        dict(zip(COLUMNS, (cluster, "paper", *item), strict=True))
        | {"dative": item[2], "tokens": item[0], "suffixes": item[1]}
        for cluster, item in zip(clusters, items, strict=True)
    ]
    write_parquet(folder / "test.parquet", rows, pa.schema([SCHEMA.field(c) for c in COLUMNS]))
    return {row.metric: row for row in corpus_facts(folder, 1)}


def test_sizes(tmp_path):
    found = facts(tmp_path)
    assert {m: row.value for m, row in found.items() if row.table == "section 5"} == {
        "sentences_total": 9,
        "sentences_train": 3,
        "sentences_validation": 1,
        "sentences_test": 6,
    }
    assert found["sentences_train"].note is None


def test_a_split_below_its_limit_says_so(tmp_path):
    limits = {"max_sentences: train": 935_730, "max_sentences: validation": 1}
    found = facts(tmp_path, **limits)
    assert found["sentences_train"].note == "the corpus has fewer than max_sentences (935,730)"
    assert found["sentences_validation"].note is None
    assert found["sentences_test"].note is None


def test_share_of_datives(tmp_path):
    row = facts(tmp_path)["share_sentences_with_dative"]
    assert (row.value, row.n, row.table) == (pytest.approx(2 / 6), 6, "section 6.1")
    assert row.runs == 1
    assert row.low < 2 / 6 < row.high


def test_share_of_third_plural_ergatives_without_ek_by_form_and_by_analysis(tmp_path):
    found = facts(tmp_path)
    by_form, by_suffix = (
        found[metric] for metric in ("share_without_word_in_-ek", "share_without_suffix_-ek")
    )
    assert (by_form.value, by_form.n) == (0.5, 4)
    assert (by_suffix.value, by_suffix.n) == (0.75, 4)
    # the key of the printed 55 %
    key = ("basque2018", "section 7", "corpus", "sentences whose verb marks ERG.PL3")
    assert (by_form.paper, by_form.table, by_form.system, by_form.condition) == key


def test_without_such_a_verb_there_is_no_share(tmp_path):
    row = facts(tmp_path, ITEMS[4:], "ab")["share_without_word_in_-ek"]
    assert (row.value, row.low, row.high, row.n) == (None, 0.0, 1.0, 0)


def test_intervals_are_over_clusters(tmp_path):
    """Two articles of 40 equal sentences each tell no more than two sentences."""
    one, other = ITEMS[0], ITEMS[2]
    alone = facts(tmp_path, [one, other], "ab")["share_without_word_in_-ek"]
    many = facts(tmp_path, [one, other] * 40, "ab" * 40)["share_without_word_in_-ek"]
    assert (many.low, many.high) == pytest.approx((alone.low, alone.high))
    assert (many.low, many.high) == pytest.approx((0.0015, 0.9985), abs=1e-4)


def test_words_are_counted_with_their_own_sentence_in_long_files(tmp_path):
    count = ROW_GROUP + 2
    items = [ITEMS[0] if number % 3 else ITEMS[2] for number in range(count)]
    row = facts(tmp_path, items, [str(number) for number in range(count)])[
        "share_without_word_in_-ek"
    ]
    assert row.value == len(range(0, count, 3)) / count


def test_variants_have_rows_of_their_own(tmp_path):
    write_counts(tmp_path / "counts.tsv", {**SIZES, "released: train": 4, "released: validation": 2,
                                           "released: test": 2})  # fmt: skip
    rows = [
        {"cluster": "a", "variant": v, "tokens": ["du"], "suffixes": ["none"],
         "dative": "none" if v == "paper" else "plural", "third_plural_ergative": False}
        for v in ("released", "paper")
    ]  # fmt: skip
    schema = pa.schema([SCHEMA.field(c) for c in COLUMNS])
    write_parquet(tmp_path / "test.parquet", rows, schema)
    found = {(r.variant, r.metric): r.value for r in corpus_facts(tmp_path, 1)}
    assert found["paper", "sentences_train"] == 3
    assert found["released", "sentences_train"] == 4
    assert found["paper", "share_sentences_with_dative"] == 0
    assert found["released", "share_sentences_with_dative"] == 1


def test_a_language_without_datives_and_ergatives_has_sizes_alone(
    tmp_path, write_subjects, draw_sentences
):
    write_counts(tmp_path / "counts.tsv", SIZES)
    write_subjects(tmp_path / "test.parquet", draw_sentences(5, 1))
    assert {row.table for row in corpus_facts(tmp_path, 1)} == {"section 5"}
