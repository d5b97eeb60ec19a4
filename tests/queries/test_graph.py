"""A sentence as nodes, edges and features."""

import pytest

from kasu.corpora.treebanks.treebank import Sentence, Token
from kasu.queries.graph import Graph


def make_graph(*heads: int | str) -> Graph:
    tokens = [
        Token(str(i), "f", *"____", str(h), "_" if h == "_" else "dep", "_", "_")
        for i, h in enumerate(heads, 1)
    ]
    return Graph(Sentence("s", None, 1, 2, [], tokens))


def test_words_stand_above_an_anchor(sentence):
    graph = Graph(sentence)
    assert graph.heads == [-1, 2, 3, 0, 5, 3, 5, 8, 6, 3]
    assert graph.labels[:4] == ["", "det", "nsubj", "root"]
    assert graph.children[3] == [2, 5, 9]
    assert graph.index(None)["root"] == {3}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("form", ["__0__", "The", "girl", "saw", "two", "dogs", "seen", "by", "girls", "."]),
        ("textform", ["__0__", "The", "girl", "saw", "twodogs", "_", "seen", "by", "girls", "."]),
        ("wordform", ["__0__", "The", "girl", "saw", "two", "dogs", "seen", "by", "girls", "."]),
        ("Number__obj", [None, None, None, "Plur", None, None, None, None, None, None]),
        ("Gloss", [None, None, None, "VIR", None, None, None, None, None, None]),
        ("SpaceAfter", [None] * 8 + ["No", None]),
        ("Case", [None] * 10),
        ("__MISC__Case", [None, None, None, "Odd", None, None, None, None, None, None]),
    ],
)
def test_features_by_name(sentence, name, values):
    assert Graph(sentence).column(name) == values


def test_an_underscore_is_a_missing_feature():
    token = Token("1", "f", "_", "_", "_", "_", "0", "root", "_", "_")
    graph = Graph(Sentence("s", None, 1, 2, [], [token, token._replace(id="2", form="_")]))
    assert graph.column("lemma") == [None, None, "_"]
    assert graph.column("upos") == [None, None, None]


@pytest.mark.parametrize("form", ["A", "a"])  # before and after `_` in Unicode
def test_an_underscore_is_no_lemma_of_a_letter(form):
    token = Token("1", form, "_", "_", "_", "_", "0", "root", "_", "_")
    assert Graph(Sentence("s", None, 1, 2, [], [token])).column("lemma") == [None, None]


def test_nodes_by_value(sentence):
    assert Graph(sentence).index("upos")["NOUN"] == {2, 5, 8}


def test_metadata_are_comments_with_a_value(sentence):
    graph = Graph(sentence._replace(comments=["# newdoc", "#a=b = c", "# genre = tale"]))
    assert graph.metadata == {"a": "b = c", "genre": "tale", "sent_id": "dogs"}


@pytest.mark.parametrize(
    ("heads", "projective"),
    [((0, 1, 2), True), ((2, 0, 2), True), ((3, 4, 0, 3), False), ((0, 4, 1, 1), False)],
)
def test_projectivity(heads, projective):
    assert make_graph(*heads).is_structure("is_projective") == projective
    assert make_graph(*heads).is_structure("is_not_projective") != projective


def test_a_root_below_an_edge_crosses_it():
    assert not make_graph(3, 0, 2, 1).is_projective


def test_dominance_needs_at_least_one_edge():
    graph = make_graph(2, 0, 2, 3)
    assert [(a, b) for a in range(5) for b in range(5) if graph.dominates(a, b)] == [
        (0, 1), (0, 2), (0, 3), (0, 4), (2, 1), (2, 3), (2, 4), (3, 4),
    ]  # fmt: skip


# Words without a head


def test_no_edge_reaches_a_word_without_a_head():
    graph = make_graph("_", 1, "_", 0)
    assert (graph.heads, graph.headless) == ([-1, -1, 1, -1, 0], 2)
    assert graph.children == [[4], [2], [], [], []]
    assert graph.index(None) == {"dep": {2, 4}}
    assert [graph.dominates(0, below) for below in range(5)] == [False] * 4 + [True]
    assert graph.dominates(1, 2)


@pytest.mark.parametrize(
    ("heads", "tree", "projective"),
    [
        (("_", "_", "_"), False, True),
        (("_",), False, True),
        ((0, 1, "_"), False, True),
        ((0, "_", 1), False, True),
        ((3, 4, "_", "_"), False, False),
        ((0, 0, 1), True, False),
    ],
)
def test_structures_of_trees_in_part(heads, tree, projective):
    graph = make_graph(*heads)
    assert graph.is_structure("is_tree") == tree
    assert graph.is_structure("is_not_tree") != tree
    assert graph.is_structure("is_projective") == projective
    assert graph.is_structure("is_forest")
    assert not graph.is_structure("is_cyclic")


def test_an_edge_without_a_label_is_root_below_the_anchor():
    graph = make_graph(0, 1, "_")
    tokens = [token._replace(deprel="_") for token in graph.words]
    graph = Graph(graph.sentence._replace(tokens=tokens))
    assert graph.labels == ["", "root", "", ""]
    assert graph.index(None) == {"root": {1}, "": {2}}


@pytest.mark.parametrize(
    ("request_", "positions"),
    [
        ("pattern { N [] }", [(0,), (1,), (2,), (3,)]),
        ("pattern { N -> M }", [(1, 2)]),
        ("pattern { * -> M }", [(2,)]),
        ("pattern { * -[^nsubj]-> M }", [(2,)]),
        ("pattern { N [form] } without { * -> N }", [(0,), (1,), (3,)]),
        ("pattern { N ->> M }", [(1, 2)]),
        ("pattern { N < M; M [form=f] } without { N -> M }", [(0, 1), (2, 3)]),
    ],
)
def test_requests_to_a_tree_in_part(found, request_, positions):
    assert found(request_, make_graph("_", 1, "_").sentence) == positions


# Notes


@pytest.mark.parametrize(
    ("feats", "misc", "name", "value"),
    [
        ("_", "Gloss=a|Gloss=b", "Gloss", None),
        ("_", "Gloss=a|Gloss=b", "__RAW_MISC__", "Gloss=a|Gloss=b"),
        ("_", "x=1|X=2", "x", None),
        ("_", "x=1|Gloss=b|x=1", "Gloss", None),
        ("Foo=1", "Foo=2", "Foo", "1"),
        ("Foo=1", "Foo=2", "__RAW_MISC__", "Foo=2"),
        ("Case=Nom", "Case=Gen|x=1", "__MISC__Case", "Gen"),
        ("Case=Nom", "Case=Gen|x=1", "x", "1"),
        ("_", "flag|x=1", "flag", "true"),
        ("_", "flag|x=1", "__RAW_MISC__", None),
        ("Foo=1", "_", "Foo", "1"),
    ],
)
def test_notes_that_name_a_thing_twice_are_one_feature(feats, misc, name, value):
    token = Token("1", "f", "_", "_", "_", feats, "0", "root", "_", misc)
    assert Graph(Sentence("s", None, 1, 2, [], [token])).column(name) == [None, value]
