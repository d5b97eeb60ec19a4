"""The record: each printed figure once, with one of ours by a stated order, never by its word."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.records.reading import (
    SCALES,
    UNJUDGED,
    command_of,
    configs_of,
    read_record,
    record_files,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def read(store, published):
    return lambda: read_record(store, published)


@pytest.fixture
def find(read):
    """The one entry of a system and condition."""

    def one(system, condition):
        (entry,) = (each for each in read() if (each.system, each.condition) == (system, condition))
        return entry

    return one


def test_what_is_printed_stands_there_though_nothing_is_on_record(read):
    figures = [each for each in read() if each.printed]
    # That which is no number can have none of ours beside it
    assert [(each.study, each.table, each.printed) for each in figures] == [
        ("agreement", "Table 10", "50.0"),
        ("agreement", "Table 4", "98.2"),
        ("agreement", "Table 4", "97.0"),
        ("agreement", "section 5", "12.5"),
        ("inflection", "Table 15", "10.00"),
        ("inflection", "Table 15", "20.00"),
        ("cloze", "by language", "42.00"),
    ]
    assert not any(each.recorded for each in figures)


def test_the_newest_row_of_a_figure_stands_beside_print(measure, find):
    measure(value="0.900000", verdict="differs")
    measure(value="0.981000", low="0.97", high="0.99", n="500", verdict="agrees", commit="c2")
    entry = find("BiLSTM", "Base|dative")
    assert (entry.ours, entry.low, entry.high, entry.n) == (0.981, 0.97, 0.99, "500")
    assert (entry.word, entry.commit, entry.published) == ("agrees", "c2", 0.982)


def test_a_figure_that_is_gone_is_not_on_record(measure, find):
    measure(value="0.981000", verdict="agrees")
    measure(commit="c2")
    assert not find("BiLSTM", "Base|dative").recorded


def test_a_claim_that_is_gone_is_not_on_record(measure, read):
    measure(table="claims", metric="verdict", verdict="holds")
    measure(table="claims", metric="verdict", commit="c2")
    assert [each for each in read() if each.table == "claims"] == []


def test_other_variants_than_the_default_are_on_record_without_a_word(measure, find):
    measure(value="0.981000", variant="released")
    entry = find("BiLSTM", "Base|dative")
    assert (entry.ours, entry.variant, entry.word) == (0.981, "released", UNJUDGED)
    assert entry.reason == "other variants than the default"
    measure(value="0.982000", variant="old")
    assert find("BiLSTM", "Base|dative").ours is None


def test_of_several_variants_the_judged_one_stands_beside_print(measure, find):
    measure(value="0.981000", verdict="differs", variant="paper")
    measure(value="0.982000", variant="released", commit="c2")
    entry = find("BiLSTM", "Base|dative")
    assert (entry.variant, entry.word, entry.ours) == ("paper", "differs", 0.981)


@pytest.mark.parametrize("order", [("real", "long"), ("long", "real")])
def test_the_largest_config_wins_whatever_its_word_is(measure, find, order):
    words = {"real": "agrees", "long": "differs"}
    for config in order:
        measure(config=config, value="0.981000", verdict=words[config])
    assert find("BiLSTM", "Base|dative").word == "differs"


def test_a_config_of_ones_own_comes_after_kasus(measure, find):
    measure(config="a", value="0.981000", verdict="agrees")
    measure(config="treebanks", value="0.981000", verdict="differs")
    assert find("BiLSTM", "Base|dative").config == "treebanks"


def test_a_single_member_by_language_is_on_record_without_a_word(members, find):
    members("inflection", {"accuracy": "0.123000", "seed": "1", "variant": "released"})
    entry = find("uzh-01", "low|basque")
    assert (entry.ours, entry.low, entry.word, entry.commit) == (0.123, None, UNJUDGED, "m1")
    assert entry.reason == "members, judged by fingerprint"
    assert not find("uzh-01", "low|latin").recorded


def test_of_several_members_none_is_picked(members, find):
    members(
        "inflection",
        {"accuracy": "0.200000", "seed": "1"},
        {"accuracy": "0.090000", "seed": "2"},
        {"accuracy": "0.990000", "seed": "1", "config": "real"},
    )
    entry = find("uzh-01", "low|basque")
    assert (entry.ours, entry.config) == (None, "systems")
    assert entry.reason.endswith("judged by fingerprint: 9.00 to 20.00 in 2 rows")


def test_members_of_cloze_are_those_of_original_forms(members, find):
    row = {"system": "uzh", "setting": "track1-low", "language": "de", "accuracy": "0.42"}
    members("cloze", row)
    assert find("uzh", "track1|original|low|de").ours == 0.42


def test_a_judged_figure_goes_before_members(measure, members, find):
    members("inflection", {"accuracy": "0.123000"})
    cells = {"table": "Table 15", "system": "uzh-01", "condition": "low|basque"}
    measure("inflection", **cells, value="0.100000", verdict="agrees", variant="")
    assert find("uzh-01", "low|basque").word == "agrees"


def test_claims_and_fingerprints_have_their_verdicts_and_reasons(measure, fingerprint, read):
    cells = {"table": "claims", "system": "sign test", "condition": "It learns", "unit": ""}
    measure(**cells, metric="verdict", verdict="holds", evidence="p 0.01, n 12")
    measure(**cells | {"table": "claims about print"}, metric="verdict", verdict="fails")
    fingerprint()
    judged = [each for each in read() if not each.printed]
    assert [(each.study, each.table, each.word, each.reason) for each in judged] == [
        ("agreement", "claims", "holds", "p 0.01, n 12"),
        ("agreement", "claims about print", "fails", ""),
        ("inflection", "fingerprints", "agrees", "within 2 points"),
    ]
    assert (judged[2].ours, judged[2].low, judged[2].condition) == (
        0.01, -0.01, "low|uzh-01|12 languages",
    )  # fmt: skip


def test_without_a_record_there_is_one_line(tmp_path, published):
    with pytest.raises(KasuError, match="no record; an installed package does not hold it"):
        read_record(tmp_path / "none", published)


def test_a_damaged_record_names_its_file(store, published):
    (store / "figures" / "agreement.tsv").write_text("config\ttable\n")
    with pytest.raises(KasuError, match=r"agreement\.tsv:1: no column 'system'"):
        read_record(store, published)


@pytest.mark.parametrize("cell", ["0.9x", "nan", "1e999", "0,9"])
@pytest.mark.parametrize("column", ["value", "low", "high"])
def test_a_figure_that_is_no_number_ends_in_one_line(store, published, measure, column, cell):
    measure(**{"value": "0.981000", "verdict": "agrees"} | {column: cell})
    with pytest.raises(KasuError) as error:
        read_record(store, published)
    path = store / "figures" / "agreement.tsv"
    assert str(error.value) == (
        f"{path}: the {column} {cell!r} of BiLSTM; expected a number, or nothing"
    )


def test_a_fingerprint_that_is_no_number_ends_in_one_line(store, published, fingerprint):
    fingerprint(low="x")
    with pytest.raises(KasuError, match=r"fingerprints\.tsv: the low 'x' of uzh-01; expected"):
        read_record(store, published)


def test_a_member_that_is_no_number_ends_in_one_line(store, published, members):
    members("inflection", {"accuracy": "best"})
    with pytest.raises(KasuError, match=r"inflection\.tsv: the accuracy 'best' of uzh-01"):
        read_record(store, published)


@pytest.mark.parametrize("column", ["config", "system", "seed", "accuracy", "commit"])
def test_members_without_a_column_end_in_one_line(store, published, members, column):
    members("inflection", {"accuracy": "0.5"})
    path = store / "inflection.tsv"
    path.write_text(path.read_text().replace(column, "other", 1))
    with pytest.raises(KasuError, match=rf"inflection\.tsv:1: no column '{column}'"):
        read_record(store, published)


def test_the_files_of_the_record_are_all_that_it_reads(store, published, measure, members):
    measure(value="0.981000", verdict="agrees")
    members("inflection", {"accuracy": "0.123000"})
    assert record_files(store, published) == [
        str(store / "figures" / "agreement.tsv"),
        str(store / "inflection.tsv"),
        str(published / "basque2018.tsv"),
        str(published / "sigmorphon2018.tsv"),
    ]


@pytest.mark.parametrize(
    ("config", "files"),
    [
        ("real", ["config/real.yaml"]),
        ("long", ["config/real.yaml", "config/long.yaml"]),
        ("systems", ["config/real.yaml", "config/systems.yaml"]),
        ("curve", ["config/real.yaml", "config/curve.yaml"]),
        ("wikipedia", ["config/real.yaml", "config/wikipedia.yaml"]),
        ("treebanks", ["config/real.yaml", "config/treebanks.yaml"]),
        ("paper", ["config/paper.yaml"]),
    ],
)
def test_a_config_says_in_its_first_lines_what_it_stacks_on(config, files):
    assert configs_of(config) == files


def test_every_scale_is_a_config_and_what_is_on_record_has_a_scale():
    configs = {path.stem for path in (ROOT / "config").glob("*.yaml")} - {"config"}
    assert set(SCALES) == configs
    assert {each.config for each in read_record() if each.recorded} <= configs


def test_the_command_repeats_a_study_under_its_config():
    assert command_of("inflection", "systems") == (
        "snakemake inflection --cores 2 --configfile config/real.yaml config/systems.yaml"
    )
