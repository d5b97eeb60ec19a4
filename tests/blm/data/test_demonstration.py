"""The paper's figures of the generator, from the first shipped seed."""

from collections import Counter
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.blm.data.demonstration import COLUMNS, demonstrate, template
from kasu.blm.generation.fills import LexiconFills
from kasu.blm.generation.grammar import Form
from kasu.blm.generation.seeds import read_seeds
from kasu.blm.generation.substitutions import read_lexicon
from kasu.files.tables import read_tsv

SEEDS = Path(__file__).resolve().parents[3] / "resources" / "seeds"


@pytest.fixture
def show(tmp_path):
    """The rows of one figure, without its number."""
    lexicon = read_lexicon(SEEDS / "fra.lexicon.tsv")

    def read(figure: str, **chosen: int) -> list[tuple[str, ...]]:
        fills = LexiconFills(lexicon, 1)
        out = tmp_path / "figures.tsv"
        demonstrate(read_seeds(SEEDS / "fra.tsv"), out, lexicon=lexicon, fills=fills, **chosen)
        rows = [tuple(row.values()) for row in read_tsv(out, COLUMNS)]
        return [row[1:] for row in rows if row[0] == figure]

    return read


def test_figure_2_has_the_templates_of_context_and_answers(show):
    rows = show("2")
    assert Counter(part for part, *_ in rows) == {
        "context": 8, "answer set, released": 6, "answer set, paper": 6,
    }  # fmt: skip
    assert rows[0] == ("context", "1", "", "sg|sg|none", "NP-sing PP1-sing VP-sing")
    assert rows[7] == ("context", "8", "", "pl|pl|sg", "NP-plur PP1-plur PP2-sing VP-plur")
    assert rows[12] == (
        "answer set, released", "5", "coordination", "pl|pl|sg;conjunct",
        "NP-plur PP1-plur et NP2-sing VP-plur",
    )  # fmt: skip


def test_figures_3_and_4_have_the_rules_and_the_seed_from_row_1_on(show):
    assert [row[1:2] + row[4:] for row in show("3")][::7] == [
        ("1", "agreement → main"),
        ("8", "attractors → pp1(n) pp2(n)"),
    ]
    seed = show("4")
    assert seed[1] == ("seed", "2", "subject_sg", "", "la lampe")
    assert seed[-1][:3] == ("seed", "18", "relative")


def test_figure_5_has_each_clause_type_and_its_answer_sets(show):
    rows = show("5")
    assert len(rows) == 3 * 8 + 3 * 2 * 6
    assert rows[1][1:] == (
        "2",
        "",
        "pl|sg|none",
        "Les lampes sur le bureau éclairent toute la pièce .",
    )
    wrong = next(
        row for row in rows if row[:3] == ("answer set, main, released", "2", "agreement_error")
    )
    assert wrong[4] == "Les lampes sur les bureaux du directeur éclaire toute la pièce ."


def test_figures_6_and_11_mask_one_word_and_list_five_others(show):
    assert [row[:4] for row in show("6")] == [
        ("main", "1", "subject", "La MASK sur le bureau éclaire toute la pièce ."),
        ("main", "2", "attractor", "La lampe sur le MASK éclaire toute la pièce ."),
    ]
    rows = show("11")
    assert rows[:2] == show("6")
    assert Counter(part for part, *_ in rows) == {"main": 2, "completive": 4, "relative": 4}
    assert [len(set(words.split(", "))) for *_, words in rows[:2]] == [5, 5]


def test_replacements_have_the_number_of_the_masked_word(show):
    singular, plural = (show("6", sequence=at)[0] for at in (0, 12))
    assert plural[3] == "Les MASK sur le bureau éclairent toute la pièce ."
    for row, ending in ((singular, False), (plural, True)):
        assert {word.endswith("s") for word in row[4].split(", ")} == {ending}


def test_figure_7_is_a_problem_as_a_network_sees_it(show):
    rows = show("7")
    assert [row[:2] for row in rows] == [("input", str(n)) for n in range(1, 8)] + [
        ("candidates", str(n)) for n in range(1, 7)
    ]
    assert rows[0] == (
        "input",
        "1",
        "",
        "sg|sg|none",
        "La lampe sur le bureau éclaire toute la pièce .",
    )
    (right,) = (row for row in rows if row[2] == "True")
    assert right[3:] == (
        "pl|pl|sg",
        "Les lampes sur les bureaux du directeur éclairent toute la pièce .",
    )


def test_figure_10_has_what_varies_and_the_24_sequences(show):
    rows = show("10")
    assert [row[1] for row in rows] == [*"123", *map(str, range(1, 25))]
    assert rows[1][2:] == (
        "number of the first attractor", "2 orders", "alternates with every two sentences",
    )  # fmt: skip
    assert rows[3][2] == "sequence 0"
    assert rows[3][4].startswith("sg|sg|none pl|sg|none sg|pl|none")
    assert rows[-1][2] == "sequence 23"


def test_another_seed_and_sequence_are_shown_on_request(show):
    assert show("4", seed=1)[1][4] == "le vélo"
    assert show("2", sequence=23)[0][3] == "pl|pl|pl"


@pytest.mark.parametrize(("seed", "sequence"), [(-1, 0), (99, 0), (0, -1), (0, 24)])
def test_a_seed_or_sequence_that_is_not_there_is_refused(show, seed, sequence):
    line = f"demonstration: seed {seed}, sequence {sequence}; expected less than "
    with pytest.raises(KasuError, match=line):
        show("2", seed=seed, sequence=sequence)


def test_a_conjunct_is_written_with_its_number():
    form = Form("pl", ("pp1_sg", "conjunct2_pl"), "sg")
    assert template(form) == "NP-plur PP1-sing et NP2-plur VP-sing"
