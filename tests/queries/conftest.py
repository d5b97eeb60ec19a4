"""A sentence and helpers shared by the tests of queries."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kasu.corpora.treebanks.treebank import Sentence, Token
from kasu.queries.match import Matcher
from kasu.queries.parsing import parse_request

LINES = """\
1	The	the	DET	DT	Definite=Def	2	det	_	_
2	girl	girl	NOUN	NN	Number=Sing	3	nsubj	_	_
3	saw	see	VERB	VBD	Mood=Ind|Number[obj]=Plur|Tense=Past	0	root	_	Gloss=VIR|Case=Odd
4-5	twodogs	_	_	_	_	_	_	_	_
4	two	two	NUM	CD	NumType=Card	5	nummod	_	_
5	dogs	dog	NOUN	NNS	Number=Plur	3	obj	_	_
5.1	seen	see	VERB	_	_	_	_	3:conj	_
6	seen	see	VERB	VBN	Tense=Past|VerbForm=Part	5	acl	_	_
7	by	by	ADP	IN	_	8	case	_	_
8	girls	girl	NOUN	NNS	Number=Plur	6	obl:agent	_	SpaceAfter=No
9	.	.	PUNCT	.	_	3	punct	_	_"""


@pytest.fixture(scope="session")
def sentence() -> Sentence:
    """*The girl saw two dogs seen by girls.*, with a multiword token and an empty node."""
    tokens = [Token(*line.split("\t")) for line in LINES.splitlines()]
    comments = [
        "# sent_id = dogs",
        "# text = The girl saw twodogs seen by girls.",
        "# genre = tale",
    ]
    return Sentence("dogs", comments[1][9:], 1, 2, comments, tokens)


@pytest.fixture(scope="session")
def requests() -> Path:
    """The folder of the requests shipped with Kasu."""
    return Path(__file__).resolve().parents[2] / "resources" / "queries"


@pytest.fixture(scope="session")
def found() -> Callable[[str, Sentence], list[tuple[int, ...]]]:
    """The positions of the nodes of every match of a request in a sentence."""

    def find(text: str, sentence: Sentence) -> list[tuple[int, ...]]:
        return [tuple(m.nodes.values()) for m in Matcher(parse_request(text)).matches(sentence)]

    return find
