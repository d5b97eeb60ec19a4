"""Examples of minimal pairs: what counts, what is left out, and the scores of both sentences."""

import pytest

from kasu.files.tables import write_parquet
from kasu.pretraining.data.pairs import REORDERED
from kasu.pretraining.evaluation.examples import take_examples
from kasu.pretraining.models.trigram import NULL_SCORES
from kasu.results.examples import Answer, Example, Option, read_examples


@pytest.fixture
def pairs(tmp_path):
    rows = [
        dict.fromkeys(REORDERED.names)
        | {"item_id": str(number), "type": "case", "level": level}
        | {"sentence_good": f"Etxea {number} da.", "sentence_bad": f"Etxeak {number} da."}
        for number, level in enumerate(["easy", "easy", None])
    ]
    write_parquet(tmp_path / "pairs.parquet", rows, REORDERED)
    return str(tmp_path / "pairs.parquet")


@pytest.fixture
def scores(tmp_path):
    """Write scores of a system: by item the good and the bad sentence's, and their tokens."""

    def write(system, **halves):
        rows = [
            {"item_id": item[1:], "column": column, "definition": system, "unknown": 0}
            | {"log_probability": score, "tokens": tokens}
            for item, two in halves.items()
            for column, (score, tokens) in zip(
                ("sentence_good", "sentence_bad", "sentence_good_reorder"), two, strict=False
            )
        ]
        write_parquet(tmp_path / f"{system}.parquet", rows, NULL_SCORES)
        return str(tmp_path / f"{system}.parquet")

    return write


def take(tmp_path, pairs, **by_system):
    files = {"pairs": [pairs], "scores": [*by_system.values()]}
    take_examples(files, tmp_path / "e.tsv", systems=[*by_system], language="eu", seed=1)
    return read_examples(tmp_path / "e.tsv")


def test_a_pair_shows_both_sentences_with_the_scores_of_every_system(tmp_path, pairs, scores):
    bert = scores(
        "bert",
        i0=((-9.5, 4), (-11.25, 4), (-99.0, 4)),
        i1=((-9.0, 4), (-9.0, 5)),  # of another length
        i2=((-9.0, 4), (-8.0, 4)),
    )
    null = scores("shorter", i0=((-9.0, 3), (-9.0, 3)), i1=((-9.0, 3), (-9.0, 3)))
    notes, (first, second) = take(tmp_path, pairs, bert=bert, shorter=null)
    assert notes == [
        "All 2 pairs whose sentences have the same number of tokens: 1 right and 1 wrong, as bert "
        "answers.",
        "Scores beside options are log probabilities, in nats.",
        "Left out: 1 of 3 pairs, whose sentences have different numbers of tokens for bert, or no "
        "score.",
    ]
    assert first == Example(
        "0",
        "case, easy",
        "eu",
        options=(Option("good", "Etxea 0 da.", True), Option("bad", "Etxeak 0 da.", False)),
        scores={
            ("bert", "good"): -9.5,
            ("bert", "bad"): -11.25,
        },
        answers=(
            Answer("bert", "good", "right"),
            Answer("shorter", "good", "tie"),
            Answer("shorter", "bad", "tie"),
        ),
    )
    assert (second.item, second.group) == ("2", "case")
    # A system without scores of the pair has no answer
    assert second.answers == (Answer("bert", "bad", "wrong"),)


@pytest.mark.parametrize(
    "halves",
    [
        ((-1.0, 4),),  # one half has no score
        ((-1.0, 0), (-2.0, 0)),
        ((-1.0, 4), (-2.0, 5)),
        ((float("nan"), 4), (-2.0, 4)),
        ((None, 4), (-2.0, 4)),
    ],
)
def test_a_pair_that_does_not_count_is_not_shown(tmp_path, pairs, scores, halves):
    notes, examples = take(tmp_path, pairs, bert=scores("bert", i0=halves))
    assert examples == []
    assert notes == [
        "No example: there are no pairs whose sentences have the same number of tokens.",
        "Left out: 3 of 3 pairs, whose sentences have different numbers of tokens for bert, or no "
        "score.",
    ]


def test_a_tie_is_a_result_of_its_own(tmp_path, pairs, scores):
    bert = scores("bert", i0=((-9.0, 4), (-9.0, 4)))
    (note, *_), (example,) = take(tmp_path, pairs, bert=bert)
    assert ": 1 tie, as bert answers." in note
    assert [answer.result for answer in example.answers] == ["tie", "tie"]
