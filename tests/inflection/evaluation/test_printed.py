"""The printed figures of task 1: their tables, and that these agree (SIG-1 to 3)."""

from pathlib import Path
from statistics import mean

import pytest

from kasu.base.errors import KasuError
from kasu.inflection.data.triples import PAPER, SETTINGS
from kasu.inflection.evaluation.printed import ORACLES, Printed, cell_of
from kasu.results.published import read_published

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"


def test_condition_of_one_language():
    assert cell_of("low|basque") == ("low", "basque")
    assert cell_of("low|basque (own data)") == ("low", "basque (own data)")
    assert [cell_of(f"low{rest}") for rest in ("", "|languages outside the paper")] == [None, None]


def test_languages_of_a_setting(printed):
    assert [len(printed.languages(setting)) for setting in SETTINGS] == [103, 102, 86]
    assert [len(printed.submissions(setting)) for setting in SETTINGS] == [27, 20, 21]


@pytest.mark.parametrize(
    ("system", "tables"),
    [
        ("oracle-fc", ["Table 17", "Table 15", "Table 13"]),
        ("baseline", ["Table 18", "Table 16", "Table 14"]),
        ("ua-08", ["Table 17", "Table 16", "Table 14"]),  # submitted at low only
        ("a system of ours", ["Table 19", "Table 16", "Table 14"]),
    ],
)
def test_table_of_a_system(printed, system, tables):
    assert [printed.table(system, setting) for setting in SETTINGS] == tables


def test_table_of_a_summary(printed):
    assert printed.summary_table("accuracy") == "Table 8"
    assert printed.summary_table("lemmata", "basque", "test") == "Table 2"
    assert printed.summary_table("lemmata", "zulu", "test") == "Table 3"
    assert printed.summary_table("lemmata", "harmonic", "test") == "Table 3"
    assert printed.summary_table("best_accuracy", "basque", "low") == "Table 9"
    assert printed.summary_table("best_accuracy", "harmonic", "low") == "Table 10"


def test_values(printed):
    assert printed.value("baseline", "low") == 0.3889
    assert printed.value("baseline", "low", "basque") == 0.001
    assert printed.value("oracle-fc", "medium", "basque") == 0.439
    assert printed.value("baseline", "low", "harmonic") is None
    assert printed.value("basque", "total", metric="forms") == 12663
    assert printed.best("medium", "basque") == 0.881
    assert printed.best("low", "harmonic") is None


def test_means_of_table_8_are_those_of_the_tables_by_language(printed):
    cells = 0
    for setting in SETTINGS:
        for system in (*printed.submissions(setting), "baseline", *ORACLES):
            for metric, tolerance in (("accuracy", 0.5e-4), ("levenshtein", 0.5e-2)):
                stated = printed.value(system, setting, metric=metric)
                values = [
                    value
                    for language in printed.languages(setting)
                    if (value := printed.value(system, setting, language, metric)) is not None
                ]
                assert (stated is None) == (not values)
                if values:
                    assert mean(values) == pytest.approx(stated, abs=tolerance + 1e-9)
                    cells += metric == "accuracy"
    assert cells == 77


def test_tables_9_and_10_are_the_best_but_for_oracles(printed):
    tables = [(PAPER, "Table 9"), (PAPER, "Table 10")]
    figures = [f for f in read_published(PUBLISHED) if (f.paper, f.table) in tables]
    assert len(figures) == 309
    for figure in figures:
        setting, language = figure.condition, figure.system
        theirs = [printed.best(setting, language), printed.value("baseline", setting, language)]
        best = max((value for value in theirs if value is not None), default=None)
        assert figure.value == best


def test_what_a_team_published_afterwards(printed):
    rerun = printed.reruns("high")["rerun racai-01"]
    # Dumitrescu & Boroș 2018, Table 1, gives the mean as 83.77
    assert mean(rerun.values()) == pytest.approx(0.83778, abs=1e-5)
    missing = {name for name in rerun if printed.value("racai-01", "high", name) is None}
    assert missing == {
        "armenian", "bashkir", "breton", "neapolitan", "old-french", "uzbek", "votic",
        "west-frisian",
    }  # fmt: skip
    assert printed.reruns("low").keys() >= {"rerun msu-03"} and not printed.reruns("total")


def test_figures_of_other_papers_alone_are_an_error():
    figures = [f for f in read_published(PUBLISHED) if f.paper == "basque2018"]
    with pytest.raises(KasuError, match="none of sigmorphon2018 by language"):
        Printed(figures)


@pytest.mark.parametrize(
    ("setting", "languages", "by_networks", "mean_printed", "mean_of_all"),
    [("low", 17, 14, 0.4409, 0.4541), ("medium", 16, 16, 0.7738, 0.7991)],
)
def test_networks_of_waseda_answered_40_of_50_items(
    printed, setting, languages, by_networks, mean_printed, mean_of_all
):
    def are_of(count, values):
        return all(count * value == pytest.approx(round(count * value)) for value in values)

    columns = {name.split()[-1]: column for name, column in printed.dev(setting).items()}
    parts = ("baseline", "holistic", "seq2seq", "augmented")
    shares: dict[str, list[float]] = {}
    for name in printed.languages(setting):
        found = (printed.value(system, setting, name) for system in printed.submissions(setting))
        shares[name] = [value for value in found if value is not None]
    small = [name for name, values in shares.items() if are_of(50, values)]
    assert len(small) == languages
    # Accuracies on dev are of 50 items for rules, and of two batches of 20 for networks
    for part in parts:
        accuracies = [columns[part][name] for name in small]
        assert are_of(50, accuracies) == (part in parts[:2])
        assert are_of(40, accuracies) == (part in parts[2:])
    # Where a network is the best on dev, its share on test is of 50 items, ten without an answer
    best = {name: max(parts, key=lambda part: columns[part][name]) for name in columns["seq2seq"]}
    short = [name for name in small if best[name] in parts[2:]]
    assert len(short) == by_networks
    accuracy = {name: printed.figure("waseda-01", setting, name) for name in shares}
    assert are_of(50, (accuracy[name] for name in short))
    assert mean(accuracy.values()) == pytest.approx(mean_printed, abs=5e-5)
    longer = {name: value * 50 / 40 for name, value in accuracy.items() if name in short}
    assert mean((accuracy | longer).values()) == pytest.approx(mean_of_all, abs=5e-5)
