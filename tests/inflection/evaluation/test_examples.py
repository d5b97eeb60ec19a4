"""Examples of inflection: the lemma, its features, and what submissions and the null answered."""

from kasu.files.tables import write_parquet
from kasu.inflection.data.triples import TRIPLES
from kasu.inflection.evaluation.examples import take_examples
from kasu.results.examples import Answer, Example, read_examples
from kasu.transduction.members.predictions import PREDICTIONS


def write(tmp_path, system, *predictions):
    rows = [
        {"system": system, "setting": "low", "language": "toy", "members": 1, "item": item}
        | {"gold": gold, "prediction": given, "variant": None, "seed": 1}
        for item, (gold, given) in enumerate(predictions)
    ]
    write_parquet(tmp_path / f"{system}.parquet", rows, PREDICTIONS)
    return str(tmp_path / f"{system}.parquet")


def test_items_show_their_triple_and_all_answers(tmp_path):
    triples = [("ur", "uretan", "N;PL"), ("etxe", "etxe", "N;SG")]
    rows = [dict(zip(TRIPLES.names, triple, strict=True)) for triple in triples]
    write_parquet(tmp_path / "toy/test.parquet", rows, TRIPLES)
    golds = [form for _, form, _ in triples]
    first = write(tmp_path, "uzh-01", (golds[0], "uretan"), (golds[1], "Etxe"))
    second = write(tmp_path, "baseline", (golds[0], ""), (golds[1], "etxe"))
    take_examples(
        {"predictions": [first, second], "tests": []},
        tmp_path / "e.tsv",
        submitted=[["uzh-01", "low"], ["baseline", "low"]],
        datasets={"toy": str(tmp_path / "toy")},
        languages={"toy": "eu"},
        seed=1,
    )
    notes, (right, wrong) = read_examples(tmp_path / "e.tsv")
    assert notes == [
        "All 2 test items, each once per setting: 1 right and 1 wrong, as uzh-01 answers."
    ]
    assert right == Example(
        "toy 0",
        "toy, low",
        "eu",
        texts=(("lemma", "ur"), ("features", "N;PL")),
        gold=(("form", "uretan"),),
        answers=(
            Answer("uzh-01", "uretan", "right", "form"),
            Answer("baseline", "", "wrong", "form"),
            Answer("copy", "ur", "wrong", "form"),
        ),
    )
    # Exactly, as the official scorer compares
    assert wrong.answers == (
        Answer("uzh-01", "Etxe", "wrong", "form"),
        Answer("baseline", "etxe", "right", "form"),
        Answer("copy", "etxe", "right", "form"),
    )


def test_where_every_language_failed_it_says_so(tmp_path):
    take_examples(
        {"predictions": [write(tmp_path, "uzh-01")], "tests": []},
        tmp_path / "e.tsv",
        submitted=[["uzh-01", "low"]],
        datasets={},
        languages={},
        seed=1,
    )
    assert read_examples(tmp_path / "e.tsv") == (
        ["No example: there are no test items, each once per setting."],
        [],
    )
