"""Verdicts on the paper's claims, judged with the chance in the items."""

import pandas as pd
import pytest

from kasu.agreement.data.tasks import LABELS, SLOTS
from kasu.agreement.evaluation.claims import list_claims
from kasu.results.verdicts import judge_claims

SYSTEMS = ("bilstm", "lstm", "majority", "lemma", "ngram")
LEARNS = "The BiLSTM learns the number of the ergative (§6.1)"
BOTH_WAYS = "Reading both ways helps with the absolutive (footnote 6)"
RECALL = "Recall is lower for the dative than for the ergative (§6.1)"
HIGHEST = "Recall is highest for the absolutive (§6.1)"


def cell(system: str, slot: str, found: int, items=40, present=40, per_cluster=1) -> pd.DataFrame:
    """Items of which the first `present` have an argument, and `found` of these are predicted."""
    return pd.DataFrame(
        {
            "cluster": [number // per_cluster for number in range(items)],
            "slot": slot,
            "gold": ["plural"] * present + ["none"] * (items - present),
            "prediction": ["plural"] * found + ["none"] * (items - found),
            "system": system,
        }
    )


def verdicts(*cells: pd.DataFrame, why: str | None = None) -> dict[str, tuple[str, str]]:
    categories = {"slot": SLOTS, "gold": LABELS, "prediction": LABELS, "system": SYSTEMS}
    predictions = pd.concat(cells).astype(
        {column: pd.CategoricalDtype(values) for column, values in categories.items()}
    )
    rows = judge_claims("basque2018", list_claims(predictions, "paper", why))
    return {row["claim"]: (row["result"], row["evidence"]) for row in rows}


def test_more_accurate_than_the_majority():
    found = verdicts(cell("bilstm", "ergative", 36), cell("majority", "ergative", 20))
    assert found[LEARNS][0] == "holds"
    assert found[LEARNS][1].startswith("bilstm 0.9000, majority 0.5000, difference +0.4000 (")
    found = verdicts(cell("bilstm", "ergative", 20), cell("majority", "ergative", 36))
    assert found[LEARNS][0] == "fails"


def test_only_the_very_label_is_right():
    labels = ["none", "singular", "plural"]
    every = pd.DataFrame(
        [(gold, predicted) for gold in labels for predicted in labels],
        columns=["gold", "prediction"],
    ).assign(slot="ergative", cluster=range(9))
    found = verdicts(
        every.assign(system="bilstm"), every.assign(system="majority", prediction="none")
    )
    assert found[LEARNS][1].startswith("bilstm 0.3333, majority 0.3333, difference +0.0000 (")


def test_a_difference_within_chance_is_undecided():
    found = verdicts(cell("bilstm", "ergative", 21), cell("majority", "ergative", 20))
    result, evidence = found[LEARNS]
    assert result == "undecided"
    assert ", 40 clusters, p " in evidence
    assert "within chance; as many clusters show " in evidence


def test_reading_both_ways_is_compared_with_the_unidirectional_network():
    found = verdicts(cell("bilstm", "absolutive", 36), cell("lstm", "absolutive", 20))
    assert found[BOTH_WAYS][0] == "holds"
    assert found[LEARNS] == ("untestable here", "bilstm did not run")


def test_items_of_one_cluster_are_one_observation():
    """Ten articles with 4 sentences each tell less than 40 sentences."""
    single, grouped = (
        verdicts(*(cell(s, "ergative", n, per_cluster=size) for s, n in
                   (("bilstm", 28), ("majority", 20))))[LEARNS]
        for size in (1, 4)
    )  # fmt: skip
    assert single[0] == "holds"
    assert grouped[0] == "undecided"
    assert "10 clusters" in grouped[1]


@pytest.mark.parametrize(
    ("ergative", "dative", "result"),
    [
        (36, 20, "holds"),
        (20, 36, "fails"),
        (21, 20, "undecided"),
        (20, 20, "undecided"),
        (40, 40, "undecided"),
    ],
)
def test_the_order_of_recall_is_judged_with_its_chance(ergative, dative, result):
    found = verdicts(cell("bilstm", "ergative", ergative), cell("bilstm", "dative", dative))
    assert found[RECALL][0] == result


def test_recalls_of_one_cluster_are_one_observation():
    single, grouped = (
        verdicts(
            cell("bilstm", "ergative", 28, per_cluster=size),
            cell("bilstm", "dative", 20, per_cluster=size),
        )[RECALL]
        for size in (1, 4)
    )
    assert single[0] == "holds"
    assert grouped[0] == "undecided"
    assert "10 clusters" in grouped[1]


def test_recall_asks_for_present_arguments_only():
    """Nothing depends on the items without an argument."""
    found = verdicts(
        cell("bilstm", "ergative", 18, items=400, present=20),
        cell("bilstm", "dative", 10, items=400, present=40),
        cell("ngram", "ergative", 19, items=400, present=20),
    )
    assert found[RECALL][0] == "holds"
    evidence = "ergative 0.9000, dative 0.2500, difference +0.6500 ("
    assert found[RECALL][1].startswith(evidence)


@pytest.mark.parametrize("null", ["lemma", "ngram"])
def test_recall_that_a_null_has_by_the_lemma_could_not_fail(null):
    found = verdicts(
        cell("bilstm", "ergative", 20, items=400, present=20),
        cell("bilstm", "dative", 10, items=400, present=40),
        cell(null, "ergative", 20, items=400, present=20),
    )
    assert found[RECALL] == (
        "untestable here",
        f"{null} finds every ergative, so the test could not fail: "
        "bilstm 1.0000 of the ergative, bilstm 0.2500 of the dative",
    )


@pytest.mark.parametrize(
    ("lemma", "result"), [(20, "holds"), (36, "undecided"), (40, "untestable here")]
)
def test_the_network_is_compared_with_the_strongest_null(lemma, result):
    found = verdicts(
        cell("bilstm", "ergative", 36),
        cell("majority", "ergative", 20),
        cell("lemma", "ergative", lemma),
    )
    assert found[LEARNS][0] == result
    if lemma > 20:
        assert f"0.9000, lemma {lemma / 40:.4f}, difference" in found[LEARNS][1]


def test_without_the_majority_nothing_is_said_of_learning():
    found = verdicts(cell("bilstm", "ergative", 36), cell("lemma", "ergative", 20))
    assert found[LEARNS] == ("untestable here", "majority did not run")


def test_recall_without_an_argument_is_untestable():
    found = verdicts(cell("bilstm", "ergative", 3), cell("bilstm", "dative", 0, present=0))
    assert found[RECALL] == ("untestable here", "no item has a dative")
    assert verdicts(cell("majority", "ergative", 3))[RECALL] == (
        "untestable here", "bilstm did not run",
    )  # fmt: skip


def test_the_recall_of_absolutives_is_no_evidence():
    found = verdicts(*(cell("bilstm", slot, 39) for slot in SLOTS))
    assert found[HIGHEST] == (
        "untestable here", "100 % by construction: 100.00% of the verbs mark an absolutive",
    )  # fmt: skip
    cells = [cell("bilstm", "absolutive", 39, present=39), cell("bilstm", "dative", 1, present=1)]
    found = verdicts(*cells)
    assert found[HIGHEST][1] == "100 % by construction: 97.50% of the verbs mark an absolutive"


def test_invented_text_tests_no_claim():
    cells = [cell(system, slot, 40) for system in ("bilstm", "majority") for slot in SLOTS]
    found = verdicts(*cells, why="an invented language")
    assert len(found) == 7
    assert set(found.values()) == {("untestable here", "an invented language")}
