"""Why a request found nothing."""

import pytest

from kasu.query.parsing import parse_request
from kasu.query.unseen import unseen


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ("N [upos=NOUN, Number=Sing]; N -[det]-> M", []),
        ("N [Nmuber=Sing]", ["feature Nmuber"]),
        ("N [Number=Dual]", ["Number=Dual"]),
        ("N [Number=Dual|Sing]", []),
        ("N [!Nmuber]", []),
        ("N [Nmuber]|[Number]", []),
        ("N -[nsbj]-> M", ["label nsbj"]),
        ("N -[nsbj|nsubj]-> M; N -[re\"x\"]-> K", []),
        ("N [Case=Erg]; N [Case=Nom]", ["feature Case"]),
    ],
)  # fmt: skip
def test_what_no_word_has(sentence, clauses, expected):
    assert unseen(parse_request(f"pattern {{ {clauses} }}"), [sentence, sentence]) == expected
