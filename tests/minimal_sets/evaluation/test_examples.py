"""Examples of minimal sets: two sets, two models, and the authors' results."""

import pytest

from kasu.files.tables import write_parquet
from kasu.minimal_sets.data.columns import schema
from kasu.minimal_sets.evaluation.examples import take_examples
from kasu.minimal_sets.models.predictions import PREDICTIONS
from kasu.results.examples import Answer, Example, Option, read_examples

VALUES = ("Nom", "Dat", "Erg")
FORMS = {"nom": "ბავშვი", "dat": "ბავშვს", "erg": "ბავშვმა"}


@pytest.fixture
def built(tmp_path):
    """A set of one item, the same in every set but for its right value."""

    def write(name, right):
        item = dict.fromkeys(schema(VALUES).names)
        item |= {"item_id": f"{name}:1", "set": name, "masked": "[MASK] ვაშლს ჭამს."}
        item |= {"grammatical": right} | {f"form_{value}": form for value, form in FORMS.items()}
        write_parquet(tmp_path / f"{name}.parquet", [item], schema(VALUES))
        return str(tmp_path / f"{name}.parquet")

    return write


@pytest.fixture
def scored(tmp_path):
    """Write scores: (set, right value, system, definition, level, scores of dat, erg and nom)."""

    def write(file, *rows):
        nothing = dict.fromkeys(PREDICTIONS.names)
        predictions = [
            nothing
            | {"set": name, "item_id": f"{name}:1", "system": system, "definition": definition}
            | {"level": level, "value": value, "form": FORMS[value], "log_probability": score}
            | {"grammatical": value == right}
            for name, right, system, definition, level, scores in rows
            for value, score in zip(("dat", "erg", "nom"), scores, strict=True)
        ]
        write_parquet(tmp_path / f"{file}.parquet", predictions, PREDICTIONS)
        return str(tmp_path / f"{file}.parquet")

    return write


def take(tmp_path, sets, predictions, definitions):
    take_examples(
        {"sets": sets, "predictions": predictions},
        tmp_path / "e.tsv",
        definitions=definitions,
        languages={"subj": "ka", "obj": "kat"},
        seed=1,
    )
    return read_examples(tmp_path / "e.tsv")


def test_every_form_has_its_score_and_the_highest_wins(tmp_path, built, scored):
    sets = [built("subj", "nom"), built("obj", "dat")]
    bert = scored(
        "bert",
        ("obj", "dat", "BERT", "other", "word", (-9.0, -1.0, -9.0)),
        ("obj", "dat", "BERT", "word_released", "word", (-1.0, -4.0, -1.0)),
        ("subj", "nom", "BERT", "word_released", "word", (-2.0, -1.5, -3.0)),
    )
    gpt = scored("gpt", ("subj", "nom", "GPT", "causal", "sentence", (-5.0, -6.0, -4.0)))
    notes, examples = take(tmp_path, sets, [bert, gpt], ["word_released", "causal"])
    assert notes == [
        "All 2 items of minimal sets: 1 wrong and 1 tie, as the first model of a set answers.",
        "Scores beside options are log probabilities, in nats.",
    ]
    wrong, tie = examples
    assert wrong == Example(
        "subj:1",
        "subj",
        "ka",
        texts=(("", "[…] ვაშლს ჭამს."),),
        options=(
            Option("nom", "ბავშვი", True),
            Option("dat", "ბავშვს", False),
            Option("erg", "ბავშვმა", False),
        ),
        scores={("BERT", "dat"): -2.0, ("BERT", "erg"): -1.5, ("BERT", "nom"): -3.0},
        answers=(
            Answer("BERT", "erg", "wrong"),
            Answer("GPT", "nom", "right"),
            Answer("shortest form", "nom", "tie"),
            Answer("shortest form", "dat", "tie"),
        ),
    )
    assert (tie.item, tie.language) == ("obj:1", "kat")
    assert tie.answers[:2] == (Answer("BERT", "dat", "tie"), Answer("BERT", "nom", "tie"))


def test_a_set_that_the_first_model_lacks_is_drawn_by_the_next_one(tmp_path, built, scored):
    sets = [built("subj", "nom"), built("obj", "dat")]
    first = scored("first", ("subj", "nom", "A", "causal", "sentence", (-2.0, -3.0, -1.0)))
    second = scored(
        "second",
        ("obj", "dat", "B", "causal", "sentence", (-1.0, -3.0, -2.0)),
        ("subj", "nom", "B", "causal", "sentence", (-1.0, -3.0, -2.0)),
    )
    (note, _), examples = take(tmp_path, sets, [first, second], ["causal", "causal"])
    assert "2 right" in note
    assert {each.group: each.answers[0].system for each in examples} == {"subj": "A", "obj": "B"}


def test_released_results_count_at_word_level_and_a_tie_is_wrong(tmp_path, built, scored):
    """As in the paper (GEO-10); the first system stands for all."""
    released = scored(
        "released",
        ("subj", "nom", "HPLT", "released_results", "sentence", (-9.0, -9.0, -1.0)),
        ("subj", "nom", "HPLT", "released_results", "word", (-1.0, -2.0, -1.0)),
        ("subj", "nom", "mBERT", "released_results", "word", (-2.0, -2.0, -1.0)),
    )
    (note, _), (example,) = take(tmp_path, [built("subj", "nom")], [released], ["released_results"])
    assert note.startswith("1 of 1 items of minimal sets: 1 wrong,")
    assert example.answers[:3] == (
        Answer("HPLT", "dat", "wrong"),
        Answer("HPLT", "nom", "wrong"),
        Answer("mBERT", "nom", "right"),
    )
    assert set(example.scores) == {("HPLT", value) for value in FORMS}


def test_sets_that_no_model_scores_are_shown_without_answers(tmp_path, built):
    notes, (first, second) = take(tmp_path, [built("subj", "nom"), built("obj", "dat")], [], [])
    assert notes == [
        "All 2 items of minimal sets, drawn by a hash of their names; groups take turns. "
        "No system answered."
    ]
    assert {first.group, second.group} == {"subj", "obj"}
    assert first.answers == second.answers == ()
    assert len(first.options) == 3


def test_a_value_without_a_form_is_no_option(tmp_path, built, scored):
    """Sets of one file may have other values."""
    item = dict.fromkeys(schema(VALUES).names) | {"item_id": "obj:1", "set": "obj"}
    item |= {"masked": "[MASK]", "grammatical": "dat", "form_dat": "ვაშლს", "form_nom": "ვაშლი"}
    write_parquet(tmp_path / "obj.parquet", [item], schema(VALUES))
    _, (example,) = take(tmp_path, [str(tmp_path / "obj.parquet")], [], [])
    assert [option.name for option in example.options] == ["nom", "dat"]
