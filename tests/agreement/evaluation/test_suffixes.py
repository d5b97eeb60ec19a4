"""Scores and claims of suffix prediction, by hand."""

import pytest

from kasu.agreement.evaluation.suffixes import list_suffix_claims, score_suffixes
from kasu.agreement.models.predictions import SUFFIX_PREDICTIONS
from kasu.files.tables import read_parquet, write_parquet
from kasu.results.verdicts import judge_claims

GOLD = ["-ek", "-a", "-ak", "-ari", "-ei", "none"] * 40
HARDER = "Suffixes are harder to predict without the forms of the verbs (§7.1)"
RANDOM = "Without the forms of the verbs results are far from random (§7.1)"
EASIEST = "-a is easier than -ak and -ek (§7.1)"


def write(path, right: dict[str, float], seeds=(1,)):
    """Predictions of which these shares of the words of a suffix are right; others are `none`."""
    rows = [
        {"item_id": f"s{at // 6}", "cluster": f"c{at // 6}", "position": at % 6, "gold": gold,
         "prediction": gold if at // 6 < 40 * right.get(gold, 1.0) else "none",
         "variant": "paper", "seed": seed}
        for seed in seeds
        for at, gold in enumerate(GOLD)
    ]  # fmt: skip
    write_parquet(path, rows, SUFFIX_PREDICTIONS)
    return path


def half(path, share=0.5, **options):
    return write(path, dict.fromkeys(set(GOLD), share), **options)


def scores(path, system="bilstm", condition="base", corpus="") -> dict[tuple, dict]:
    rows = score_suffixes({system: path}, condition, "paper", corpus, 1)
    return {(row.table, row.system, row.condition, row.metric, row.seed): row for row in rows}


def test_base_stands_in_table_5_and_its_f1_in_table_6(tmp_path):
    found = scores(write(tmp_path / "p", {"-ek": 0.5}))
    assert len(found) == 6 * 3 + 6
    table = {
        metric: found["Table 5", "BiLSTM suffix", "suffix=-ek", metric, 1]
        for metric in ("precision", "recall", "f1")
    }
    assert {metric: row.value for metric, row in table.items()} == {
        "precision": 1.0,
        "recall": 0.5,
        "f1": pytest.approx(2 / 3),
    }
    assert {metric: row.n for metric, row in table.items()} == {
        "precision": 20,
        "recall": 40,
        "f1": 60,
    }
    assert 0.5 < table["f1"].low < 2 / 3 < table["f1"].high < 0.85
    row = found["Table 6", "BiLSTM suffix", "Base|suffix=Any", "f1", 1]
    assert row.value == pytest.approx(2 * 180 / (180 + 200))
    assert row.paper == "basque2018"


@pytest.mark.parametrize(
    ("system", "condition", "named"),
    [
        ("mlp", "base", ("MLP on embedding", "Word-only|suffix=-a")),
        ("bilstm", "no_verb", ("BiLSTM suffix", "No verb|suffix=-a")),
        ("mlp", "no_ak", ("MLP on embedding", "Word-only, No -ak|suffix=-a")),
        ("mlp", "base@2k", ("MLP on embedding", "Word-only, trained on 2k|suffix=-a")),
    ],
)
def test_other_cells_of_table_6(tmp_path, system, condition, named):
    found = scores(half(tmp_path / "p"), system, condition)
    assert {table for table, *_ in found} == {"Table 6"}
    assert ("Table 6", *named, "f1", 1) in found


def test_another_corpus_has_its_name_in_the_condition(tmp_path):
    found = scores(half(tmp_path / "p"), "lexicon", corpus="news")
    assert ("Table 5", "lexicon", "suffix=-a|news", "f1", 1) in found


def test_seeds_are_shown_apart(tmp_path):
    found = scores(half(tmp_path / "p", seeds=(1, 2)))
    every = found["Table 5", "BiLSTM suffix", "suffix=-a", "recall", None]
    assert (every.n, every.runs, every.value) == (40, 2, 0.5)
    assert every.note is None
    assert found["Table 5", "BiLSTM suffix", "suffix=-a", "recall", 2].runs == 1


def verdicts(files, why=None) -> dict[str, tuple[str, str]]:
    rows = judge_claims("basque2018", list_suffix_claims(files, "paper", why))
    return {row["claim"]: (row["result"], row["evidence"]) for row in rows}


