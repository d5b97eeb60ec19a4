"""Templates, sequences and answer sets (BLM-2 to -4, S-9) for the seed printed in the paper."""

import csv
from collections import Counter

import pytest

from kasu.base.errors import KasuError
from kasu.blm.generation.grammar import (
    CLAUSES,
    LABELS,
    SEQUENCES,
    STATES,
    State,
    answer_set,
    form_of,
    sentence,
)
from kasu.blm.generation.seeds import COLUMNS, read_seeds
from kasu.blm.generation.spelling import normalise

# The words of Figures 4 and 5
FIGURE_4 = (
    "Jean suppose que|l'ordinateur|les ordinateurs|avec le programme|avec les programmes|"
    "et le programme|et les programmes|de l'expérience|des expériences|et l'expérience|"
    "et les expériences|du jour|des jours|et le jour|et les jours|dont Jean se servait|"
    "est en panne|sont en panne"
)
FIGURE_5 = (
    "L'ordinateur avec le programme est en panne .",
    "Les ordinateurs avec le programme sont en panne .",
    "L'ordinateur avec les programmes est en panne .",
    "Les ordinateurs avec les programmes sont en panne .",
    "L'ordinateur avec le programme de l'expérience est en panne .",
    "Les ordinateurs avec le programme de l'expérience sont en panne .",
    "L'ordinateur avec les programmes de l'expérience est en panne .",
    "Les ordinateurs avec les programmes de l'expérience sont en panne .",
)
ANSWERS = {
    "coordination": "L'ordinateur avec le programme et l'expérience est en panne .",
    "True": "Les ordinateurs avec les programmes de l'expérience sont en panne .",
    "mis_num": "L'ordinateur avec le programme est en panne .",
    "agreement_error": "L'ordinateur avec les programmes de l'expérience sont en panne .",
    "N1_alter": "Les ordinateurs avec le programme de l'expérience sont en panne .",
    "N2_alter": "Les ordinateurs avec les programmes des expériences sont en panne .",
}
RIGHT = State("pl", "pl", "sg")
STEMS = dict(zip(CLAUSES, ("main", "com", "rel"), strict=True))


@pytest.fixture(scope="module")
def seed(tmp_path_factory):
    path = tmp_path_factory.mktemp("seeds") / "figure_4.tsv"
    path.write_text("\t".join(COLUMNS) + "\n" + FIGURE_4.replace("|", "\t") + "\n")
    return read_seeds(path)[0]


def sequence(seed, clause, row=0):
    return [sentence(seed, clause, form_of(STATES[at])) for at in SEQUENCES[row]]


def test_figure_5_main(seed):
    assert tuple(sequence(seed, "main")) == FIGURE_5


def test_figure_5_completive(seed):
    expected = [f"Jean suppose que {text[0].lower()}{text[1:]}" for text in FIGURE_5]
    assert sequence(seed, "completive") == expected


def test_figure_5_relative(seed):
    # Names inside a sentence lose their capital (BLM-8)
    expected = [
        text.replace(" est", " dont jean se servait est").replace(
            " sont", " dont jean se servait sont"
        )
        for text in FIGURE_5
    ]
    assert sequence(seed, "relative") == expected


def test_figure_5_answer_set_is_that_of_variant_paper(seed):
    forms = answer_set(RIGHT, "main", "paper")
    assert {label: sentence(seed, "main", form) for label, form in forms.items()} == ANSWERS


def test_released_answer_set(seed):
    forms = answer_set(RIGHT, "main", "released")
    assert [sentence(seed, "main", form) for form in forms.values()] == [
        "Les ordinateurs avec les programmes de l'expérience sont en panne .",
        "Les ordinateurs avec les programmes de l'expérience est en panne .",
        "L'ordinateur avec les programmes de l'expérience sont en panne .",
        "Les ordinateurs avec le programme de l'expérience sont en panne .",
        "Les ordinateurs avec les programmes et l'expérience sont en panne .",
        "Les ordinateurs avec les programmes de l'expérience du jour sont en panne .",
    ]


