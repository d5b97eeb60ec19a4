"""Solvers without a network and the demonstration table (BLM-19)."""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.blm.data.demonstration import demonstrate
from kasu.blm.data.names import NULLS
from kasu.blm.data.types import generate_type_i, generate_type_ii, generate_type_iii
from kasu.blm.generation.decoding import Decoder
from kasu.blm.generation.fills import LexiconFills
from kasu.blm.generation.grammar import VARIANTS
from kasu.blm.generation.seeds import read_seeds
from kasu.blm.generation.substitutions import read_lexicon
from kasu.blm.models.heuristics import (
    LEARNED,
    choose_frequent,
    choose_medoid,
    complete_parallelogram,
    solvers,
)
from kasu.files.tables import read_tsv

SEEDS = Path(__file__).resolve().parents[3] / "resources" / "seeds"


def tables(seeds, lexicon):
    first = generate_type_i(seeds, VARIANTS)
    second = generate_type_ii(seeds, lexicon, LexiconFills(lexicon, 1), VARIANTS)
    third = generate_type_iii(second, "independent", 1)
    for problems in (first, second, third):
        none = np.full(len(problems), -1)
        for variant in VARIANTS:
            yield problems.type, variant, problems.table(variant, 1, none, none)


@pytest.fixture(scope="module")
def french():
    lexicon = read_lexicon(SEEDS / "fra.lexicon.tsv")
    seeds = read_seeds(SEEDS / "fra.tsv")
    problems = generate_type_i(seeds, ["released"])
    none = np.full(len(problems), -1)
    return solvers(seeds, lexicon, 1), problems.table("released", 1, none, none)


@pytest.mark.parametrize("language", ["fra", "eng"])
def test_the_oracle_solves_everything_in_every_type(language):
    lexicon = read_lexicon(SEEDS / f"{language}.lexicon.tsv")
    seeds = read_seeds(SEEDS / f"{language}.tsv")[-4:]
    oracle = solvers(seeds, lexicon, 1)["oracle"]
    for type_, variant, table in tables(seeds, lexicon):
        solved = oracle(table) == table["answer"].to_numpy()
        assert solved.all(), (type_, variant)


# Nulls, on problems written by hand

OPENING = ["Keys .", "Doors .", "A key .", "A door ."]  # no null reads these
FIFTH, SIXTH, SEVENTH, EIGHTH = (
    "The key to the door opens .",
    "The keys to the door open .",
    "The key to the doors opens .",
    "The keys to the doors open .",
)
WRONG = [
    "The keys to the doors opens .",
    "The keys to the door open .",
    "The key to the doors open .",
    "The keys to the doors and the wall open .",
    "The keys open .",
]


def written(context: list[str], candidates: list[str], answer: int = 0) -> dict:
    return {"context": context, "candidates": candidates, "answer": answer}


def by_hand(*problems: dict) -> pa.Table:
    return pa.Table.from_pylist(list(problems))


def test_the_parallelogram_is_seven_plus_six_minus_five():
    context = [*OPENING, FIFTH, SIXTH, SEVENTH]
    problems = by_hand(
        written(context, [*WRONG[:3], EIGHTH, *WRONG[3:]]),
        written(context, [*WRONG, EIGHTH]),
        # 7 + 6 - 5 of another order is another sentence of the four
        written([*OPENING, EIGHTH, SIXTH, SEVENTH], [*WRONG[:4], FIFTH, EIGHTH]),
    )
    assert complete_parallelogram(problems).tolist() == [3, 5, 4]


def test_the_parallelogram_ignores_capitals():
    context = [*OPENING, "Keys A .", "keys B .", "KEYS a C ."]  # leave keys, b and c
    problems = by_hand(written(context, ["a .", "A B .", "keys b c .", "b .", "c .", "keys ."]))
    assert complete_parallelogram(problems).tolist() == [2]


def test_the_medoid_is_the_candidate_most_like_the_others():
    elsewhere = ["Nothing here is read ."] * 7
    problems = by_hand(
        written(elsewhere, [*WRONG[:2], EIGHTH, *WRONG[2:]]),
        # "a b" shares a word with three others, no other candidate with more than two
        written(elsewhere, ["a", "a b", "b", "c", "c", "b d"]),
    )
    assert choose_medoid(problems).tolist() == [2, 1]


def test_of_equally_near_candidates_the_first_is_chosen():
    context = [*OPENING, "a", "a", "b"]
    problems = by_hand(written(context, ["c", "b d", "b e", "b f", "c", "c"]))
    assert complete_parallelogram(problems).tolist() == [1]
    assert choose_medoid(by_hand(written(context, list("abcdef")))).tolist() == [0]


def test_ties_are_counted_in_the_log(caplog):
    caplog.set_level("INFO", logger="kasu")
    problems = by_hand(
        written([*OPENING, "a", "a", "b"], ["c", "b d", "b e", "b f", "c", "c"]),
        written([*OPENING, "a", "a", "b"], ["c", "d", "e", "f", "g", "b"]),
    )
    complete_parallelogram(problems)
    choose_frequent(problems, problems)
    assert [record.getMessage() for record in caplog.records] == [
        "parallelogram: 1 of 2 problems tie, and the first of the best candidates is chosen",
        "frequency: 1 of 2 problems tie, and the first of the best candidates is chosen",
    ]


