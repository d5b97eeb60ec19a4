"""Matches of requests: worked examples, and counts on a real treebank."""

import pytest

from kasu.corpora.treebanks.treebank import Sentence, read_conllu
from kasu.queries.match import Match, Matcher, search
from kasu.queries.parsing import parse_request, read_request


def sole(clauses: str, sentence: Sentence) -> list[int]:
    """The distinct positions of the node N of a pattern."""
    matches = Matcher(parse_request(f"pattern {{ {clauses} }}")).matches(sentence)
    return sorted({m.nodes["N"] for m in matches})


@pytest.mark.parametrize(
    ("clauses", "positions"),
    [
        ("N []", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),  # 0: the anchor
        ("N [upos]", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("N [form=__0__]", [0]),
        ("N [upos=NOUN]", [2, 5, 8]),
        ("N [upos=NOUN, Number=Plur]", [5, 8]),
        ("N [upos=NOUN]; N [Number=Plur]", [5, 8]),
        ("N [upos=VERB|ADP]", [3, 6, 7]),
        ("N [upos=NOUN, Number<>Plur]", [2]),
        ("N [Number<>Plur]", [2]),
        ("N [Number]", [2, 5, 8]),
        ("N [!Number]", [0, 1, 3, 4, 6, 7, 9]),
        ("N [Number__obj=Plur]", [3]),
        ("N [upos=VERB, !VerbForm]|[NumType]", [3, 4]),
        ("N [Gloss=VIR]", [3]),
        ("N [Case]", []),  # only in MISC
        ("N [__MISC__Case=Odd]", [3]),
        ('N [lemma=re"s.*"]', [3, 6]),
        ('N [form=re"see"]', []),  # must match the whole form
        ('N [lemma<>re".*e.*", upos]', [2, 4, 5, 7, 8, 9]),
        ("N [form=/TH.*/i]", [1]),
        ("N [form=/TH.*/]", []),
        ("N [form=/Th.*/]", [1]),
        ("N [textform=twodogs]", [4]),
        ('N [textform="_"]', [5]),
        ('N [form="."]', [9]),
    ],
)
def test_features(clauses, positions, sentence):
    assert sole(clauses, sentence) == positions


@pytest.mark.parametrize(
    ("clauses", "positions"),
    [
        ("X -[obl]-> N", []),  # a bare label excludes subtypes
        ("X -[obl:agent]-> N", [8]),
        ("X -[1=obl]-> N", [8]),
        ("X -[1=obl, 2=agent]-> N", [8]),
        ("X -[1=obl, !2]-> N", []),
        ("X -[2=*]-> N", [8]),
        ("X -[2<>pass]-> N", [8]),
        ("X -[nsubj|obj]-> N", [2, 5]),
        ("X -[^nsubj|obj|punct|det]-> N", [3, 4, 6, 7, 8]),
        ('X -[re"n.*"]-> N', [2, 4]),
        ('X -["obl:agent"]-> N', [8]),
        ("X -> N; X [upos=VERB]", [2, 5, 8, 9]),
        ("X -[root]-> N", [3]),
        ("* -[root]-> N", [3]),
        ("N -[obj]-> *", [3]),
        ("* -> N; N [upos=NUM]", [4]),
        ("N -> *", [0, 2, 3, 5, 6, 8]),
        ("N -> M; N -> K; M -[nsubj]-> K", []),
        ("e: X -> N; e.label = obj", [5]),
        ("e: X -> N; e.2 = agent", [8]),
        ("e: X -> N; e.2 <> pass", [8]),
        ("e: X -> N; e.length > 3", [9]),  # word 3 has an edge of length 3
        ("e: X -> N; e.delta = -1", [1, 2, 4, 7]),
        ("e: N -> X; f: Y -> X; e.label = f.label", []),
        ("X -> N; Y$ -> N; X.upos = Y$.upos", [1, 2, 4, 5, 6, 7, 8, 9]),
    ],
)  # fmt: skip
def test_edges(clauses, positions, sentence):
    assert sole(clauses, sentence) == positions


@pytest.mark.parametrize(
    ("clauses", "positions"),
    [
        ("N < M; M [upos=VERB]", [2, 5]),
        ("N > M; M [upos=VERB]", [4, 7]),
        ("N << M; M [upos=DET]", [0]),
        ("N >> M; M [upos=ADP]", [8, 9]),
        ("N ->> M; M [upos=ADP]", [0, 3, 5, 6, 8]),
        ("M ->> N; M [lemma=dog]", [4, 6, 7, 8]),
        ("length(N, M) = 2; M [upos=VERB]", [1, 4, 5, 8]),
        ("delta(N, M) = 2; M [upos=VERB]", [1, 4]),
        ("delta(N, M) <= -3; M [upos=VERB]", [6, 7, 8, 9]),
        ("e: N -[acl]-> Y; f: Z -[obj]-> N; e <> f", [5]),
        ("e: X -[acl]-> Y; f: N -[punct]-> Z; e << f", [3]),
        ("e: X -[punct]-> Y; N []; N << e", [4, 5, 6, 7, 8]),
        ("e: X -> N; f: Y -> Z; e >< f", []),
    ],
)
def test_order(clauses, positions, sentence):
    assert sole(clauses, sentence) == positions


@pytest.mark.parametrize(
    ("clauses", "positions"),
    [
        ("N [upos=NOUN]; M [upos=NOUN]; N.lemma = M.lemma", [2, 8]),
        ("N [upos=NOUN]; M [upos=NOUN]; N.Number <> M.Number", [2, 5, 8]),
        ("N [upos=NOUN]; M [upos=NOUN]; N.lemma = M.lemma; N.__id__ < M.__id__", [2]),
        ("N []; N.upos = VERB", [3, 6]),
        ("N []; N.Number <> Plur", [2]),  # the feature must exist
        ('N []; N.lemma = re"g.*"', [2, 8]),
        ("N []; N.__id__ >= 8", [8, 9]),
        ("N [upos]; M$ [upos]; N.__id__ = M$.__id__; M$ [NumType]", [4]),
        ("N [upos]; M [NumType]; N.__id__ = M.__id__", []),
        ("N []; N.lemma < 3", []),  # not a number
    ],
)
def test_comparisons(clauses, positions, sentence):
    assert sole(clauses, sentence) == positions


def test_all_matches_in_order_of_the_nodes(found, sentence):
    request = "pattern { X [lemma=see]; Y [lemma=girl]; }"
    assert found(request, sentence) == [(3, 2), (3, 8), (6, 2), (6, 8)]


def test_nodes_are_bound_to_different_words(found, sentence):
    assert found("pattern { X [lemma=girl]; Y [lemma=girl] }", sentence) == [(2, 8), (8, 2)]


def test_a_dollar_node_may_be_bound_to_a_word_again(found, sentence):
    expected = [(2, 2), (2, 8), (8, 2), (8, 8)]
    assert found("pattern { X [lemma=girl]; Y$ [lemma=girl] }", sentence) == expected


def test_a_match_has_its_named_edges(sentence):
    matcher = Matcher(parse_request("pattern { e: V -[nsubj]-> S }"))
    assert matcher.matches(sentence) == [Match({"V": 3, "S": 2}, {"e": 2})]


@pytest.mark.parametrize(
    ("filters", "positions"),
    [
        ("without { N -[obj]-> M }", [6]),
        ("without { N -[obj]-> * }", [6]),
        ("with { N -[obj]-> M }", [3]),
        ("without { N -[obj]-> M } without { N -[1=obl]-> M }", []),
        ("without { N -[obj]-> M; N -[1=obl]-> K }", [3, 6]),  # both together
        ("with { N -[obj]-> M } with { N -[nsubj]-> M }", [3]),  # each block has its own M
        ("without { N [Mood] }", [6]),
        ("without { N [VerbForm=Part] }", [3]),
        ("with { M -[nsubj|acl]-> N }", [6]),
        ("with { N.Tense = Past }", [3, 6]),
        ("without { M [lemma=see] }", []),  # M is another word than N
        ("without { M$ [Mood] }", []),
        ("with { e: M -> N; e.label = root }", [3]),
        ("with { M << N; M [upos=NUM] }", [6]),
        ("with { M [upos=ADP]; K [upos=DET]; K << M }", [3, 6]),
        ("without { M < N }", []),
        ("global { is_projective }", [3, 6]),
        ("global { is_not_projective }", []),
        ("global { is_tree; is_forest; is_not_cyclic }", [3, 6]),
        ("global { genre = tale|poem }", [3, 6]),
        ("global { genre <> tale }", []),
        ("global { !speaker }", [3, 6]),
        ("global { sent_id = dogs; text = re\".*girls.*\" }", [3, 6]),
    ],
)  # fmt: skip
def test_filters(filters, positions, sentence):
    found = Matcher(parse_request(f"pattern {{ N [upos=VERB] }} {filters}")).matches(sentence)
    assert [m.nodes["N"] for m in found] == positions


@pytest.mark.parametrize(
    ("request_", "matches"),
    [
        ("pattern { N [upos=DET]; meta.genre = tale }", 1),
        ("pattern { N [upos=DET]; meta.genre = poem|tale }", 1),
        ("pattern { N [upos=DET]; meta.genre <> tale }", 0),
        ('pattern { N [upos=DET]; meta.text = re".*dogs.*" }', 1),
        ("pattern { N [upos=DET]; meta.genre = /T.LE/i }", 1),
        ("pattern { N [upos=DET]; meta.genre }", 1),
        ("pattern { N [upos=DET]; !meta.genre }", 0),
        ("pattern { N [upos=DET]; !meta.speaker; meta.sent_id = dogs }", 1),
        ("pattern { N [upos=DET]; global.is_tree; global.is_projective }", 1),
        ("pattern { global.is_not_tree; N [upos=DET] }", 0),
        ("pattern { N [upos=DET] } with { meta.genre = tale }", 1),
        ("pattern { N [upos=DET] } with { !meta.genre }", 0),
        ("pattern { N [upos=DET] } without { meta.genre = tale }", 0),
        ("pattern { N [upos=DET] } without { meta.genre = tale; N -> M }", 1),
        ("pattern { N [upos=DET] } without { M [upos=VERB]; global.is_tree }", 0),
        ("pattern { N [upos=DET] } without { M [upos=VERB]; global.is_cyclic }", 1),
        ("pattern { meta.genre = tale }", 1),
    ],
)
def test_conditions_on_the_sentence(found, sentence, request_, matches):
    assert len(found(request_, sentence)) == matches


def test_without_a_pattern_a_sentence_matches_once(found, sentence):
    assert found("without { N [upos=X] }", sentence) == [()]
    assert found("without { N [upos=VERB] }", sentence) == []


def test_a_pattern_split_in_two_is_their_union(found, sentence):
    assert found("pattern { N [upos=NOUN] } pattern { N [Number=Sing] }", sentence) == [(2,)]


def test_search_goes_through_sentences(sentence):
    request = parse_request("pattern { N [upos=VERB] }")
    hits = [(s.sentence_id, m.nodes["N"]) for s, m in search(request, [sentence, sentence])]
    assert hits == [("dogs", 3), ("dogs", 6), ("dogs", 3), ("dogs", 6)]


@pytest.fixture(scope="module")
def georgian(mirror) -> list[Sentence]:
    folder = mirror / "ud" / "UD_Georgian-GLC"
    return [s for part in ("dev", "test") for s in read_conllu(folder / f"ka_glc-ud-{part}.conllu")]


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "sentences", "matches"),
    [
        ("intransitive_nom", 332, 407),
        ("nom_dat", 276, 297),
        ("erg_nom", 81, 84),
        ("dat_nom", 57, 59),
    ],
)
def test_counts_of_the_georgian_requests(georgian, requests, name, sentences, matches):
    hits = [s.sentence_id for s, _ in search(read_request(requests / f"kat/{name}.req"), georgian)]
    assert len(georgian) == 950
    assert (len(set(hits)), len(hits)) == (sentences, matches)


@pytest.mark.real
@pytest.mark.parametrize(("case", "nouns"), [("Nom", 1_938), ("Dat", 1_442), ("Erg", 78)])
def test_cases_of_georgian_nouns(georgian, case, nouns):
    request = parse_request(f"pattern {{ N [upos=NOUN, Case={case}] }}")
    assert len(list(search(request, georgian))) == nouns
