"""Figures of real runs: recorded by commit, explained where they change, stated as measured."""

import re
from pathlib import Path

import pytest
from measured import MEASURED, STATED, STORE, judge_store, misstated, record, unexplained

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv, write_tsv
from kasu.minimal_sets.data.paper import RELEASED
from kasu.records.files import newest
from kasu.records.reading import STUDIES
from kasu.results.comparison import TABLE
from kasu.results.published import PUBLISHED_FOLDER, read_published
from kasu.results.reproduction import State
from kasu.results.scores import CLAIMS
from kasu.results.verdicts import Verdict

HERE = "x86, AVX2"
ROOT = Path(__file__).resolve().parents[2]


def test_every_figure_that_changed_says_why():
    assert unexplained(STORE) == []


def test_every_word_on_record_is_that_of_the_rules():
    """Else: python tools/measured.py --judge, and what changed goes into the CHANGELOG."""
    assert judge_store(STORE) == []


def test_a_claim_about_print_is_recorded_as_none_of_ours():
    for path in sorted((STORE / "figures").glob("*.tsv")):
        rows = [row for row in newest(read_tsv(path, MEASURED)).values() if row["verdict"]]
        ours, theirs = (
            {name for row in rows if row["table"] == table and (name := _claim(row))}
            for table in ("claims", "claims about print")
        )
        assert not ours & theirs, path
        assert not [name for name in ours if name[-1] == RELEASED], path


def _claim(row):
    return row["system"], row["condition"], row["variant"]


def test_the_record_prints_what_the_papers_print():
    printed = {figure.key: figure.printed for figure in read_published(PUBLISHED_FOLDER)}
    papers = {study.name: study.paper for study in STUDIES}
    wrong = []
    for study, paper in papers.items():
        for row in read_tsv(STORE / "figures" / f"{study}.tsv", MEASURED):
            names = (row[name] for name in ("table", "system", "condition", "metric"))
            if row["printed"] and row["printed"] != printed.get((paper, *names)):
                wrong.append((study, row))
    assert wrong == []


def test_every_judged_figure_has_a_word_of_the_rules_and_every_claim_a_verdict():
    for path in sorted((STORE / "figures").glob("*.tsv")):
        for row in newest(read_tsv(path, MEASURED)).values():
            words = set(map(str, Verdict if row["table"].startswith("claims") else State))
            assert row["verdict"] in words | {""}, row
            assert row["verdict"] or row["value"] or row["why"], row


def test_documents_state_the_figures_last_measured():
    assert misstated(ROOT) == []


def test_every_result_of_the_readme_is_checked():
    """A study without a record has not been measured yet."""
    stated = read_tsv(STORE / "stated.tsv", STATED)
    for line in (ROOT / "README.md").read_text().splitlines():
        study = re.match(r"\| `(\w+)` \|", line)
        if study and (STORE / "figures" / f"{study[1]}.tsv").exists():
            assert any(row["study"] == study[1] for row in stated), line


# The systems that cannot do what the figures of the README test
NULLS = {
    "agreement": {"majority", "lemma", "ngram", "prior", "lexicon"},
    "blm": {"copy_unseen", "frequency", "medoid", "parallelogram", "random"},
    "cloze": {"copy-bl", "frequent"},
}


def test_the_null_that_the_readme_states_is_the_strongest():
    entries = [
        row
        for row in read_tsv(STORE / "stated.tsv", STATED)
        if row["document"] == "README.md" and row["text"].startswith("null, ")
    ]
    assert {row["study"] for row in entries} == NULLS.keys()
    for entry in entries:
        columns = ("config", "table", "condition", "metric", "variant")
        values = {
            row["system"]: float(row["value"])
            for row in read_tsv(STORE / "figures" / f"{entry['study']}.tsv", MEASURED)
            if all(row[name] == entry[name] for name in columns)
            if row["system"] in NULLS[entry["study"]] and row["value"]
        }
        assert len(values) > 1
        assert values[entry["system"]] == max(values.values()), (entry["text"], values)


