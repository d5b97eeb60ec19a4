"""T-mask on example (1) of the paper."""

import pytest

from kasu.agreement.data.transforms import VERB, Word, mask_target

TOKENS = ["Kutxazainek", "bezeroari", "liburuak", "eman", "dizkiote"]
LEMMAS = ["kutxazain", "bezero", "liburu", "eman", "ukan"]


def test_target_becomes_the_symbol_and_keeps_its_lemma():
    words = mask_target(TOKENS, LEMMAS, 4)
    assert " ".join(word.token for word in words) == "Kutxazainek bezeroari liburuak eman ⟨verb⟩"
    assert words[4] == Word("⟨verb⟩", "ukan", "")


def test_other_words_show_token_lemma_and_spelling():
    assert mask_target(TOKENS, LEMMAS, 4)[1] == Word("bezeroari", "bezero", "bezeroari")


def test_lemma_of_the_target_can_be_hidden():
    assert mask_target(TOKENS, LEMMAS, 4, keep_verb_lemma=False)[4] == Word(VERB, VERB, "")


def test_only_the_target_is_hidden():
    words = mask_target(["dago", "da"], ["egon", "izan"], 0)
    assert [word.token for word in words] == ["⟨verb⟩", "da"]


def test_tokens_and_lemmas_must_pair():
    with pytest.raises(ValueError):
        mask_target(TOKENS, LEMMAS[:4], 4)
