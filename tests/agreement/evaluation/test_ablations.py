"""Claims that compare conditions, on predictions that are right in known shares."""

import pytest

from kasu.agreement.data.tasks import SLOTS
from kasu.agreement.evaluation.ablations import list_ablation_claims
from kasu.agreement.models.predictions import PREDICTIONS
from kasu.files.tables import write_parquet
from kasu.results.verdicts import judge_claims

LESS = "Suffixes alone tell less than the words with them (§6.1)"
CLOSE = "Little is lost without case (§6.1)"
SOME = "Words without their suffixes tell something (§6.1)"
SINGLE = "A single verb is easier than several (§6.1)"


def write(path, right: int, items: range = range(200), slots=SLOTS):
    """Predictions of which the first `right` items are right in each slot."""
    nothing = dict.fromkeys(PREDICTIONS.names)
    rows = [
        nothing
        | {"item_id": f"i{item}", "cluster": f"c{item}", "slot": slot, "variant": "paper"}
        | {"gold": "plural", "prediction": "plural" if at < right else "none", "seed": 1}
        for at, item in enumerate(items)
        for slot in slots
    ]
    write_parquet(path, rows, PREDICTIONS)
    return path


def verdicts(tmp_path, right: dict[str, int], why=None, **items):
    """Args: right, of `condition` by the BiLSTM, of `condition/system` by another system."""
    files: dict[str, dict] = {}
    for name, number in right.items():
        condition, _, system = name.partition("/")
        path = tmp_path / f"{condition}-{system or 'bilstm'}.parquet"
        written = write(path, number, items.get(name, range(200)))
        files.setdefault(condition, {})[system or "bilstm"] = written
    rows = judge_claims("basque2018", list_ablation_claims(files, "paper", why))
    return {row["claim"]: (row["result"], row["evidence"]) for row in rows}


@pytest.mark.parametrize(("right", "verdict"), [(100, "holds"), (178, "undecided"), (199, "fails")])
def test_a_condition_below_the_base(tmp_path, right, verdict):
    found = verdicts(tmp_path, {"base": 180, "suffixes_only": right})
    assert found[LESS][0] == verdict
    assert f"ergative 0.9000 and {right / 200:.4f}, difference" in found[LESS][1]
    assert all(f"{slot} 0.9000" in found[LESS][1] for slot in SLOTS)


@pytest.mark.parametrize(("right", "verdict"), [(180, "holds"), (150, "fails")])
def test_close_may_lose_two_points(tmp_path, right, verdict):
    assert verdicts(tmp_path, {"base": 180, "neutralised_case": right})[CLOSE][0] == verdict


def test_fewer_sentences_are_compared_with_the_base_on_the_same_too(tmp_path):
    few = range(0, 200, 2)
    found = verdicts(tmp_path, {"base": 100, "single_verb": 80}, single_verb=few)
    assert "ergative 0.8000 and 0.5000, 0.5000 on the same sentences, " in found[SINGLE][1]


@pytest.mark.parametrize(
    ("slots", "verdict"), [(["ergative"], "holds"), (["subject"], "untestable here")]
)
def test_slots_that_the_corpus_lacks_are_not_compared(tmp_path, slots, verdict):
    files = {
        name: {"bilstm": write(tmp_path / name, right, slots=slots)}
        for name, right in (("base", 180), ("suffixes_only", 100))
    }
    rows = judge_claims("basque2018", list_ablation_claims(files, "paper", None))
    (found,) = (row["result"] for row in rows if row["claim"] == LESS)
    assert found == verdict


def test_what_did_not_run_is_untestable(tmp_path):
    found = verdicts(tmp_path, {"base": 180, "base/majority": 100, "suffixes_only/majority": 100})
    assert found[LESS] == ("untestable here", "suffixes_only did not run")
    found = verdicts(tmp_path, {"base": 180, "suffixes_only": 100}, why="made up")
    assert found[LESS] == ("untestable here", "made up")


@pytest.mark.parametrize(
    ("lemma", "result"),
    [(100, "holds"), (150, "undecided"), (190, "fails"), (200, "untestable here")],
)
def test_words_are_compared_with_the_strongest_null_of_their_condition(tmp_path, lemma, result):
    right = {"no_suffixes": 150, "no_suffixes/majority": 90, "no_suffixes/lemma": lemma}
    # Nulls of another condition do not count
    found = verdicts(tmp_path, right | {"base": 180, "base/ngram": 200})
    assert found[SOME][0] == result
    assert f"ergative 0.7500, lemma {lemma / 200:.4f}, difference" in found[SOME][1]


def test_without_a_null_nothing_is_told(tmp_path):
    found = verdicts(tmp_path, {"base": 180, "no_suffixes": 100, "base/majority": 90})
    assert found[SOME] == ("untestable here", "no null ran under no_suffixes")
