"""Parts of edge labels, in UD and SUD, and requests about them."""

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.treebanks.treebank import Sentence, Token
from kasu.queries.labels import label_part, label_parts
from kasu.queries.parsing import parse_request

# *Elle a été vue par ceux qui y vont*, with labels of many shapes, as in SUD
FRENCH = [
    ("elle", 2, "subj@pass"),
    ("a", 0, "root"),
    ("été", 2, "comp:aux@tense"),
    ("vue", 3, "comp:aux@pass"),
    ("par", 4, "comp:obl@agent"),
    ("ceux", 5, "comp:obj"),
    ("qui", 8, "subj@expl"),
    ("vont", 6, "mod@relcl"),
    ("y", 8, "comp:obl/m"),
    ("donc", 2, "mod"),
]


@pytest.fixture(scope="module")
def french():
    tokens = [
        Token(str(at), form, *"____", str(head), label, "_", "_")
        for at, (form, head, label) in enumerate(FRENCH, 1)
    ]
    return Sentence("fr", None, 1, 2, [], tokens)


@pytest.mark.parametrize(
    ("label", "parts"),
    [
        ("subj", {"1": "subj"}),
        ("nsubj:pass", {"1": "nsubj", "2": "pass"}),
        ("comp:aux@tense", {"1": "comp", "2": "aux", "deep": "tense"}),
        ("mod@relcl", {"1": "mod", "deep": "relcl"}),
        ("comp:obj@lvc@x", {"1": "comp", "2": "obj", "deep": "lvc@x"}),
        ("obl:arg:x", {"1": "obl", "2": "arg:x"}),
        ("mod/m", {"1": "mod", "type": "m"}),
        ("comp:obj/m", {"1": "comp", "2": "obj", "type": "m"}),
        ("comp:obl@agent/m", {"1": "comp", "2": "obl", "deep": "agent", "type": "m"}),
        ("conj:coord$emb", {"1": "conj", "2": "coord", "subsem": "emb"}),
        ("mod$x@y/z", {"1": "mod", "subsem": "x", "deep": "y", "type": "z"}),
        ("udep@fixed", {"1": "udep", "deep": "fixed"}),
        ("parataxis:insert@scrap", {"1": "parataxis", "2": "insert", "deep": "scrap"}),
        ("compound:redup", {"1": "compound", "2": "redup"}),
        ("", {}),
    ],
)
def test_parts_of_a_label(label, parts):
    assert label_parts(label) == parts
    assert label_part(label, "label") == label
    assert label_part(label, "3") is None


@pytest.mark.parametrize(
    ("label", "targets"),
    [
        ("1=subj", [1, 7]),
        ("1=comp,2=aux", [3, 4]),
        ("1=comp, 2=aux, deep=tense", [3]),
        ("deep=pass", [1, 4]),
        ("1=subj, deep<>pass", [7]),
        ("deep=*", [1, 3, 4, 5, 7, 8]),
        ("1=mod, !deep", [10]),
        ("1=mod", [8, 10]),
        ("1=comp, 2<>aux|obj", [5, 9]),
        ("type=m", [9]),
        ("2=obl, !type", [5]),
        ("comp:aux@tense|mod@relcl", [3, 8]),
        ("comp:obl/m", [9]),
        ("/comp:(aux|obj).*/", [3, 4, 6]),
        ("/SUBJ@.*/i", [1, 7]),
        ("/comp:obl\\/m/", [9]),
        ("1=/C.../i, 2=aux", [3, 4]),
        ("deep<>/.*[sp].*/", [5, 8]),
        ("comp:aux", []),
        ("subj", []),
        ("^subj@pass|root", [3, 4, 5, 6, 7, 8, 9, 10]),
    ],
)
def test_requests_for_parts(french, found, label, targets):
    found = found(f"pattern {{ X -[{label}]-> Y }}", french)
    assert sorted(match[1] for match in found) == targets


@pytest.mark.parametrize(
    ("clauses", "targets"),
    [
        ("e.deep = pass", [1, 4]),
        ("e.deep <> pass", [3, 5, 7, 8]),
        ('e.label = "comp:obl/m"', [9]),
        ("e.type = m", [9]),
        ('e.deep = re".*l.*"', [7, 8]),
        ("e.length > 5", [10]),
        ("e.delta = -1", [1, 7]),
    ],
)
def test_comparisons_of_parts(french, found, clauses, targets):
    found = found(f"pattern {{ e: X -> Y; {clauses} }}", french)
    assert sorted(match[1] for match in found) == targets


def test_two_edges_with_the_same_part(french, found):
    request = "pattern { e: X -> Y; f: Z -> W; e.deep = f.deep; Y.__id__ < W.__id__ }"
    assert [(m[1], m[3]) for m in found(request, french)] == [(1, 4)]


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("X -[E:nsubj]-> Y", "11: the enhanced relation 'E:nsubj'"),
        ("X -[^E:obj|nsubj]-> Y", "11: the enhanced relation 'E:obj'"),
        ("X -[nsubj|E:conj:and]-> Y", "11: the enhanced relation 'E:conj:and'"),
        ('X -[re"E:.*"]-> Y', "11: the enhanced relation 'E:.*'"),
        ("X -[/E:.*/]-> Y", "11: the enhanced relation 'E:.*'"),
        ("X -[E:obl]-> *", "11: the enhanced relation 'E:obl'"),
        ('X []; e: X -> Y; e.label = "E:obj"', "28: the enhanced relation 'E:obj'"),
        ("e: X -> Y; e.enhanced = yes", "22: e.enhanced of an edge"),
        ("e: X -> Y; f: Y -> Z; e.kind = f.kind", "33: e.kind of an edge"),
        ("X -[enhanced<>yes]-> Y", "15: part 'enhanced' of a label"),
    ],
)
def test_edges_beyond_the_basic_tree_are_refused(clause, message):
    with pytest.raises(KasuError) as error:
        parse_request(f"pattern {{ {clause} }}", "r")
    assert str(error.value).startswith(f"r:1:{message}; expected ")
    assert str(error.value).endswith("(edges are those of the basic tree)")
