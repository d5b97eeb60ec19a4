"""What a run did by language is recorded, and what others measured stays."""

import os
from pathlib import Path

import pytest
from by_language import BY_LANGUAGE, record_languages

from kasu.files.tables import read_tsv, write_parquet, write_tsv
from kasu.results.scores import SCORES
from kasu.transduction.items import Answer
from kasu.transduction.members.answers import MEMBERS, member_table
from kasu.transduction.members.families import Answers, Run
from kasu.transduction.members.packs import SECONDS

ANSWERS = Answers([Answer(["a"]), Answer(["b"])], [Answer(["c"])])
GOLD = {"dev": ["a", "x"], "test": ["c"]}


def score(system, language, value, metric="accuracy", variant=None, seed=None, runs=1):
    return dict.fromkeys(SCORES.names) | {
        "system": system, "condition": f"low|{language}", "metric": metric, "value": value,
        "variant": variant, "seed": seed, "runs": runs,
    }  # fmt: skip


def finish(results: Path, accuracy: float = 0.5) -> Path:
    """A run of iitbhu with two members in one language, as it leaves its files."""
    names = {"variant": "released"}
    scores = [
        score("iitbhu-iiith-01", "basque", accuracy, seed=1, **names),
        score("iitbhu-iiith-01", "basque", 0.25, seed=2, **names),
        score("iitbhu-iiith-01", "basque", 1.5, "levenshtein", seed=1, **names),
        score("iitbhu-iiith-01", "basque", 0.375, runs=2, **names),
        score("iitbhu-iiith-02", "basque", 0.75, runs=2, **names),
        score("copy", "basque", 0.1),
        score("iitbhu-iiith-01", "part of the languages", 0.4, seed=1, **names),
    ]
    write_parquet(results / "inflection/scores.parquet", scores, SCORES)
    finish_job(results, "0-0", GOLD, "110.5")
    return results


def finish_job(results: Path, job: str, gold: dict[str, list[str]], seconds: str) -> list[Path]:
    """The files of a job that trained a member."""
    members = results / f"inflection/members/iitbhu/low/{job}.parquet"
    table = member_table("iitbhu", "low", "basque", Run("released", 1), gold, ANSWERS)
    write_parquet(members, table, MEMBERS)
    cost = dict(zip(SECONDS, ("iitbhu", "low", "basque", "released", 1, seconds), strict=True))
    costs = results / f"benchmarks/inflect/inflection/iitbhu/low/{job}.seconds.tsv"
    write_tsv(costs, [cost], SECONDS)
    return [members, costs]


def rows(store: Path) -> list[tuple[str, ...]]:
    shown = ("system", "language", "seed", *BY_LANGUAGE[-6:])
    found = read_tsv(store / "inflection.tsv", BY_LANGUAGE)
    return [tuple(row[name] for name in shown) for row in found]


EXPECTED = [
    ("iitbhu-iiith-01", "basque", "1", "1", "0.500000", "1.500000", "0.500000", "110.5", "c1"),
    ("iitbhu-iiith-01", "basque", "2", "1", "0.250000", "", "", "", "c1"),
    ("iitbhu-iiith-02", "basque", "", "2", "0.750000", "", "", "", "c1"),
]


def test_each_member_and_vote_has_a_row_by_language(tmp_path):
    assert record_languages(finish(tmp_path / "real"), tmp_path, "c1") == {"inflection": 3}
    assert rows(tmp_path) == EXPECTED
    (row, *_) = read_tsv(tmp_path / "inflection.tsv")
    assert (row["config"], row["setting"], row["variant"]) == ("real", "low", "released")


def test_a_row_keeps_its_commit_while_its_figures_stay(tmp_path):
    record_languages(finish(tmp_path / "real"), tmp_path, "c1")
    assert record_languages(finish(tmp_path / "real", 0.625), tmp_path, "c2") == {"inflection": 1}
    assert [row[-1] for row in rows(tmp_path)] == ["c2", "c1", "c1"]
    assert rows(tmp_path)[0][4] == "0.625000"


@pytest.mark.parametrize("column", ["config", "system", "language", "setting"])
def test_rows_that_a_run_does_not_have_stay(tmp_path, column):
    other = dict.fromkeys(BY_LANGUAGE, "zz") | {
        "config": "real", "system": "iitbhu-iiith-01", "setting": "low", "language": "basque",
        "variant": "released", "seed": "1", column: "other",
    }  # fmt: skip
    write_tsv(tmp_path / "inflection.tsv", [other], BY_LANGUAGE)
    record_languages(finish(tmp_path / "real"), tmp_path, "c1")
    assert other in read_tsv(tmp_path / "inflection.tsv")
    assert len(rows(tmp_path)) == 4


@pytest.mark.parametrize(
    ("newer", "facts"), [("0-0", ("0.500000", "110.5")), ("1-0", ("1.000000", "9.5"))]
)
def test_the_newest_file_of_a_member_counts(tmp_path, newer, facts):
    """After a run with other `packs` the old files stay."""
    results = finish(tmp_path / "real")
    jobs = {
        "0-0": finish_job(results, "0-0", GOLD, "110.5"),
        "1-0": finish_job(results, "1-0", GOLD | {"dev": ["a", "b"]}, "9.5"),
    }
    for job, paths in jobs.items():
        for path in paths:
            os.utime(path, (2, 2) if job == newer else (1, 1))
    record_languages(results, tmp_path, "c1")
    assert rows(tmp_path)[0][-3:-1] == facts


def test_rows_of_cloze_are_of_original_forms(tmp_path):
    results, names = tmp_path / "systems", {"variant": "released", "seed": 1}
    scores = [
        score("uzh", "basque", value, metric, **names) | {"condition": f"track1|{where}"}
        for where, value, metric in (
            ("original|low|de", 0.5, "accuracy"),
            ("original|low|de", 0.25, "exact_accuracy"),
            ("original|low|de", 1.5, "levenshtein"),
            ("plausible|low|de", 0.75, "accuracy"),
            ("original|low|part of the languages", 0.4, "levenshtein"),
        )
    ]
    write_parquet(results / "cloze/scores.parquet", scores, SCORES)
    table = member_table("uzh", "track1-low", "de", Run("released", 1), GOLD, ANSWERS)
    write_parquet(results / "cloze/members/uzh/track1-low/0-0.parquet", table, MEMBERS)
    cost = dict(zip(SECONDS, ("uzh", "track1-low", "de", "released", 1, "9.5"), strict=True))
    folder = results / "benchmarks/inflect/cloze/uzh/track1-low"
    write_tsv(folder / "0-0.seconds.tsv", [cost], SECONDS)
    assert record_languages(results, tmp_path, "c1") == {"cloze": 1}
    assert read_tsv(tmp_path / "cloze.tsv", BY_LANGUAGE) == [dict(zip(BY_LANGUAGE, (
        "systems", "uzh", "track1-low", "de", "released", "1", "1", "0.500000", "1.500000",
        "0.500000", "9.5", "c1",
    ), strict=True))]  # fmt: skip


def test_a_run_without_the_studies_leaves_the_files_alone(tmp_path):
    assert record_languages(tmp_path / "real", tmp_path, "c1") == {}
    assert not list(tmp_path.iterdir())
