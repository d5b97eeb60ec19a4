"""Conditions on example (1) of the paper, *Kutxazainek bezeroari liburuak eman dizkiote*."""

import re
import runpy
from pathlib import Path

import pytest

from kasu.agreement.data import transforms
from kasu.agreement.data.tasks import SUFFIX
from kasu.agreement.data.transforms import (
    FILTERS,
    TRANSFORMS,
    VERB,
    WITHOUT_SUFFIXES,
    Condition,
    Sentence,
    Word,
    mask_target,
    split_condition,
)

ROOT = Path(__file__).resolve().parents[3]
SENTENCE = Sentence(
    tokens=["Kutxazainek", "bezeroari", "liburuak", "eman", "dizkiote"],
    stems=["Kutxazain", "bezero", "liburu", "eman", "dizkiote"],
    lemmas=["kutxazain", "bezero", "liburu", "eman", "ukan"],
    suffixes=["-ek", "-ari", "-ak", "none", "none"],
    finite=[False, False, False, False, True],
    target=4,
)


def tokens(condition: str, sentence: Sentence = SENTENCE) -> str:
    return " ".join(word.token for word in Condition(condition).words(sentence))


def test_a_training_set_does_not_change_what_is_shown():
    assert tokens("base@300k") == tokens("base")
    assert tokens("no_suffixes+no_verb_lemma@300k") == tokens("no_suffixes+no_verb_lemma")
    assert len(Condition("single_verb@300k").filters) == 1
    assert split_condition("single_verb+no_ak@300k") == ("single_verb+no_ak", "300k")
    assert split_condition("base") == ("base", "")


def test_target_becomes_the_symbol_and_keeps_its_lemma():
    words = mask_target(SENTENCE)
    assert " ".join(word.token for word in words) == "Kutxazainek bezeroari liburuak eman ⟨verb⟩"
    assert words[4] == Word("⟨verb⟩", "ukan", "")


def test_other_words_show_token_lemma_and_spelling():
    assert mask_target(SENTENCE)[1] == Word("bezeroari", "bezero", "bezeroari")


def test_only_the_target_is_hidden():
    two = SENTENCE._replace(tokens=["dago", "da"], stems=["dago", "da"], lemmas=["egon", "izan"])
    assert [word.token for word in mask_target(two._replace(target=0))] == ["⟨verb⟩", "da"]


def test_tokens_and_lemmas_must_pair():
    with pytest.raises(ValueError):
        mask_target(SENTENCE._replace(lemmas=SENTENCE.lemmas[:4]))


def test_base_is_the_masked_sentence():
    assert Condition("base").words(SENTENCE) == mask_target(SENTENCE)


def test_lemma_of_the_target_can_be_hidden():
    words = Condition("no_verb_lemma").words(SENTENCE)
    assert words[4] == Word(VERB, VERB, "")
    assert words[:4] == mask_target(SENTENCE)[:4]


def test_no_suffixes_leaves_stems():
    assert tokens("no_suffixes") == "Kutxazain bezero liburu eman ⟨verb⟩"
    words = Condition("no_suffixes").words(SENTENCE)
    assert words[2] == Word("liburu", "liburu", "liburu")
    assert words[4] == Word(VERB, "ukan", "")


def test_residual_a_gives_example_5():
    assert tokens("residual_a") == "Kutxazaina bezeroa liburua eman ⟨verb⟩"
    neska = SENTENCE._replace(tokens=["Neskek", *SENTENCE.tokens[1:]])
    neska = neska._replace(stems=["Neska", *SENTENCE.stems[1:]])
    assert tokens("residual_a", neska) == "Neska bezeroa liburua eman ⟨verb⟩"


def test_suffixes_only_shows_neither_words_nor_lemmata():
    assert tokens("suffixes_only") == "-ek -ari -ak none ⟨verb⟩"
    words = Condition("suffixes_only").words(SENTENCE)
    assert {(word.lemma, word.spelling) for word in words} == {("", "")}


def test_neutralised_case_marks_number():
    words = Condition("neutralised_case").words(SENTENCE)
    assert words == [
        Word("Kutxazain⟨plural⟩", "kutxazain", "Kutxazain", "⟨plural⟩"),
        Word("bezero⟨singular⟩", "bezero", "bezero", "⟨singular⟩"),
        Word("liburu⟨ambiguous⟩", "liburu", "liburu", "⟨ambiguous⟩"),
        Word("eman", "eman", "eman"),
        Word(VERB, "ukan", ""),
    ]


UNKNOWN = SENTENCE._replace(  # as the analyser leaves a word that it does not know
    lemmas=["Kutxazainek", *SENTENCE.lemmas[1:]], suffixes=["masked", *SENTENCE.suffixes[1:]]
)


@pytest.mark.parametrize("condition", ["no_suffixes", "suffixes_only", "neutralised_case"])
def test_the_ending_of_an_unknown_word_is_its_suffix(condition):
    assert tokens(condition, UNKNOWN) == tokens(condition)