@pytest.mark.parametrize(
    ("without", "verdict"), [(0.1, "holds"), (0.5, "undecided"), (1.0, "fails")]
)
def test_verb_forms_help_with_every_suffix(tmp_path, without, verdict):
    files = {
        ("bilstm", "base"): half(tmp_path / "a"),
        ("bilstm", "no_verb"): half(tmp_path / "b", without),
    }
    result, evidence = verdicts(files)[HARDER]
    assert result == verdict
    assert evidence.startswith(f"-ek 0.6667 and {2 * without / (1 + without):.4f}, ")
    assert evidence.count("difference") == 6


@pytest.mark.parametrize(
    ("null", "result"),
    [
        ({"-ak": 0.2, "-ek": 0.2, "-a": 0.2}, "holds"),
        ({"-ak": 0.2, "-ek": 0.4}, "undecided"),  # the lexicon shows it too
        ({"-ak": 0.1, "-ek": 0.1}, "undecided"),
    ],
)
def test_one_suffix_is_easier_than_others_beyond_the_strongest_null(tmp_path, null, result):
    files = {
        ("bilstm", "base"): write(tmp_path / "a", {"-ak": 0.2, "-ek": 0.4}),
        ("prior", "base"): half(tmp_path / "b", 0.1),
        ("lexicon", "base"): write(tmp_path / "c", null),
    }
    found, evidence = verdicts(files)[EASIEST]
    assert found == result
    assert evidence.startswith("-a 1.0000, -ak 0.3333, lexicon ")
    assert "difference +0.6667" in evidence
    assert ("beyond lexicon a difference" in evidence) == (result == "undecided")


def test_without_a_null_no_suffix_is_easier(tmp_path):
    files = {("bilstm", "base"): write(tmp_path / "a", {"-ak": 0.2, "-ek": 0.4})}
    assert verdicts(files)[EASIEST] == ("untestable here", "no null ran under base")


@pytest.mark.parametrize(
    ("lexicon", "result"),
    [(0.1, "holds"), (0.5, "undecided"), (0.8, "fails"), (1.0, "untestable here")],
)
def test_far_from_random_is_far_from_the_strongest_null(tmp_path, lexicon, result):
    files = {
        ("bilstm", "no_verb"): half(tmp_path / "a"),
        ("prior", "base"): half(tmp_path / "b", 0.05),
        ("lexicon", "base"): half(tmp_path / "c", lexicon),
    }
    assert verdicts(files)[RANDOM][0] == result
    del files["lexicon", "base"]
    found, evidence = verdicts(files)[RANDOM]
    assert found == "holds"
    assert evidence.startswith("-ek 0.6667, prior 0.0")


def test_a_suffix_that_is_nowhere_has_an_f1_of_zero(tmp_path):
    """BASQUE-12: zero if undefined; precision and recall have no value."""
    path = tmp_path / "p"
    rows = read_parquet(write(path, {})).to_pylist()
    kept = [row for row in rows if row["gold"] != "-ei"]
    write_parquet(path, kept, SUFFIX_PREDICTIONS)
    found = scores(path)
    key = ("Table 5", "BiLSTM suffix", "suffix=-ei")
    f1 = found[*key, "f1", 1]
    assert (f1.value, f1.n, f1.low, f1.high) == (0.0, 0, 0.0, 1.0)
    assert f1.note == "no word has it or is predicted to: zero"
    assert found["Table 6", "BiLSTM suffix", "Base|suffix=-ei", "f1", 1].value == 0.0
    assert {found[*key, metric, 1].value for metric in ("precision", "recall")} == {None}
    assert found["Table 5", "BiLSTM suffix", "suffix=-a", "f1", 1].note is None


@pytest.mark.parametrize(("gold", "predicted"), [("-ei", "none"), ("none", "-ei")])
def test_a_suffix_that_is_never_found_has_an_f1_of_zero(tmp_path, gold, predicted):
    path = tmp_path / "p"
    rows = [row for row in read_parquet(write(path, {})).to_pylist() if row["gold"] != "-ei"]
    rows[0] |= {"gold": gold, "prediction": predicted}
    write_parquet(path, rows, SUFFIX_PREDICTIONS)
    f1 = scores(path)["Table 5", "BiLSTM suffix", "suffix=-ei", "f1", 1]
    assert (f1.value, f1.n, f1.note) == (0.0, 1, None)


def test_what_did_not_run_is_untestable(tmp_path):
    files = {("bilstm", "base"): half(tmp_path / "a")}
    assert verdicts(files)[HARDER] == ("untestable here", "bilstm under no_verb did not run")
    assert {each for each in verdicts(files, "made up").values()} == {
        ("untestable here", "made up")
    }
