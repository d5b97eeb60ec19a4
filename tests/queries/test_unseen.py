"""What a request names and no sentence has."""

import pytest

from kasu.queries.graph import Graph
from kasu.queries.parsing import parse_request
from kasu.queries.unseen import Unseen


def told(request, *sentences):
    seen = Unseen(parse_request(request))
    for sentence in sentences:
        seen.see(Graph(sentence))
    return seen.notes()


def unparsed(sentence, *ids):
    """The sentence without the heads of some words; of all, without ids."""
    return sentence._replace(
        tokens=[
            t._replace(head="_", deprel="_") if t.id in ids or not ids else t
            for t in sentence.tokens
        ]
    )


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ("N [upos=NOUN, Number=Sing]; N -[det]-> M", []),
        ("N [Nmuber=Sing]", ["no word has feature Nmuber"]),
        ("N [Number=Dual]", ["no word has Number=Dual"]),
        ("N [Number=Dual|Sing]", ["no word has Number=Dual"]),
        ("N [Number<>Dual]", ["no word has Number=Dual"]),
        ("N [!Nmuber]", ["no word has feature Nmuber"]),
        ("N [Nmuber]|[Number]", ["no word has feature Nmuber"]),
        ("N [Case=Erg]; N [Case=Nom]", ["no word has feature Case"]),
        ("N -[nsbj]-> M", ["no word has label nsbj"]),
        ("N -[^nsbj|obj]-> M", ["no word has label nsbj"]),
        ('N -[nsbj|nsubj]-> M; N -[re"x"]-> K', ["no word has label nsbj"]),
        ("* -[nsbj]-> M", ["no word has label nsbj"]),
        ("N -[1=obl, 2=agent, !enhanced]-> M", []),
        ("N -[1=obl, !deep]-> M", ["no label has the part deep"]),
        ("N -[1=oblique, 2<>agnt]-> M", ["no label has 1=oblique", "no label has 2=agnt"]),
        ("e: N -> M; e.2 = e.type", ["no label has the part type"]),
        ("e: N -> M; e.label = obll", ["no word has label obll"]),
        ("e: N -> M; e.length > 2; N.__id__ < M.__id__", []),
        ("N []; M []; N.lema = M.lemma", ["no word has feature lema"]),
        ("N []; N.lemma <> dgo", ["no word has lemma=dgo"]),
        ("N []; N.Lenght > 3", ["no word has feature Lenght"]),
        ("N []; meta.genre = tale; !meta.speaker", ["no sentence has the comment speaker"]),
        ("N []; meta.genre = tail", ["no sentence has the comment genre = tail"]),
    ],
)  # fmt: skip
def test_what_nothing_has(sentence, clauses, expected):
    assert told(f"pattern {{ {clauses} }}", sentence, sentence) == expected


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ("without { N [Fooo=Bar] }", ["no word has feature Fooo"]),
        ("with { N -[dett]-> M }", ["no word has label dett"]),
        ("without { meta.genre = poem }", ["no sentence has the comment genre = poem"]),
        ("global { speaker = S1 }", ["no sentence has the comment speaker"]),
        ("without { e: N -> M; e.deep = x }", ["no label has the part deep"]),
    ],
)
def test_what_filters_name_in_vain(sentence, filters, expected):
    assert told(f"pattern {{ N [] }} {filters}", sentence) == expected


def test_one_sentence_that_has_it_is_enough(sentence):
    other = sentence._replace(comments=["# speaker = S1"])
    request = "pattern { N []; meta.speaker = S1 }"
    assert told(request, sentence, other, sentence) == []
    assert told(request, sentence) == ["no sentence has the comment speaker"]


@pytest.mark.parametrize(
    "request_",
    [
        "pattern { N -[nsbj]-> M }",
        "pattern { N ->> M }",
        "pattern { N [] } without { * -[1=nsubj]-> N }",
        "pattern { N [] } global { is_tree }",
        "pattern { N []; global.is_not_projective }",
    ],
)
def test_a_treebank_without_heads_is_told_before_its_labels(sentence, request_):
    assert told(request_, unparsed(sentence), unparsed(sentence)) == ["no word has a head"]


def test_sentences_that_lack_heads_are_counted(sentence):
    request = "pattern { N -[det]-> M }"
    assert told(request, sentence, unparsed(sentence), unparsed(sentence, "2", "6")) == [
        "2 of 3 sentences have words without a head, which no edge reaches"
    ]
    assert told("pattern { N [upos=DET]; N < M }", unparsed(sentence)) == []


def test_ambiguous_notes_are_counted_if_a_request_reads_notes(sentence):
    tokens = [t._replace(misc="Gloss=a|x=1|Gloss=b") for t in sentence.tokens]
    noted = sentence._replace(tokens=tokens)
    note = "9 MISC cells name a feature twice; each is the feature __RAW_MISC__ and no other"
    assert told("pattern { N [Gloss=a] }", noted) == ["no word has feature Gloss", note]
    assert told("pattern { N [Number=Sing, lemma] }", noted) == []


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (["N.Number", "N.lemma", "N.__id__", "e.label", "e.1", "e.length", "meta.genre"], []),
        (["N.Nmuber"], ["no word has feature Nmuber"]),
        (["e.deep", "meta.speaker"],
         ["no label has the part deep", "no sentence has the comment speaker"]),
    ],
)  # fmt: skip
def test_what_is_shown_in_vain(sentence, shown, expected):
    seen = Unseen(parse_request("pattern { e: N -> M }"), shown)
    seen.see(Graph(sentence))
    assert seen.notes() == expected


def test_ambiguous_notes_are_counted_if_the_answer_shows_notes(sentence):
    tokens = [t._replace(misc="SpaceAfter=No|x=1|x=2") for t in sentence.tokens]
    seen = Unseen(parse_request("pattern { N [Number=Sing] }"), ["N.SpaceAfter"])
    seen.see(Graph(sentence._replace(tokens=tokens)))
    assert seen.notes() == [
        "no word has feature SpaceAfter",
        "9 MISC cells name a feature twice; each is the feature __RAW_MISC__ and no other",
    ]
