"""Solvers without a network and the demonstration table (BLM-19)."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from kasu.base.errors import KasuError
from kasu.base.tables import read_tsv
from kasu.blm.generation.decoding import Decoder
from kasu.blm.generation.demonstration import demonstrate
from kasu.blm.generation.fills import LexiconFills
from kasu.blm.generation.grammar import VARIANTS
from kasu.blm.generation.seeds import read_seeds
from kasu.blm.generation.substitutions import read_lexicon
from kasu.blm.generation.types import generate_type_i, generate_type_ii, generate_type_iii
from kasu.blm.models.heuristics import solvers

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
