"""The paper's claims, judged with the chance in the problems (BLM-20)."""

from collections.abc import Callable

import pytest

from kasu.blm.data.names import NULLS, TYPES
from kasu.blm.evaluation.claims import list_claims
from kasu.results.verdicts import judge_claims

RIGHT, AE, N1, N2, COORD = "True", "agreement_error", "N1_alter", "N2_alter", "coordination"
RULES = "To find the right answer on type_II, a model must detect the rules (abstract)"
WELL = "With all training data, the FFNN does well on type_II (§3.2)"
BETTER = "The FFNN does better than the CNN on all training data (§3.2)"
COLLAPSE = "With as few problems as type I has, the FFNN collapses on type_II (§3.2)"
MOST = "Most errors of the FFNN are N2_alter (§3.2)"
RARE = "coordination and mis_num are rare errors of the FFNN (§3.2)"


@pytest.fixture
def full(predicted) -> Callable[..., list[dict]]:
    """Rows of all nine cells of both networks, and of the nulls on each test set."""

    def rows_of(ffnn: list[str], cnn: list[str], null: list[str]) -> list[dict]:
        rows = [row for test in TYPES for name in NULLS for row in predicted(null, name, test=test)]
        for train in TYPES:
            for test in TYPES:
                cell = {"train": train, "test": test}
                rows += predicted(ffnn, **cell) + predicted(cnn, "CNN", **cell)
        return rows

    return rows_of


@pytest.fixture
def judged(cells) -> Callable[..., dict[str, tuple[str, str]]]:
    """Result and evidence by claim."""

    def judge(rows: list[dict], untestable: str | None = None) -> dict[str, tuple[str, str]]:
        claims = judge_claims("paper", list_claims(cells(rows), untestable=untestable))
        return {row["claim"]: (row["result"], row["evidence"]) for row in claims}

    return judge


def test_claims_that_hold(predicted, full, judged):
    rows = full([RIGHT, N2] * 11 + [RIGHT, N1], [N2, N2] * 12, [N1] * 24)
    rows += predicted([AE, N1] * 12, regime="sameTrain", train="type_II", test="type_II")
    claims = judged(rows)
    named = (RULES, WELL, BETTER, COLLAPSE, MOST, RARE)
    assert {claim: claims[claim][0] for claim in named} == dict.fromkeys(named, "holds")
    assert claims[BETTER][1].startswith(
        "FFNN 0.5000 and CNN 0.0000, above 0 in 9 of 9 cells, difference +0.5000 ("
    )
    assert claims[COLLAPSE][1].startswith("0.5000 with all, 0.0000 with few, difference +0.5000 (")
    assert claims[MOST][1].startswith(
        "N2_alter 0.4583, N1_alter 0.0417, above 0 in 9 of 9 cells, difference +0.4167 ("
    )
    assert claims[RARE][1].startswith("above 0 in 9 of 9 cells, difference +0.1667 (")


MOST_WRONG = [RIGHT, N2, N2, N2, N2, N2, N2, N2] * 4
HALF, OTHER_HALF = [RIGHT, N2] * 16, [N2, RIGHT] * 16


@pytest.mark.parametrize(
    ("ffnn", "cnn", "result"),
    [
        ([RIGHT] * 32, HALF, "holds"),
        (HALF, [RIGHT] * 32, "fails"),
        (HALF, OTHER_HALF, "undecided"),
    ],
)
def test_claim_of_a_difference(full, judged, ffnn, cnn, result):
    assert judged(full(ffnn, cnn, [N1] * 32))[BETTER][0] == result


@pytest.mark.parametrize(
    ("network", "null", "well", "rules"),
    [
        (HALF, [N1] * 32, "holds", "holds"),
        (MOST_WRONG, HALF, "fails", "fails"),
        (OTHER_HALF, HALF, "undecided", "fails"),  # what a null can do earns no credit
        (HALF, [RIGHT] * 32, "untestable here", "fails"),  # and of what it solves it says nothing
        ([RIGHT] * 32, [RIGHT] * 32, "untestable here", "fails"),
        ([RIGHT] * 32, [RIGHT] * 31 + [N1], "untestable here", "fails"),  # no room beyond chance
    ],
)
def test_a_network_is_credited_only_above_every_null(full, judged, network, null, well, rules):
    claims = judged(full(network, network, null))
    assert (claims[WELL][0], claims[RULES][0]) == (well, rules)


def test_one_null_takes_the_credit(predicted, full, judged):
    rows = full(HALF, HALF, [N1] * 32)
    rows = [row for row in rows if (row["model"], row["test"]) != ("medoid", "type_II")]
    rows += predicted([RIGHT] * 32, "medoid", test="type_II")
    claims = judged(rows)
    assert (claims[WELL][0], claims[RULES][0]) == ("untestable here", "fails")
    start = "the null medoid solves it: 0.5000, medoid 1.0000, difference -0.5000 ("
    assert claims[WELL][1].startswith(start)
    assert ", 16 clusters, p " in claims[WELL][1]


@pytest.mark.parametrize(
    ("labels", "most", "rare"),
    [
        ([N2] * 6 + [RIGHT] * 2, "holds", "holds"),
        ([COORD] * 8, "fails", "fails"),
        ([RIGHT] * 8, "untestable here", "untestable here"),  # without an error
    ],
)
def test_claims_on_errors(full, judged, labels, most, rare):
    claims = judged(full(labels * 4, labels * 4, [N1] * 32))
    assert (claims[MOST][0], claims[RARE][0]) == (most, rare)


def test_a_claim_about_networks_that_did_not_run_is_untestable(predicted, judged):
    claims = judged(predicted([RIGHT, N2]))
    missing = ("untestable here", "a system or a regime that it takes did not run")
    assert {claims[name] for name in (RULES, WELL, BETTER, COLLAPSE)} == {missing}


def test_a_network_that_its_cap_stopped_is_no_evidence(full, judged):
    rows = full(HALF, [RIGHT] * 32, [RIGHT] * 32)
    for row in rows:
        row["capped"] = (row["model"] == "FFNN" and row["test"] == "type_II") or None
    claims = judged(rows)
    capped = (
        "untestable here",
        "max_steps ended the training of a network before its epochs or its patience did",
    )
    assert claims[WELL] == claims[BETTER] == claims[MOST] == capped
    assert claims[RULES][0] == "fails"  # nulls have no cap


def test_claims_say_nothing_of_problems_that_are_not_the_papers(full, judged):
    claims = judged(full(HALF, HALF, [RIGHT] * 32), untestable="the problems are not the paper's")
    assert set(claims.values()) == {("untestable here", "the problems are not the paper's")}
