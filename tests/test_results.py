"""docs/results.md names the columns that the code writes."""

import importlib
import re
from pathlib import Path

from kasu.report.page import NAMES

PAGE = Path(__file__).resolve().parent.parent / "docs" / "results.md"
ROWS = re.findall(r"^\| .* \| (.*) \| `(kasu[\w.]+)` \|$", PAGE.read_text(), re.MULTILINE)


def test_every_schema_of_the_page_is_that_of_the_code():
    assert len(ROWS) > 25
    for columns, constant in ROWS:
        module, _, name = constant.rpartition(".")
        schema = getattr(importlib.import_module(module), name)
        assert columns.split(", ") == list(getattr(schema, "names", schema)), constant


# Columns of tables in the report that hold numbers, and that hold words of Kasu's or prose
NUMBERS = """
    above_best accuracy accuracy_a accuracy_b agree agreed agreement answers becomes_right
    becomes_wrong both_wrong candidate_sets candidates cap classed columns converted copy_unseen
    count difference discarded_share discordant epoch equal_forms expected f1_a f1_b files forms
    found frequency high holm_p items items_high items_low kappa kept languages lemma_accuracy
    lemma_recall losses lossless low margin mcnemar_p mean_log_probability mean_probability medium
    medoid members n nearest_rms of ours ours_otherwise ours_otherwise_strict p pairs parallelogram
    permutation_p pooled_accuracy_a pooled_accuracy_b printed printed_otherwise pronouns published
    published_members r random rank recall recovered reference released resolution rms row rows
    rules runs same_sets sd seed_cap seed_sd seeds_agreement seeds_high seeds_low seeds_mean
    sentences sentences_elsewhere share share_at_most sign_p smallest_effect subjects targets
    targets_found tests ties tokens unseen value wanted winner_changes wins words wrong_alike
"""
WORDS = """
    about alignment aspect assumption by claim evidence fault fits kind level licence method metric
    note object order outcome property regime result right screeve side tense unit upos values
    verdict
"""
# Tables of the report that docs/results.md does not describe
FURTHER = (
    "minimal_sets.evaluation.descriptive.DESCRIPTION",
    "minimal_sets.evaluation.descriptive.SCHEME_COLUMNS",
    "minimal_sets.evaluation.comparisons.FLIPS",
    "minimal_sets.evaluation.preferences.PREFERENCES",
    "minimal_sets.evaluation.tokenisation.CORRELATIONS",
    "minimal_sets.evaluation.scores.PROBABILITIES",
    "pretraining.data.filters.KEPT",
)


def test_every_column_of_the_report_is_known_to_hold_names_numbers_or_words():
    numbers, words = set(NUMBERS.split()), set(WORDS.split())
    shown = re.compile(
        r"\| `(tables/|<study>/tables|counts|drops|failures|datasets/<language>).*tsv`"
    )
    described = [line for line in PAGE.read_text().splitlines() if shown.match(line)]
    found = {name for line in described for name in line.split(" | ")[-2].split(", ")}
    for constant in FURTHER:
        module, _, name = f"kasu.{constant}".rpartition(".")
        found |= {*getattr(importlib.import_module(module), name)}
    assert len(described) > 30
    assert found - NAMES - numbers - words == set()
    assert NAMES & (numbers | words) == set()