def test_frequency_counts_the_right_answers_of_training():
    context = ["s"] * 7
    training = by_hand(
        written(context, list("abcdef"), answer=1),
        written(context, list("fedcba"), answer=4),  # b again
        written(context, list("abcdef"), answer=5),
    )
    problems = by_hand(
        written(context, list("fgbhij")),  # f once, b twice
        written(context, list("ghijkf")),
        written(context, list("ghaijk")),  # a was a candidate, and never right
    )
    assert choose_frequent(training, problems).tolist() == [2, 5, 0]


def test_every_null_is_a_solver(french):
    solve, _ = french
    assert {*solve, *LEARNED} == {"oracle", *NULLS}


def test_nulls_solve_type_i_without_the_rule(french):
    solve, table = french
    answer = table["answer"].to_numpy()
    assert (solve["parallelogram"](table) == answer).all()
    assert (solve["medoid"](table) == answer).all()


def test_copy_unseen_never_picks_n2_alter(french):
    solve, table = french
    chosen = solve["copy_unseen"](table).tolist()
    labels = Counter(row[at] for row, at in zip(table["labels"].to_pylist(), chosen, strict=True))
    assert labels["N2_alter"] == 0
    assert min(labels[label] for label in labels if label != "N2_alter") > 300


def test_random_choice_solves_a_sixth_within_two_sigma(french):
    solve, table = french
    share = (solve["random"](table) == table["answer"].to_numpy()).mean()
    assert abs(share - 1 / 6) < 2 * (5 / 36 / 2304) ** 0.5


def test_choices_do_not_depend_on_the_other_problems(french):
    solve, table = french
    for solver in solve.values():
        assert solver(table.slice(700, 100)).tolist() == solver(table)[700:800].tolist()


def test_the_oracle_does_not_choose_when_the_context_is_no_sequence(french):
    solve, table = french
    row = table.slice(0, 1).to_pylist()[0]
    row["context"][6] = row["context"][5]
    assert solve["oracle"](table.from_pylist([row], table.schema)).tolist() == [-1]


def test_sentences_are_parsed_into_forms():
    seeds, lexicon = read_seeds(SEEDS / "fra.tsv"), read_lexicon(SEEDS / "fra.lexicon.tsv")
    decoder = Decoder(seeds, lexicon)
    read = {
        "Les tasses sur le bureau éclairent toute la pièce .": "pl|sg|none",
        "La lampe sur le zinc et le directeur éclairent toute la pièce .": (
            "sg|sg|sg;verb=pl;conjunct"
        ),
        "Éric pense que la lampe sur les bureaux sur les bureaux éclaire toute la pièce .": (
            "sg|pl|none;repeated"
        ),
        "La lampe sur le bureau des directeurs de l'usine que claire admire éclaire toute la "
        "pièce .": "sg|sg|pl;third=sg",
    }
    assert {text: str(decoder.read(text)) for text in read} == read
    assert decoder.read("La lampe éclaire toute la pièce .") is None


def test_demonstration_shows_every_figure(tmp_path):
    seeds, lexicon = read_seeds(SEEDS / "fra.tsv"), read_lexicon(SEEDS / "fra.lexicon.tsv")
    path = tmp_path / "demonstration.tsv"
    demonstrate(seeds, path, lexicon=lexicon, fills=LexiconFills(lexicon, 1))
    rows = read_tsv(path)
    assert list(dict.fromkeys(row["figure"] for row in rows)) == [
        "2", "3", "4", "5", "6", "7", "10", "11"
    ]  # fmt: skip
    templates = [row["text"] for row in rows if row["part"] == "answer set, paper"]
    assert templates == [
        "NP-plur PP1-plur PP2-sing VP-plur",
        "NP-sing PP1-plur PP2-sing VP-plur",
        "NP-plur PP1-sing PP2-sing VP-plur",
        "NP-plur PP1-plur PP2-plur VP-plur",
        "NP-sing PP1-sing et NP2-sing VP-sing",
        "NP-sing PP1-sing VP-sing",
    ]
    masked = {row["structure"]: row["text"] for row in rows if row["figure"] == "11"}
    assert len(masked) == 10
    assert len(masked["Paul MASK que la lampe sur le bureau éclaire toute la pièce ."].split()) == 5
    assert sum(row["part"] == "sequences" for row in rows) == 24


def test_demonstration_of_a_missing_seed_is_one_line(tmp_path):
    seeds, lexicon = read_seeds(SEEDS / "eng.tsv"), read_lexicon(SEEDS / "eng.lexicon.tsv")
    with pytest.raises(KasuError, match="seed 8, sequence 0; expected less than 8 and 24"):
        fills = LexiconFills(lexicon, 1)
        demonstrate(seeds, tmp_path / "x.tsv", lexicon=lexicon, fills=fills, seed=8)
