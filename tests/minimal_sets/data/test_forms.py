"""Candidates in another case, and the readings of a form."""

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.treebanks.treebank import Sentence, Token
from kasu.minimal_sets.data.forms import Lexicon, is_word


def word(form: str, lemma: str, feats: str, upos: str = "NOUN") -> Token:
    return Token("1", form, lemma, upos, "_", feats, "0", "root", "_", "_")


def lexicon(*words: tuple[str, ...], feature: str = "Case", **settings: bool) -> Lexicon:
    sentences = (Sentence("s", None, 1, 2, [], [word(*cells)]) for cells in words)
    return Lexicon(sentences, feature, **settings)


def readings(words: Lexicon, lemma: str, form: str, upos: str = "NOUN") -> list[dict[str, str]]:
    return words.readings(word(form, lemma, "_", upos), form)


CHILD = [
    ("bavshvi", "bavshvi", "Case=Nom|Number=Sing"),
    ("bavshvma", "bavshvi", "Case=Erg|Number=Sing"),
    ("bavshvs", "bavshvi", "Case=Dat|Number=Sing"),
]


def test_the_example_of_the_paper():
    child = lexicon(*CHILD)
    assert [child.candidate(word(*CHILD[0]), case) for case in ("Nom", "Erg", "Dat")] == [
        "bavshvi",
        "bavshvma",
        "bavshvs",
    ]


def test_a_form_of_another_number_is_not_a_candidate():
    child = lexicon(CHILD[0], ("bavshvebma", "bavshvi", "Case=Erg|Number=Plur"))
    assert child.candidate(word(*CHILD[0]), "Erg") is None


def test_a_form_with_a_further_feature_is_not_a_candidate():
    child = lexicon(CHILD[0], ("bavshvmac", "bavshvi", "Case=Erg|Number=Sing|PartType=Emp"))
    assert child.candidate(word(*CHILD[0]), "Erg") is None


def test_a_form_of_another_lemma_is_not_a_candidate():
    assert (
        lexicon(*CHILD).candidate(word("k'atsi", "k'atsi", "Case=Nom|Number=Sing"), "Erg") is None
    )


def test_the_first_candidate_in_order_wins():
    child = lexicon(("bavshvsa", "bavshvi", "Case=Dat|Number=Sing"), *CHILD, CHILD[2])
    assert child.candidate(word(*CHILD[0]), "Dat") == "bavshvsa"


def test_a_candidate_has_the_same_capitalisation():
    feats = "Case=Nom", "Case=Erg"
    words = lexicon(("Etxeak", "etxe", feats[1]), ("etxeek", "etxe", feats[1]))
    assert words.candidate(word("etxea", "etxe", feats[0]), "Erg") == "etxeek"
    assert words.candidate(word("Etxea", "etxe", feats[0]), "Erg") == "Etxeak"


def test_a_form_in_capitals_is_not_a_candidate_for_a_capitalised_one():
    names = lexicon(("MORALES", "Morales", "Case=Abs"), ("Morales", "Morales", "Case=Abs"))
    assert names.candidate(word("Moralesek", "Morales", "Case=Erg"), "Abs") == "Morales"
    letter = lexicon(("Меня", "я", "Case=Acc"))
    assert letter.candidate(word("Я", "я", "Case=Nom"), "Acc") == "Меня"


def test_the_released_code_compares_the_first_letter_only():
    names = ("MORALES", "Morales", "Case=Abs"), ("Morales", "Morales", "Case=Abs")
    released = lexicon(*names, released_capitals=True)
    assert released.candidate(word("Moralesek", "Morales", "Case=Erg"), "Abs") == "MORALES"
    assert released.candidate(word("moralesek", "Morales", "Case=Erg"), "Abs") is None


@pytest.mark.parametrize(
    "form", [".", "_", "-", "maa-", "-ssa", "'ve", "l'", "10", "XX1", "on on", "walk/walks", "(a)"]
)
def test_what_is_no_whole_word_is_left_out(form):
    words = lexicon((form, "x", "Case=Nom"), ("a", "x", "Case=Dat"))
    assert words.paradigms == {("x", "NOUN"): {frozenset({("Case", "Dat")}): {"a": 1}}}
    assert words.candidate(word("a", "x", "Case=Dat"), "Nom") is None


@pytest.mark.parametrize("form", ["a", "1990-luvulla", "EU:n", "aujourd'hui", "मुंबई", "ბავშვმა"])
def test_what_is_a_whole_word(form):
    assert is_word(form)


PLANS = (
    ("plans", "plan", "Number=Plur", "NOUN"),
    ("plan", "plan", "Number=Sing", "NOUN"),
    ("plans", "plan", "Number=Sing|Person=3", "VERB"),
    ("plan", "plan", "Number=Plur|Person=3", "VERB"),
)


def test_a_paradigm_is_of_one_part_of_speech():
    words = lexicon(*PLANS, feature="Number")
    assert readings(words, "plan", "plans", "VERB") == [{"Number": "Sing", "Person": "3"}]
    assert readings(words, "plan", "plans") == [{"Number": "Plur"}]
    bare = word("plans", "plan", "Number=Sing|Person=3", "VERB")
    assert words.candidate(bare, "Plur") == "plan"
    assert lexicon(*PLANS[:3], feature="Number").candidate(bare, "Plur") is None


@pytest.mark.parametrize("first, second", [("AUX", "VERB"), ("PROPN", "NOUN"), ("ADJ", "NOUN")])
def test_parts_of_speech_that_share_their_paradigms(first, second):
    words = lexicon(("gaztea", "gazte", "Case=Abs", first))
    for upos in (first, second):
        assert words.candidate(word("gazteak", "gazte", "Case=Erg", upos), "Abs") == "gaztea"
    assert words.candidate(word("gazteak", "gazte", "Case=Erg", "PRON"), "Abs") is None