def test_the_readme_says_how_many_cells_are_printed():
    figures = [figure for figure in read_published(PUBLISHED_FOLDER) if figure.value is not None]
    readme = (ROOT / "README.md").read_text()
    table_3 = [each for each in figures if (each.paper, each.table) == ("georgian2026", "Table 3")]
    assert f"| {len(table_3)} cells | from their scores by item, 60 of {len(table_3)}; " in readme
    baseline = [
        each
        for each in figures
        if (each.system, each.metric) == ("baseline", "accuracy") and "|" in each.condition
    ]
    assert f"| official baseline, accuracy | {len(baseline)} cells | " in readme


def finish(
    results: Path, value: float | None, verdict: str = "holds", study: str = "toy", **cells: str
) -> Path:
    """The tables of a study with one figure, as a run leaves them."""
    row = dict.fromkeys(TABLE)
    row |= {"paper": "toy2026", "table": "Table 1", "system": "BiLSTM", "condition": "all"}
    row |= {"metric": "accuracy", "unit": "percent", "ours": value, "low": 0.8, "high": 0.95}
    row |= {"n": 1000, "published": 0.871, "printed": "87.1"}
    row |= cells
    claim = {"claim": "It learns", "test": "above chance", "result": verdict}
    tables = results / study / "tables"
    write_tsv(tables / "table_1.tsv", [row], TABLE)
    write_tsv(tables / "claims.tsv", [dict.fromkeys(CLAIMS) | claim], CLAIMS)
    return results


def rows(store: Path) -> list[tuple[str, str, str, str]]:
    """Metric, value or verdict, commit and why of each recorded row."""
    return [
        (row["metric"], row["value"] or row["verdict"], row["commit"], row["why"])
        for row in read_tsv(store / "figures" / "toy.tsv", MEASURED)
    ]


def test_a_run_is_recorded_with_its_commit(tmp_path):
    assert record(finish(tmp_path / "real", 0.903412), tmp_path, "c1", HERE) == []
    assert rows(tmp_path) == [
        ("accuracy", "0.903412", "c1", ""),
        ("verdict", "holds", "c1", ""),
    ]
    assert (tmp_path / "runs.tsv").read_text().splitlines()[1] == f"toy\treal\tc1\t{HERE}\t2\t0"


def agreement(results: Path, ours: float, null: float = 0.6) -> Path:
    """A figure of agreement that the paper prints as 87.1, and a null beside it."""
    cells = {"paper": "basque2018", "table": "Table 4", "condition": "Base|ergative"}
    cells |= {"low": ours - 0.003, "high": ours + 0.003, "variant": "paper"}
    finish(results, ours, study="agreement", **cells)
    rows = read_tsv(results / "agreement" / "tables" / "table_1.tsv", TABLE)
    null_cells = {"system": "majority", "ours": null, "low": null - 0.003, "high": null + 0.003}
    rows.append(rows[0] | null_cells | dict.fromkeys(("published", "printed"), ""))
    write_tsv(results / "agreement" / "tables" / "table_1.tsv", rows, TABLE)
    return results


def judged(store: Path) -> dict[str, str]:
    """The verdict of each newest figure of agreement, by system."""
    rows = newest(read_tsv(store / "figures" / "agreement.tsv", MEASURED)).values()
    return {row["system"]: row["verdict"] for row in rows if row["value"]}


def test_a_recorded_figure_has_its_word_and_a_null_has_none(tmp_path):
    assert record(agreement(tmp_path / "real", 0.871), tmp_path, "c1", HERE) == []
    assert judged(tmp_path) == {"BiLSTM": "agrees", "majority": ""}


def test_a_null_that_changes_changes_the_word_of_an_old_figure(tmp_path):
    record(agreement(tmp_path / "real", 0.871), tmp_path, "c1", HERE)
    lines = record(
        agreement(tmp_path / "real", 0.871, 0.8712), tmp_path, "c2", HERE, "a better null"
    )
    assert lines[-1] == (
        "agreement, real, Table 4, BiLSTM, Base|ergative, accuracy, paper: agrees -> uninformative"
    )
    assert judged(tmp_path) == {"BiLSTM": "uninformative", "majority": ""}
    assert unexplained(tmp_path) == []


