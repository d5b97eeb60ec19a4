"""Requests as data, and the errors of invalid ones."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.queries.parsing import parse_request, read_request
from kasu.queries.request import (
    Comparison,
    Condition,
    Distance,
    Edge,
    EdgeOrder,
    FeatureTest,
    HasEdge,
    Label,
    Node,
    NumberTest,
    Order,
    Value,
)


def is_in(name: str, *values: str) -> Condition:
    return Condition(name, "in", frozenset(values))


def is_not(name: str, *values: str) -> Condition:
    return Condition(name, "not in", frozenset(values))


def clauses(text: str) -> tuple:
    return parse_request(f"pattern {{ {text} }}").pattern.clauses


def test_features_of_a_node():
    # The first clause in the documentation of Grew
    (node,) = clauses(
        'X [upos = VERB, Mood = Ind|Imp, Tense <> Fut, Number, !Person, form = "être",'
        ' lemma = re"s.*", Gloss = /.*POSS.*/i]'
    )
    (conditions,) = node.alternatives
    assert conditions[:6] == (
        is_in("upos", "VERB"),
        is_in("Mood", "Ind", "Imp"),
        is_not("Tense", "Fut"),
        Condition("Number", "present"),
        Condition("Person", "absent"),
        is_in("form", "être"),
    )
    assert [c.holds(v) for c in conditions[6:] for v in ("s", "as", "xposs", None)] == [
        True, False, False, False, False, False, True, False,
    ]  # fmt: skip


def test_any_of_several_feature_structures():
    assert clauses("X [upos=ADV, !ExtPos]|[ExtPos=ADV]") == (
        Node(
            "X",
            ((is_in("upos", "ADV"), Condition("ExtPos", "absent")), (is_in("ExtPos", "ADV"),)),
        ),
    )


def test_a_star_is_any_value():
    assert clauses("X [Number = *]") == (Node("X", ((Condition("Number", "present"),),)),)


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("X -> Y", Edge("X", Label(), "Y")),
        ("e: X -> Y", Edge("X", Label(), "Y", "e")),
        ("X -[nsubj]-> Y", Edge("X", Label((is_in("label", "nsubj"),)), "Y")),
        ("X -[a|b:c]-> Y", Edge("X", Label((is_in("label", "a", "b:c"),)), "Y")),
        (
            "X -[^a|b]-> Y",
            Edge("X", Label((is_not("label", "a", "b"),)), "Y"),
        ),
        (
            "X -[1=comp, 2<>obl|aux, !deep]-> Y",
            Edge(
                "X",
                Label(
                    (
                        is_in("1", "comp"),
                        is_not("2", "obl", "aux"),
                        Condition("deep", "absent"),
                    )
                ),
                "Y",
            ),
        ),
        ("X -[2=*]-> Y", Edge("X", Label((Condition("2", "present"),)), "Y")),
        ("* -[a]-> Y", HasEdge("Y", Label((is_in("label", "a"),)), out=False)),
        ("Y -> *", HasEdge("Y", Label(), out=True)),
        ("X < Y", Order("<", "X", "Y")),
        ("X >> Y", Order("<<", "Y", "X")),
        ("X ->> Y", Order("->>", "X", "Y")),
        ("length(X, Y) = 4", Distance(False, "X", "Y", "=", 4)),
        ("delta(X,Y) ≥ -2", Distance(True, "X", "Y", ">=", -2)),
    ],
)
def test_a_clause(text, clause):
    assert clauses(text) == (clause,)


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("X.lemma = Y.lemma", Comparison(Value("X", "lemma"), "=", Value("Y", "lemma"))),
        ("X.upos <> VERB", FeatureTest(Value("X", "upos"), is_not("upos", "VERB"))),
        ('X.form = "a.b"', FeatureTest(Value("X", "form"), is_in("form", "a.b"))),
        ("X.__id__ < Y.__id__", Comparison(Value("X", "__id__"), "<", Value("Y", "__id__"))),
        ("X.__id__ = 3", NumberTest(Value("X", "__id__"), "=", 3)),
        ("e.label = f.label", Comparison(Value("e", "label"), "=", Value("f", "label"))),
        ('e.label <> "a:b"', FeatureTest(Value("e", "label"), is_not("label", "a:b"))),
        ("X.Gloss > 4", NumberTest(Value("X", "Gloss"), ">", 4)),
        ("e.length > 4", NumberTest(Value("e", "length"), ">", 4)),
        ("e >< f", EdgeOrder("><", "e", "f")),
        ("e << f", EdgeOrder("<<", "e", "f")),
        ("X << f", EdgeOrder("<<", "X", "f")),
        ("e <> f", EdgeOrder("<>", "e", "f")),
    ],
)
def test_a_clause_on_bound_names(text, clause):
    # Blocks and clauses may come in any order
    assert clauses(f"{text}; e: X -> Y; f: Y -> Z")[0] == clause


def test_blocks():
    request = parse_request("""
        % subjects without an object
        without { V -[obj]-> O }
        pattern { V [upos=VERB] }
        with { S [Case=Erg] } with { S [Case=Nom] }
        pattern { V -[nsubj]-> S; }
        global { is_not_projective; sent_id = a|b; text = re".*x.*"; !speaker }
    """)
    assert request.nodes == ("V", "S")
    assert [(block.positive, block.nodes) for block in request.filters] == [
        (False, ("O",)), (True, ()), (True, ()),
    ]  # fmt: skip
    assert request.structures == ("is_not_projective",)
    assert [c.name for c in request.metadata] == ["sent_id", "text", "speaker"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("patern {", "1:1: found 'patern'; expected pattern, with, without or global"),
        ("pattern N", "1:9: found 'N'; expected {"),
        ("pattern { N [upos=] }", "1:19: found ']'; expected a value"),
        ("pattern { N [upos=VERB }", "1:24: found '}'; expected , or ]"),
        ("pattern { N [] ", "1:16: found the end of the request; expected ; or }"),
        ("pattern { N [] M [] }", "1:16: found 'M'; expected ; or }"),
        ("pattern {\n  N -[nsubj]- M }", "2:12: ']' in an edge label; expected labels and ]->"),
        ("pattern { N -[a b]-> M }", "1:17: found 'b'; expected ]->"),
        (
            "pattern { N -[1=a, 2]-> M }",
            "1:21: found ']->'; expected = or <> (write 2=* for any value)",
        ),
        ("pattern { N -[^1=a]-> M }", "1:16: found '1'; expected labels after ^"),
        (
            "pattern { N -> 'x }",
            '1:16: "\'"; expected a name, a string or a mark of the request language',
        ),
        ("pattern { -> M }", "1:11: found '->'; expected a node, an edge or *"),
        ("pattern { N }", "1:13: found '}'; expected ->> or < or << or > or >> or >< or <>"),
        (
            "pattern { N [Number[erg]=Sing] }",
            "1:20: found '['; expected Number__erg: Grew writes layers with two underscores",
        ),
        (
            'pattern { N [lemma=re"\\(a"] }',
            "1:20: regular expression '(a': missing ) at position 2",
        ),
        (
            "pattern { X.lemma = Y.lemma }",
            "1:11: no node or edge 'X' for X.lemma;"
            " expected one bound here (quote a value with a dot)",
        ),
        (
            "pattern { X []; X.upos = VERB|AUX }",
            "1:26: found a disjunction; expected [upos = …|…] of a node",
        ),
        ("pattern { X []; X.__id__ = a }", "1:28: found 'a'; expected a number"),
        ("pattern { e: N -> M; e -> M }", "1:22: 'e' names an edge; expected a node"),
        ("pattern { e: N -> M; e: M -> K }", "1:22: edge 'e' again; expected another name"),
        (
            "pattern { e: N -> M } without { e: M -> K }",
            "1:33: edge 'e' again; expected another name",
        ),
        ("pattern { e: N -> M; N < e }", "1:22: '<' of an edge; expected <<, <> or ><"),
        ("pattern { e: N -> M; e >< N }", "1:22: e >< N; expected names of edges"),
        (
            "global { is_green }",
            "1:10: found 'is_green';"
            " expected is_projective, is_tree, is_forest, is_cyclic, or is_not_ for is_",
        ),
        ("pattern { delta(X Y) = 1 }", "1:19: found 'Y'; expected ,"),
        (
            "pattern { global.is_green }",
            "1:11: found 'global.is_green';"
            " expected is_projective, is_tree, is_forest, is_cyclic, or is_not_ for is_",
        ),
        ("pattern { !speaker }", "1:11: found '!'; expected a node, an edge or *"),
        ("pattern { !global.is_tree }", "1:11: found '!'; expected a node, an edge or *"),
        ("pattern { N []; meta.age > 3 }", "1:26: found '>'; expected ; or }"),
        (
            "pattern { meta [upos=NOUN] }",
            "1:11: 'meta' names a node or an edge; expected another name",
        ),
        (
            "pattern { global: N -> M }",
            "1:11: 'global' names a node or an edge; expected another name",
        ),
    ],
)
def test_an_invalid_request_is_one_line(text, message):
    with pytest.raises(KasuError) as error:
        parse_request(text, "r")
    assert str(error.value) == f"r:{message}"


WORDS = st.sampled_from(
    ["pattern", "without", "global", "is_tree", "delta", "N", "M$", "e", "N.lemma", "e.label", "3",
     "-2", '"x"', 're"a.*"', 're"["', "/b/i", "{", "}", "[", "]", "(", ")", ";", ":", ",", "=",
     "<>", "!", "*", "|", "<", "<<", ">>", "->>", "><", "->", "-[", "-[^", "]->", "% c\n",
     "upos", "?"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=12).map(" ".join), st.booleans())
def test_any_text_is_a_request_or_one_line(text, within):
    try:
        parse_request(f"pattern {{ N [] ; {text} }}" if within else text, "r")
    except KasuError as error:
        assert re.fullmatch(r"r:\d+:\d+: .+", str(error))


def test_a_request_must_bind_the_required_node():
    request = parse_request("pattern { V -> S }")
    request.need_node("S", "config")
    with pytest.raises(KasuError, match="config: no node 'T' in the request; expected V, S"):
        request.need_node("T", "config")


def test_a_request_in_a_file_is_named_in_errors(tmp_path):
    path = tmp_path / "bad.req"
    path.write_text("% mine\npattern { N [ }", encoding="utf-8")
    with pytest.raises(KasuError, match=r"bad\.req:2:15: found '}'; expected a feature"):
        read_request(str(path))


def test_a_text_with_a_brace_is_a_request():
    assert read_request("pattern { N [] }").nodes == ("N",)


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(KasuError, match=r"none\.req: No such file or directory; expected a file"):
        read_request(tmp_path / "none.req")


def test_a_binary_file_is_one_line(tmp_path):
    (tmp_path / "r.req").write_bytes(b"pattern { \xff }")
    with pytest.raises(KasuError, match=r"r\.req:1: invalid UTF-8 at byte 11 of the line"):
        read_request(tmp_path / "r.req")


@pytest.mark.parametrize("request_", ["pattern { A -[", "pattern { A -[^"])
def test_a_label_that_ends_is_one_line(request_):
    with pytest.raises(KasuError, match="found the end of the request; expected a label"):
        parse_request(request_)


@pytest.mark.parametrize("number", ["nan", "inf", "1e3", "1_000"])
def test_a_number_has_only_digits(number):
    with pytest.raises(KasuError, match=f"found '{number}'; expected a number"):
        parse_request(f"pattern {{ A -> B; length(A,B) = {number} }}")
    parse_request("pattern { A -> B; delta(A,B) > -2.5 }")


def test_every_part_of_a_shipped_request_parses_or_is_one_line():
    queries = Path(__file__).resolve().parents[2] / "resources" / "queries"
    texts = {path.read_text(encoding="utf-8") for path in queries.glob("*/*.req")}
    assert len(texts) >= 10
    for text in texts:
        for end in range(len(text)):
            try:
                parse_request(text[:end])
            except KasuError as error:
                assert re.fullmatch(r"request:\d+:\d+: [^\n]+", str(error))