def test_all_attested_readings_count():
    house = ("etxeak", "etxe", "Case=Erg|Number=Sing"), ("Etxeak", "etxe", "Case=Abs|Number=Plur")
    assert readings(lexicon(*house), "etxe", "etxeak") == [
        {"Case": "Erg", "Number": "Sing"},
        {"Case": "Abs", "Number": "Plur"},
    ]


def test_a_rare_reading_is_a_slip():
    house = [("etxeak", "etxe", "Case=Erg")] * 10 + [("etxeak", "etxe", "Case=Dat")]
    assert readings(lexicon(*house), "etxe", "etxeak") == [{"Case": "Erg"}]


def test_a_reading_without_the_feature_makes_none_with_it_rare():
    past, infinitive = ("put", "put", "Number=Sing|Tense=Past", "VERB"), "VerbForm=Inf"
    put = lexicon(past, *20 * [(*past[:2], infinitive, "VERB")], feature="Number", verbs=True)
    assert readings(put, "put", "put", "VERB") == [
        {"Number": "Sing", "Tense": "Past"}, {"VerbForm": "Inf"}
    ]  # fmt: skip


def test_readings_follow_by_analogy():
    shown = [
        (f"{noun}ak", noun, f"Case={case}|Number={number}")
        for noun in ("gizon", "mendi", "liburu", "zakur", "ate")
        for case, number in (("Erg", "Sing"), ("Abs", "Plur"))
    ]
    house = ("etxeak", "etxe", "Case=Erg|Number=Sing")
    assert readings(lexicon(*shown, house), "etxe", "etxeak") == [
        {"Case": "Erg", "Number": "Sing"},
        {"Case": "Abs", "Number": "Plur"},
    ]
    assert readings(lexicon(*shown[:8], house), "etxe", "etxeak") == [
        {"Case": "Erg", "Number": "Sing"}
    ]


def test_no_analogy_where_another_form_is_attested():
    shown = [
        (f"{noun}ak", noun, f"Case={case}|Number={number}")
        for noun in ("gizon", "mendi", "liburu", "zakur", "ate")
        for case, number in (("Erg", "Sing"), ("Abs", "Plur"))
    ]
    another = ("urak", "ur", "Case=Erg|Number=Sing"), ("uraek", "ur", "Case=Abs|Number=Plur")
    this = ("honek", "hau", "Case=Erg|Number=Sing"), ("hauek", "hau", "Case=Abs|Number=Plur")
    words = lexicon(*shown, *this, *another)
    assert readings(words, "hau", "honek") == [{"Case": "Erg", "Number": "Sing"}]


def test_an_analogy_without_exceptions_holds_for_an_old_spelling():
    shown = [
        (f"{noun}y", noun, f"Case={case}")
        for noun in ("voln", "gor", "rek", "zvezd", "vod", "shkol", "lun", "tsen", "sten")
        for case in ("Nom", "Acc")
    ]
    tears = ("slëzy", "slëza", "Case=Nom"), ("slezy", "slëza", "Case=Acc")
    assert {"Case": "Acc"} in readings(lexicon(*shown, *tears), "slëza", "slëzy")


def test_no_analogy_where_another_form_is_frequent():
    # *was* is no plural, though all other verbs have one form for the past
    shown = [
        (f"{verb}ed", verb, f"Number={number}|Tense=Past", "VERB")
        for verb in ("walk", "talk", "ask", "call", "look", "wait", "seem", "play", "work", "turn")
        for number in ("Sing", "Plur")
    ]
    was = [("was", "be", "Number=Sing|Tense=Past", "VERB")] * 5
    were = ("were", "be", "Number=Plur|Tense=Past", "VERB")
    plural = {"Number": "Plur", "Tense": "Past"}
    often, rarely = (lexicon(*shown, *was, *[were] * n, feature="Number") for n in (5, 4))
    assert plural not in readings(often, "be", "was", "VERB")
    assert plural in readings(rarely, "be", "was", "VERB")


def test_a_word_inside_a_multiword_token_gives_candidates_but_no_readings():
    joined = Token("1-2", "khelovnebashi", *"________")
    tokens = [joined, word("khelovneba", "khelovneba", "Case=Dat")]
    tokens.append(Token("2", "shi", "shi", "ADP", "_", "_", "1", "case", "_", "_"))
    art = Lexicon([Sentence("s", None, 1, 2, [], tokens)], "Case")
    nominative = word("khelovnebai", "khelovneba", "Case=Nom")
    assert art.candidate(nominative, "Dat") == "khelovneba"
    assert readings(art, "khelovneba", "khelovneba") == []


def test_a_missing_feature_is_named():
    with pytest.raises(KasuError, match=r"^ka\.conllu: no word has the feature Tense; .*Case, N"):
        lexicon(*CHILD).need(["Case", "Tense"], "ka.conllu")


def test_words_without_a_lemma_have_no_paradigm():
    words = lexicon(*CHILD, ("ena", "_", "Case=Nom"), ("enam", "_", "Case=Erg"))
    assert words.candidate(word("ena", "_", "Case=Nom"), "Erg") is None
    assert readings(words, "_", "enam") == []
    assert words.values == {"Nom", "Erg", "Dat"}


def test_a_treebank_without_lemmas_has_no_paradigm():
    words = lexicon(("ena", "_", "Case=Nom"), ("da", "da", "Number=Sing"))
    with pytest.raises(KasuError, match="t: no word with the feature Case has a lemma; expected"):
        words.need_lemmas("t")
    lexicon(*CHILD).need_lemmas("t")