def test_a_wrong_word_on_record_is_found_and_mended(tmp_path):
    record(agreement(tmp_path / "real", 0.4), tmp_path, "c1", HERE)
    path = tmp_path / "figures" / "agreement.tsv"
    rows = read_tsv(path, MEASURED)
    assert judged(tmp_path)["BiLSTM"] == "differs"
    write_tsv(path, [row | {"verdict": "agrees"} for row in rows if row["value"]], MEASURED)
    found = [
        "agreement, real, Table 4, BiLSTM, Base|ergative, accuracy, paper: agrees -> differs",
        "agreement, real, Table 4, majority, Base|ergative, accuracy, paper: agrees -> no word",
    ]
    assert judge_store(tmp_path) == found
    assert judge_store(tmp_path, mend=True) == found
    assert judge_store(tmp_path) == []


def test_a_figure_that_no_row_is_of_has_no_word(tmp_path):
    record(finish(tmp_path / "real", 0.871, study="agreement"), tmp_path, "c1", HERE)
    assert judged(tmp_path) == {"BiLSTM": ""}


def test_a_claim_is_recorded_with_its_evidence(tmp_path):
    results = finish(tmp_path / "real", 0.871)
    claims = results / "toy" / "tables" / "claims.tsv"
    evidence = {"evidence": "p 0.004, n 12, null 0.5"}
    write_tsv(claims, [row | evidence for row in read_tsv(claims, CLAIMS)], CLAIMS)
    record(results, tmp_path, "c1", HERE)
    claim = read_tsv(tmp_path / "figures" / "toy.tsv", MEASURED)[-1]
    assert (claim["value"], claim["verdict"]) == ("", "holds")
    assert claim["evidence"] == "p 0.004, n 12, null 0.5"


def test_a_verdict_recorded_without_evidence_gets_it(tmp_path):
    results = finish(tmp_path / "real", 0.9)
    record(results, tmp_path, "c1", HERE)
    claims = results / "toy" / "tables" / "claims.tsv"
    (row,) = read_tsv(claims, CLAIMS)
    write_tsv(claims, [row | {"evidence": "p 0.004"}], CLAIMS)
    for commit in ("c2", "c3"):  # the third run adds nothing
        assert record(results, tmp_path, commit, HERE) == []
    recorded = read_tsv(tmp_path / "figures" / "toy.tsv", MEASURED)
    found = [(row["commit"], row["evidence"]) for row in recorded if row["verdict"] == "holds"]
    assert found == [("c1", ""), ("c2", "p 0.004")]
    assert unexplained(tmp_path) == []


def test_claims_about_print_are_recorded_apart(tmp_path):
    results = finish(tmp_path / "real", 0.871)
    claims = results / "toy" / "tables" / "claims.tsv"
    (claim,) = read_tsv(claims, CLAIMS)
    write_tsv(claims, [claim | {"about": about} for about in ("ours", "print")], CLAIMS)
    record(results, tmp_path, "c1", HERE)
    recorded = read_tsv(tmp_path / "figures" / "toy.tsv", MEASURED)
    assert [row["table"] for row in recorded] == ["Table 1", "claims", "claims about print"]


def test_a_run_of_no_config_of_kasus_is_refused(tmp_path):
    with pytest.raises(KasuError, match=r"config/mine\.yaml"):
        record(agreement(tmp_path / "mine", 0.871), tmp_path, "c1", HERE)


def test_an_unchanged_run_adds_no_figure(tmp_path):
    record(finish(tmp_path / "real", 0.9034121), tmp_path, "c1", HERE)
    assert record(finish(tmp_path / "real", 0.9034123), tmp_path, "c2", HERE) == []
    assert [commit for _, _, commit, _ in rows(tmp_path)] == ["c1", "c1"]
    assert (tmp_path / "runs.tsv").read_text().splitlines()[2] == f"toy\treal\tc2\t{HERE}\t2\t0"