def test_an_unknown_word_that_is_only_an_ending_has_no_suffix():
    only = SENTENCE._replace(
        tokens=["EI", *SENTENCE.tokens[1:]],
        stems=["EI", *SENTENCE.stems[1:]],
        suffixes=["masked", *SENTENCE.suffixes[1:]],
    )
    none = only._replace(suffixes=["none", *SENTENCE.suffixes[1:]])
    assert tokens("suffixes_only", only) == tokens("suffixes_only", none)


def test_the_lemma_of_an_unknown_word_does_not_show_its_suffix():
    assert Condition("no_suffixes").words(UNKNOWN)[0].lemma == "Kutxazain"


def test_filters():
    def kept(sentence):
        return [name for name, keep in FILTERS.items() if keep(sentence)]

    assert kept(SENTENCE) == ["single_verb"]
    no_ak = SENTENCE._replace(
        tokens=["Kutxazainek", "dakigunez", "dutenak"], stems=["Kutxazain", "dakigunez", "dutenak"],
        suffixes=["-ek", "none", "none"], finite=[False, True, True],
    )  # fmt: skip
    assert kept(no_ak) == ["no_ak", "no_ak_string"]
    verb_in_ak = no_ak._replace(tokens=["dutenak", "dakigunez", "dute"])
    assert kept(verb_in_ak) == ["no_ak"]
    unknown = no_ak._replace(tokens=["Xak", *no_ak.tokens[1:]], stems=["X", *no_ak.stems[1:]])
    assert kept(unknown._replace(suffixes=["masked", "none", "none"])) == []


def test_a_condition_joins_transforms_and_filters():
    joined = Condition("single_verb+no_suffixes+no_verb_lemma")
    assert joined.words(SENTENCE)[2:] == [
        Word("liburu", "liburu", "liburu"), Word("eman", "eman", "eman"), Word(VERB, VERB, ""),
    ]  # fmt: skip
    assert joined.keeps(SENTENCE)
    assert not joined.keeps(SENTENCE._replace(finite=[True] * 5))


@pytest.mark.parametrize("name", sorted(TRANSFORMS))
def test_no_transform_shows_the_form_of_the_target(name):
    other = SENTENCE._replace(
        tokens=[*SENTENCE.tokens[:4], "zizkioten"], stems=[*SENTENCE.stems[:4], "zizkioten"]
    )
    assert Condition(name).words(other) == Condition(name).words(SENTENCE)


def test_the_condition_of_the_guide(tmp_path):
    page = (ROOT / "docs/agreement.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    module = tmp_path / "transforms.py"
    module.write_text(Path(transforms.__file__).read_text("utf-8") + shown, encoding="utf-8")
    words = runpy.run_path(str(module))["Condition"]("no_datives").words(SENTENCE)
    assert [word.token for word in words[:3]] == ["Kutxazainek", "bezero", "liburuak"]


# Suffix prediction


def stripped(condition: str, sentence: Sentence = SENTENCE) -> list[Word]:
    return Condition(condition, SUFFIX).words(sentence)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("base", "Kutxazain bezero liburu eman dizkiote"),
        # as the paper prints (5)
        ("residual_a", "Kutxazaina bezeroa liburua eman dizkiote"),
        ("no_verb", "Kutxazain bezero liburu eman ⟨verb⟩"),
    ],
)
def test_suffix_prediction_reads_words_without_suffixes(condition, expected):
    assert " ".join(word.token for word in stripped(condition)) == expected


def test_suffix_prediction_reads_verbs_as_they_are_unless_they_are_hidden():
    assert stripped("base")[4] == Word("dizkiote", "ukan", "dizkiote")
    assert stripped("no_verb")[4] == Word(VERB, "ukan", "")
    assert stripped("no_verb+no_verb_lemma")[4] == Word(VERB, VERB, "")


def test_no_verb_hides_every_verb():
    two = SENTENCE._replace(finite=[False, False, False, True, True])
    assert [word.token for word in stripped("no_verb", two)][3:] == [VERB, VERB]


@pytest.mark.parametrize("condition", ["base", *WITHOUT_SUFFIXES, "no_verb+no_verb_lemma"])
def test_suffix_prediction_does_not_see_which_suffix_a_word_has(condition):
    """The same sentence with other suffixes gives the same input."""
    other = SENTENCE._replace(
        tokens=["Kutxazainari", "bezeroa", "liburuei", "eman", "dizkiote"],
        suffixes=["-ari", "-a", "-ei", "none", "none"],
    )
    assert stripped(condition, other) == stripped(condition)


def test_a_word_that_the_analyser_does_not_know_shows_no_ending():
    unknown = SENTENCE._replace(
        lemmas=["Kutxazainek", *SENTENCE.lemmas[1:]], suffixes=["masked", *SENTENCE.suffixes[1:]]
    )
    assert stripped("base", unknown)[0] == Word("Kutxazain", "Kutxazain", "Kutxazain")
