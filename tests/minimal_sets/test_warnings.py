"""Warnings of minimal sets: scores that tell no forms apart, one value, the shortest form."""

import math

import pytest

from kasu.files.tables import write_parquet, write_tsv
from kasu.minimal_sets.models.predictions import PREDICTIONS, SET_DROPS
from kasu.minimal_sets.warnings import find_warnings
from kasu.results.warnings.table import ResultWarning

RIGHT = ["nom"] * 20 + ["erg"] * 10
PLACE = "pll of a word, set-erg, set-nom: erg, nom, 30 items"


@pytest.fixture
def find(tmp_path):
    """Find the warnings of models by the scores of erg and nom for each item; nom is shorter."""

    def run(right=RIGHT, dropped=(), **models):
        files = []
        for system, scores in models.items():
            rows = [
                dict.fromkeys(PREDICTIONS.names)
                | {"set": f"set-{gold}", "item_id": str(item), "system": system}
                | {"definition": "pll", "level": "word", "value": value, "characters": length}
                | {"grammatical": value == gold, "log_probability": score}
                | {"vocabulary": 1000, "scored": 2}
                for item, (gold, two) in enumerate(zip(right, scores, strict=True))
                # In another order than by name
                for value, length, score in (("nom", 6, two[1]), ("erg", 7, two[0]))
            ]
            files.append(str(tmp_path / f"{system}.parquet"))
            write_parquet(files[-1], rows, PREDICTIONS)
        drops = str(tmp_path / "drops.tsv")
        write_tsv(drops, [dict(zip(SET_DROPS, row, strict=True)) for row in dropped], SET_DROPS)
        # The released results have no drops
        scorers = list(models)[:1]
        return list(find_warnings({"predictions": files, "drops": [drops]}, scorers=scorers))

    return run


def test_scores_that_are_equal_or_no_numbers(find):
    assert find(flat=[(-1.0, -1.0)] * 30, broken=[(math.nan, -1.0)] * 30) == [
        ResultWarning("flat", "gives the options of every item the same score", PLACE),
        ResultWarning("broken", "gives no item finite scores", PLACE),
    ]


def test_one_value_for_all_items_of_all_sets(find):
    wrong = "gives the same answer, 'nom', to every item"
    assert find(bert=[(-2.0, -1.0)] * 30) == [ResultWarning("bert", wrong, PLACE)]


def test_a_model_that_takes_the_right_form_is_not_warned_of(find):
    assert find(bert=[(-2.0, -1.0)] * 20 + [(-1.0, -2.0)] * 10) == []


def test_a_model_that_takes_the_shortest_form(find):
    # Of one value, so that no constant shows it
    found = find(right=["erg"] * 30, bert=[(-2.0, -1.0)] * 30)
    assert [(each.system, each.warning) for each in found] == [
        ("test set", "the right answer to every item is 'erg': a constant is right everywhere"),
        ("bert", "answers as the shortest form does in 99% of the items or more"),
    ]


def test_an_untrained_head_is_named_once_for_all_sets(find):
    # Two tokens of 1 / 1000 each
    log = 2 * math.log(1 / 1000)
    scores = [(log - 0.2, log + 0.1), (log + 0.1, log - 0.2)] * 15
    assert find(bert=scores) == [
        ResultWarning("bert", "scores like those of an untrained head", "pll")
    ]


def test_a_model_that_scores_few_items_of_a_set(find):
    sound = [(-2.0, -1.0)] * 20 + [(-1.0, -2.0)] * 10
    dropped = [
        ("set-erg", "pll: longer than the model", 11),
        ("set-nom", "pll: longer than the model", 20),
        ("set-erg", "other: longer than the model", 99),
    ]
    assert find(dropped=dropped, bert=sound, released=sound) == [
        ResultWarning("bert", "judges fewer than half of the items", "pll, set-erg, 10 of 21")
    ]


def test_a_line_names_the_first_of_many_sets(find):
    scores = [(-1.0, -1.0)] * 5
    (found,) = find(right=["a", "b", "c", "d", "e"], bert=scores)[-1:]
    assert found.where.startswith("pll of a word, set-a, set-b, set-c and 2 more: ")