def test_a_change_that_nobody_explains_is_one_line_with_old_and_new(tmp_path):
    record(finish(tmp_path / "real", 0.76), tmp_path, "c1", HERE)
    line = (
        "toy, real, Table 1, BiLSTM, all, accuracy: "
        "0.760000 (0.800000–0.950000) -> 0.511000 (0.800000–0.950000)"
    )
    assert record(finish(tmp_path / "real", 0.511), tmp_path, "c2", HERE) == [line]
    assert unexplained(tmp_path) == [f"toy.tsv:4: {line}: says no why"]


def test_a_change_with_its_reason_passes(tmp_path):
    record(finish(tmp_path / "real", 0.76), tmp_path, "c1", HERE)
    record(finish(tmp_path / "real", 0.511), tmp_path, "c2", HERE, "rows are packed")
    assert rows(tmp_path)[2] == ("accuracy", "0.511000", "c2", "rows are packed")
    assert unexplained(tmp_path) == []


def test_a_figure_that_is_gone_and_a_verdict_that_turns_are_changes(tmp_path):
    record(finish(tmp_path / "real", 0.76), tmp_path, "c1", HERE)
    assert record(finish(tmp_path / "real", None, "undecided"), tmp_path, "c2", HERE) == [
        "toy, real, claims, above chance, It learns, verdict: holds -> undecided",
        "toy, real, Table 1, BiLSTM, all, accuracy: 0.760000 (0.800000–0.950000) -> gone",
    ]
    assert len(unexplained(tmp_path)) == 2


def test_a_network_on_another_processor_has_that_reason(tmp_path):
    record(finish(tmp_path / "real", 0.76), tmp_path, "c1", HERE)
    record(finish(tmp_path / "real", 0.75, "undecided"), tmp_path, "c1", "x86, AVX512")
    why = f"another processor: x86, AVX512, before {HERE}"
    assert sorted(rows(tmp_path)[2:]) == [
        ("accuracy", "0.750000", "c1", why),
        ("verdict", "undecided", "c1", why),
    ]
    record(finish(tmp_path / "real", 0.74), tmp_path, "c2", HERE, "rows are packed")
    assert rows(tmp_path)[-1][3] == "rows are packed"


@pytest.mark.parametrize("before", ["", HERE], ids=["unknown", "the same"])
def test_only_a_processor_that_is_known_and_another_is_a_reason(tmp_path, before):
    record(finish(tmp_path / "real", 0.76), tmp_path, "c1", before)
    record(finish(tmp_path / "long", 0.76), tmp_path, "c1", "x86, AVX512")
    record(finish(tmp_path / "real", 0.75), tmp_path, "c1", HERE)
    assert len(unexplained(tmp_path)) == 1


@pytest.mark.parametrize(
    "exact", [{"system": "majority"}, {"table": "made from treebanks"}, {"unit": "count"}]
)
def test_data_and_systems_without_a_network_are_the_same_on_any_processor(tmp_path, exact):
    for value, where in ((76, HERE), (75, "x86, AVX512")):
        record(finish(tmp_path / "real", value, study="agreement", **exact), tmp_path, "c1", where)
    assert len(unexplained(tmp_path)) == 1


def test_another_config_is_another_figure(tmp_path):
    record(finish(tmp_path / "real", 0.76), tmp_path, "c1", HERE)
    assert record(finish(tmp_path / "long", 0.9), tmp_path, "c1", HERE) == []
    assert len(rows(tmp_path)) == 4


def test_results_without_tables_are_refused(tmp_path):
    with pytest.raises(KasuError, match="no tables of a study"):
        record(tmp_path / "real", tmp_path, "c1", HERE)


