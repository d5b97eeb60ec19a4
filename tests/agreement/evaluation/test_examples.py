"""Examples of verb number prediction: example (1) of the paper, and one with a bare verb."""

import pytest

from kasu.agreement.data.sentences import SCHEMA
from kasu.agreement.evaluation.examples import take_examples
from kasu.agreement.models.predictions import PREDICTIONS
from kasu.files.tables import write_parquet
from kasu.results.examples import Answer, Example, read_examples

SLOTS = ("ergative", "absolutive", "dative")
SENTENCES = {
    "s1|paper": (
        ["Kutxazainek", "bezeroari", "liburuak", "eman", "dizkiote"],
        ["kutxazain", "bezero", "liburu", "eman", "edun"],
        ("plural", "plural", "singular"),
    ),
    "s2|paper": (["Etorri", "da"], ["etorri", "izan"], ("none", "singular", "none")),
}


@pytest.fixture
def test_set(tmp_path):
    nothing = dict.fromkeys(SCHEMA.names)
    rows = [
        nothing | {"item_id": name, "tokens": tokens, "lemmas": lemmas, "target": len(tokens) - 1}
        for name, (tokens, lemmas, _) in SENTENCES.items()
    ]
    write_parquet(tmp_path / "test.parquet", rows, SCHEMA)
    return str(tmp_path / "test.parquet")


@pytest.fixture
def predicted(tmp_path):
    """Write predictions: (variant, seed, item, what the three slots are said to be)."""

    def write(system, *runs):
        path = tmp_path / f"{system}.parquet"
        nothing = dict.fromkeys(PREDICTIONS.names)
        rows = [
            nothing
            | {"variant": variant, "seed": seed, "item_id": name, "slot": slot}
            | {"gold": SENTENCES[name.replace("released", "paper")][2][at], "prediction": given[at]}
            for variant, seed, name, given in runs
            for at, slot in enumerate(SLOTS)
        ]
        write_parquet(path, rows, PREDICTIONS)
        return str(path)

    return write


def take(tmp_path, test_set, **predictions):
    files = {"test": [test_set], "predictions": [*predictions.values()]}
    corpora = [{"name": "mine", "language": "eu", "systems": [*predictions]}]
    take_examples(files, tmp_path / "e.tsv", corpora=corpora, seed=1)
    return read_examples(tmp_path / "e.tsv")


ALL = ("plural", "plural", "singular")
BARE = ("none", "singular", "none")


def test_sentences_show_their_gap_and_every_answer(tmp_path, test_set, predicted):
    majority = predicted(
        "majority", ("paper", None, "s1|paper", BARE), ("paper", None, "s2|paper", BARE)
    )
    bilstm = predicted(
        "bilstm",
        ("paper", 1, "s1|paper", ("plural", "singular", "singular")),
        ("paper", 1, "s2|paper", BARE),
        # Neither another seed nor another variant counts
        ("paper", 2, "s1|paper", ALL),
        ("paper", 2, "s2|paper", ("plural", "none", "none")),
        ("released", 1, "s1|released", ALL),
    )
    notes, examples = take(tmp_path, test_set, majority=majority, bilstm=bilstm)
    assert notes == ["All 2 test sentences: 1 right and 1 wrong, as bilstm answers."]
    assert examples == [
        Example(
            "s2|paper",
            "absolutive",
            "eu",
            texts=(("", "Etorri […]"), ("verb", "da (izan)")),
            gold=(("ergative", "none"), ("absolutive", "singular"), ("dative", "none")),
            answers=tuple(
                Answer(system, given, "right", slot)
                for system in ("bilstm", "majority")
                for slot, given in zip(SLOTS, BARE, strict=True)
            ),
        ),
        Example(
            "s1|paper",
            "ergative, absolutive, dative",
            "eu",
            texts=(
                ("", "Kutxazainek bezeroari liburuak eman […]"),
                ("verb", "dizkiote (edun)"),
            ),
            gold=(("ergative", "plural"), ("absolutive", "plural"), ("dative", "singular")),
            answers=(
                Answer("bilstm", "plural", "right", "ergative"),
                Answer("bilstm", "singular", "wrong", "absolutive"),
                Answer("bilstm", "singular", "right", "dative"),
                Answer("majority", "none", "wrong", "ergative"),
                Answer("majority", "singular", "wrong", "absolutive"),
                Answer("majority", "none", "wrong", "dative"),
            ),
        ),
    ]


def test_a_network_counts_as_the_main_system_before_any_null(tmp_path, test_set, predicted):
    systems = {
        name: predicted(name, ("paper", seed, "s1|paper", ALL))
        for name, seed in (("lstm", 1), ("ngram", None))
    }
    (note,), _ = take(tmp_path, test_set, **systems)
    assert note == "1 of 1 test sentences: 1 right, as lstm answers."


def test_without_a_system_it_says_why_there_is_none(tmp_path, test_set):
    notes, examples = take(tmp_path, test_set)
    assert (notes, examples) == (
        ["No example: no system of this run predicts the number of verbs."],
        [],
    )


def test_several_corpora_take_turns_and_a_sentence_may_be_in_both(tmp_path, test_set, predicted):
    both = predicted("bilstm", ("paper", 1, "s1|paper", ALL), ("paper", 1, "s2|paper", BARE))
    null = predicted(
        "majority", ("paper", None, "s1|paper", BARE), ("paper", None, "s2|paper", BARE)
    )
    corpora = [
        {"name": "one", "language": "es", "systems": ["bilstm", "majority"]},
        {"name": "two", "language": "fi", "systems": ["bilstm"]},
        {"name": "nulls", "language": "fr", "systems": ["majority"]},
    ]
    files = {"test": [test_set] * 3, "predictions": [both, null, both, null]}
    take_examples(files, tmp_path / "e.tsv", corpora=corpora, seed=1)
    (note,), examples = read_examples(tmp_path / "e.tsv")
    assert note == "All 4 test sentences: 4 right, as bilstm answers."
    found = {(each.group, each.language, each.item) for each in examples}
    assert found == {
        ("one, absolutive", "es", "s2|paper"),
        ("one, ergative, absolutive, dative", "es", "s1|paper"),
        ("two, absolutive", "fi", "s2|paper"),
        ("two, ergative, absolutive, dative", "fi", "s1|paper"),
    }
    answered = {(each.language, answer.system) for each in examples for answer in each.answers}
    assert answered == {("es", "bilstm"), ("es", "majority"), ("fi", "bilstm")}