def test_released_completives_repeat_the_last_attractor(seed):
    form = answer_set(RIGHT, "completive", "released")["mis_num"]
    assert sentence(seed, "completive", form) == (
        "Jean suppose que les ordinateurs avec les programmes de l'expérience de l'expérience "
        "sont en panne ."
    )
    assert str(form) == "pl|pl|sg;repeated"


def test_one_attractor_coordinates_the_first_and_adds_the_second():
    forms = answer_set(State("sg", "pl", None), "main", "released")
    assert forms["coordination"] == ("sg", ("conjunct1_pl",), "pl")
    assert forms["mis_num"] == ("sg", ("pp1_pl", "pp2_pl"), "sg")
    assert str(forms["coordination"]) == "sg|pl|none;verb=pl;conjunct"


def test_the_variants_agree_where_there_is_no_second_attractor():
    state = State("sg", "pl", None)
    assert answer_set(state, "main", "paper") == answer_set(state, "main", "released")


def test_unknown_variant():
    with pytest.raises(KasuError, match="'printed'; expected released or paper"):
        answer_set(RIGHT, "main", "printed")


def test_24_sequences_in_the_order_of_the_files():
    assert SEQUENCES.shape == (24, 8)
    assert len({tuple(row) for row in SEQUENCES.tolist()}) == 24
    starts = [tuple(STATES[at] for at in row[[0, 4]]) for row in SEQUENCES]
    assert starts[:6] == [
        (("sg", "sg", x), ("sg", "sg", y))
        for x, y in (
            (None, "sg"), (None, "pl"), ("sg", None), ("sg", "pl"), ("pl", None), ("pl", "sg")
        )
    ]  # fmt: skip
    assert [STATES[row[0]][:2] for row in SEQUENCES[::6]] == [
        ("sg", "sg"), ("sg", "pl"), ("pl", "sg"), ("pl", "pl")
    ]  # fmt: skip


def test_8_sequences_each_begin_with_one_attractor_end_with_one_or_always_have_two():
    seconds = [(STATES[row[0]].second, STATES[row[4]].second) for row in SEQUENCES]
    assert Counter((x is None, y is None) for x, y in seconds) == {
        (True, False): 8, (False, True): 8, (False, False): 8
    }  # fmt: skip


def test_the_numbers_alternate():
    for row in SEQUENCES:
        states = [STATES[at] for at in row]
        assert len(set(states)) == 8
        assert [s.subject == states[0].subject for s in states] == [True, False] * 4
        assert [s.first == states[0].first for s in states] == [True, True, False, False] * 2
        assert [s.second == states[0].second for s in states] == [True] * 4 + [False] * 4


@pytest.mark.parametrize("variant", ["released", "paper"])
def test_one_wrong_candidate_copies_a_context_sentence(variant):
    """N2_alter is the sixth sentence; in the paper's sets with two attractors, N1_alter is."""
    for row in SEQUENCES:
        states = [STATES[at] for at in row]
        forms = answer_set(states[7], "main", variant)
        copied = "N1_alter" if variant == "paper" and states[7].second else "N2_alter"
        assert forms[copied] == form_of(states[5])
        assert forms["True"] not in map(form_of, states[:7])


@pytest.mark.real
def test_type_i_equals_the_released_type_i(mirror):
    """2,304 problems: contexts and all six candidates by label, character by character."""
    folder = mirror / "papers" / "blm-agrf"
    seeds = read_seeds(folder / "seeds_FR_fragments.csv")
    for clause, stem in STEMS.items():
        with open(folder / "original_type_I" / f"type_i_{stem}.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == 768
        for number, row in enumerate(rows):
            at, seed = divmod(number, 32)
            texts = sequence(seeds[seed], clause, at)
            forms = answer_set(STATES[SEQUENCES[at][7]], clause, "released")
            answers = {label: sentence(seeds[seed], clause, forms[label]) for label in LABELS}
            assert texts[:7] == [normalise(row[f"Sent_{place}"]) for place in range(1, 8)]
            assert answers == {
                row[f"Answer_label_{place}"]: normalise(row[f"Answer_{place}"])
                for place in range(1, 7)
            }