def state(root: Path, text: str, document: str, value: float = 0.90341) -> list[str]:
    """What is misstated where a document has one statement on the figure of `finish`."""
    (root / "README.md").write_text(document)
    entry = {"document": "README.md", "text": text, "study": "toy", "config": "real"}
    entry |= {"table": "Table 1", "system": "BiLSTM", "condition": "all", "metric": "accuracy"}
    store = root / "resources" / "measured"
    record(finish(root / "real", value), store, "c1", HERE)
    write_tsv(store / "stated.tsv", [dict.fromkeys(STATED) | entry], STATED)
    return misstated(root)


def test_a_document_states_shares_in_percent_rounded_half_up(tmp_path):
    assert state(tmp_path, "ours {value} ({low}–{high})", "| ours 90.3 (80.0–95.0) |") == []


def test_a_document_that_states_another_figure_is_one_line(tmp_path):
    assert state(tmp_path, "ours {value} ({low}–{high})", "| ours 91.0 (80.0–95.0) |") == [
        "README.md: toy, real, Table 1, BiLSTM, all, accuracy, value: states 91.0, measured 90.3"
    ]


def test_a_statement_that_left_the_document_is_one_line(tmp_path):
    assert state(tmp_path, "ours {value}", "no figure") == [
        "stated.tsv:2: README.md has no 'ours {value}'"
    ]


def test_a_document_states_words_and_counts_them(tmp_path):
    text = "{agrees} agree, {differs} differ: {verdict}."
    (tmp_path / "README.md").write_text("0 agree, 1 differ: agrees.")
    entry = {"document": "README.md", "text": text, "study": "agreement", "config": "real"}
    entry |= {"table": "Table 4", "system": "BiLSTM", "condition": "Base|ergative"}
    entry |= {"metric": "accuracy", "variant": "paper"}
    store = tmp_path / "resources" / "measured"
    record(agreement(tmp_path / "real", 0.871), store, "c1", HERE)
    write_tsv(store / "stated.tsv", [dict.fromkeys(STATED) | entry], STATED)
    where = "README.md: agreement, real, Table 4, BiLSTM, Base|ergative, accuracy, paper"
    assert misstated(tmp_path) == [
        f"{where}, agrees: states 0, measured 1",
        f"{where}, differs: states 1, measured 0",
    ]


def test_equal_digits_are_counted(tmp_path):
    assert state(tmp_path, "{cells} cells, {equal} equal", "1 cells, 1 equal") == [
        "README.md: toy, real, Table 1, BiLSTM, all, accuracy, equal: states 1, measured 0"
    ]


def test_a_figure_halfway_equals_the_printed_neighbour(tmp_path):
    # Printed 87.1; half up alone would make it 87.2
    assert state(tmp_path, "{cells} cells, {equal} equal", "1 cells, 1 equal", 0.8715) == []


def test_a_bare_figure_equals_nothing(tmp_path):
    """A whole number among decimals: nobody knows how exactly it is printed."""
    entry = dict.fromkeys(STATED) | {"document": "README.md", "study": "toy", "config": "real"}
    entry |= {"table": "Table 1", "system": "*", "condition": "*", "metric": "accuracy"}
    (tmp_path / "README.md").write_text("2 cells, 1 equal")
    store = tmp_path / "resources" / "measured"
    results = finish(tmp_path / "real", 0.871)
    rows = read_tsv(results / "toy" / "tables" / "table_1.tsv")
    rows.append(rows[0] | {"condition": "some", "ours": 1.0, "published": 1.0, "printed": "100"})
    write_tsv(results / "toy" / "tables" / "table_1.tsv", rows, TABLE)
    record(results, store, "c1", HERE)
    write_tsv(store / "stated.tsv", [entry | {"text": "{cells} cells, {equal} equal"}], STATED)
    assert misstated(tmp_path) == []


def test_documents_are_mended(tmp_path):
    before = "| ours 91.0 (80.0–95.0) | 91.0"
    (line,) = state(tmp_path, "ours {value} ({low}–{high})", before)
    assert misstated(tmp_path, mend=True) == [line]
    assert (tmp_path / "README.md").read_text() == "| ours 90.3 (80.0–95.0) | 91.0"
    assert misstated(tmp_path) == []
