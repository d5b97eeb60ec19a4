"""Texts of items as tokens: special tokens come from the tokenizer alone, not from the text."""

import copy
from collections import Counter

import pytest
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from kasu.base.errors import KasuError
from kasu.lm.models.language_model import LanguageModel
from kasu.lm.scoring.entries import encode_items
from kasu.lm.scoring.items import ItemText


def encode(model: LanguageModel, item: ItemText, definition: str):
    (entry,) = encode_items(model, [item], definition, "error", Counter())
    return entry.text


def tokens(model: LanguageModel, ids: tuple[int, ...]) -> str:
    return " ".join(model.tokenizer.convert_ids_to_tokens(list(ids)))


@pytest.mark.parametrize("literal", ["[SEP]", "[CLS]", "[PAD]", "[MASK]"])
def test_a_special_token_in_a_sentence_is_text(uniform, literal):
    # To the tokenizer of the tests brackets and capitals are unknown
    text = encode(uniform, ItemText("1", "s", f"etxe {literal} du"), "pll_original")
    assert tokens(uniform, text.ids) == "[CLS] etxe [UNK] [UNK] [UNK] du [SEP]"
    assert text.special == (True, *[False] * 5, True)


@pytest.mark.parametrize("literal", ["[SEP]", "[MASK]"])
def test_a_special_token_in_a_form_is_text(uniform, literal):
    text = encode(uniform, ItemText("1", "f", "", "[MASK] du", literal), "word_released")
    assert tokens(uniform, text.target) == "[UNK] [UNK] [UNK]"


def test_only_the_mask_of_a_frame_is_a_special_token(uniform):
    item = ItemText("1", "f", "", "[CLS] etxe [MASK] du [SEP]", "gizon")
    released = encode(uniform, item, "word_released")
    words = "[UNK] [UNK] [UNK] etxe [MASK] du [UNK] [UNK] [UNK]"
    assert tokens(uniform, released.ids) == words
    ideal = encode(uniform, item, "word_paper_ideal")
    assert tokens(uniform, ideal.ids) == f"[CLS] {words} [SEP]"


@pytest.fixture
def byte_level(uniform) -> LanguageModel:
    """A model whose tokenizer resembles RoBERTa's."""
    return with_characters(
        uniform,
        pre_tokenizers.ByteLevel.alphabet(),
        pre_tokenizers.ByteLevel(add_prefix_space=False),
    )


def with_characters(model: LanguageModel, alphabet, pre_tokenizer, merges=()) -> LanguageModel:
    """A model whose tokens are characters or a merge, whose mask claims the blank to its left."""
    pieces = ["<s>", "</s>", "<unk>", *sorted(alphabet), *map("".join, merges)]
    characters = Tokenizer(models.BPE({piece: at for at, piece in enumerate(pieces)}, [*merges]))
    characters.pre_tokenizer = pre_tokenizer
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=characters, mask_token=AddedToken("<mask>", lstrip=True), eos_token="</s>"
    )
    return LanguageModel(
        type(model.network)(len(tokenizer)), tokenizer, kind="masked", name="characters",
        device=model.device,
    )  # fmt: skip


def test_another_mask_in_a_frame_is_text(byte_level):
    text = encode(byte_level, ItemText("1", "f", "", "a [MASK]<mask>", "b"), "word_released")
    assert tokens(byte_level, text.ids) == "a <mask> < m a s k >"


def test_a_mask_takes_the_blank_that_it_claims(byte_level):
    text = encode(byte_level, ItemText("1", "f", "", "a [MASK] du</s>", "b"), "word_released")
    assert tokens(byte_level, text.ids) == "a <mask> Ġ d u < / s >"


def test_text_after_a_mask_is_no_beginning_of_a_text(uniform):
    model = with_characters(uniform, "▁ab,", pre_tokenizers.Metaspace(prepend_scheme="first"))
    text = encode(model, ItemText("1", "f", "", "a [MASK], b", "b"), "word_released")
    assert tokens(model, text.ids) == "▁ a <mask> , ▁ b"


def test_a_form_is_the_tokens_that_hold_it_in_its_sentence(byte_level):
    def of(masked: str, form: str) -> str:
        text = encode(byte_level, ItemText("1", "f", "", masked, form), "word_paper_ideal")
        return f"{tokens(byte_level, text.ids)} | {tokens(byte_level, text.target)}"

    assert of("a [MASK] du", "b") == "a <mask> Ġ d u | Ġ b"
    assert of("[MASK] du", "b") == "<mask> Ġ d u | b"
    assert of("l'[MASK].", "b") == "l ' <mask> . | b"
    assert of("a  [MASK]", "b") == "a Ġ <mask> | Ġ b"


def test_a_form_may_begin_with_the_blank_before_it(uniform, caplog):
    caplog.set_level("INFO", "kasu")
    bytes_ = pre_tokenizers.ByteLevel.alphabet()
    split = pre_tokenizers.ByteLevel(add_prefix_space=False)
    model = with_characters(uniform, bytes_, split, merges=[("Ġ", "b")])
    text = encode(model, ItemText("1", "f", "", "a [MASK] du", "b"), "word_paper_ideal")
    assert tokens(model, text.target) == "Ġb"
    assert "share a token" not in caplog.text  # a blank is nothing to share


def test_the_released_code_tokenises_a_form_by_itself(byte_level):
    item = ItemText("1", "f", "", "a [MASK] du", "b")
    assert tokens(byte_level, encode(byte_level, item, "word_released").target) == "b"


def test_a_form_may_share_a_token_with_its_neighbour(uniform, caplog):
    caplog.set_level("INFO", "kasu")
    text = encode(uniform, ItemText("1", "f", "", "etxe[MASK] du", "ak"), "word_paper_ideal")
    assert tokens(uniform, text.target) == "##ak"
    text = encode(uniform, ItemText("1", "f", "", "et[MASK]e du", "x"), "word_paper_ideal")
    assert (tokens(uniform, text.ids), tokens(uniform, text.target)) == (
        "[CLS] [MASK] du [SEP]", "etxe",
    )  # fmt: skip
    line = "1 of 1 forms share a token with the text beside them, which is scored with it"
    assert caplog.messages == [f"word_paper_ideal: {line}"]


def test_a_form_without_a_token_is_one_line(uniform):
    tokenizer = uniform.tokenizer.backend_tokenizer
    before, tokenizer.normalizer = tokenizer.normalizer, normalizers.Replace("\u200b", "")
    try:
        with pytest.raises(KasuError, match="item 1, f: tokenises to nothing"):
            encode(uniform, ItemText("1", "f", "", "etxe [MASK]", "\u200b"), "word_paper_ideal")
    finally:
        tokenizer.normalizer = before


def test_a_token_that_the_network_lacks_is_named(uniform, monkeypatch):
    number = uniform.tokenizer.convert_tokens_to_ids("du")
    monkeypatch.setattr(uniform, "rows", number)
    line = f"item 1, s: token 'du' has the number {number}; expected one below {number}, the num"
    with pytest.raises(KasuError, match=line):
        encode(uniform, ItemText("1", "s", "etxe du"), "pll_original")


def test_the_mask_is_a_token_that_the_network_needs(uniform, monkeypatch):
    monkeypatch.setattr(uniform, "rows", 60)
    monkeypatch.setattr(uniform, "mask", 61)
    with pytest.raises(KasuError, match=r"item 1, s: token .* has the number 61; expected one"):
        encode(uniform, ItemText("1", "s", "etxe du"), "pll_original")


def test_letters_that_vanish_are_counted(uniform):
    """A vocabulary of characters without a token for others, which then leave no trace."""
    model = with_characters(uniform, "▁ab", pre_tokenizers.Metaspace())
    text = encode(model, ItemText("1", "s", "a xéb"), "pll_original")
    assert (tokens(model, text.ids), text.lost) == ("▁ a ▁ b", 2)
    form = encode(model, ItemText("1", "f", "", "x [MASK]", "axb"), "word_paper_ideal")
    assert (tokens(model, form.target), form.lost) == ("▁ a b", 1)
    alone = encode(model, ItemText("1", "f", "", "x [MASK]", "axxb"), "word_released")
    assert alone.lost == 2  # of the form, not of its sentence
    known = encode(uniform, ItemText("1", "s", "etxe xéb"), "pll_original")
    assert known.lost == 0


def test_a_tokenizer_that_does_not_align_finds_the_form_between_its_neighbours(uniform):
    class Slow:
        """As uniform's, but without the places of its tokens."""

        is_fast = False

        def __init__(self, tokenizer):
            self.tokenizer = tokenizer

        def __getattr__(self, name):
            return getattr(self.tokenizer, name)

        def __call__(self, text, *, return_offsets_mapping=False, **how):
            assert not return_offsets_mapping
            return self.tokenizer(text, **how)

    slow = copy.copy(uniform)
    slow.tokenizer = Slow(uniform.tokenizer)
    item = ItemText("1", "f", "", "gizon [MASK] du", "etxea")
    for model in (uniform, slow):
        text = encode(model, item, "word_paper_ideal")
        assert tokens(model, text.ids) == "[CLS] gizon [MASK] du [SEP]"
        assert tokens(model, text.target) == "etxe ##a"
    with pytest.raises(KasuError, match="the text around 'x' has other tokens with it than with"):
        encode(slow, ItemText("1", "f", "", "et[MASK]e du", "x"), "word_paper_ideal")


def test_items_without_a_known_word_are_refused(uniform):
    line = "uniform: its tokenizer knows no word of the items, such as 'ბავშვი .'"
    with pytest.raises(KasuError, match=line):
        encode(uniform, ItemText("1", "s", "ბავშვი ."), "pll_original")


def test_a_tokenizer_that_knows_no_words_has_no_pll_by_words(uniform):
    model = with_characters(uniform, "▁ab", pre_tokenizers.Sequence([]))
    with pytest.raises(KasuError, match="its tokenizer does not divide text into words"):
        encode(model, ItemText("1", "s", "a b"), "pll_within_word_l2r")


def test_a_first_token_that_nothing_predicts_is_told(bigram, caplog):
    told = "bigram: no token marks the beginning, so first tokens are not scored"
    encode(bigram("causal"), ItemText("1", "s", "etxe du"), "causal")
    assert told in caplog.messages
    caplog.clear()
    # The definition itself leaves out first tokens
    encode(bigram("causal"), ItemText("1", "s", "etxe du"), "causal_released")
    assert told not in caplog.messages


@pytest.mark.parametrize("definition", ["causal", "causal_released"])
def test_a_text_of_which_nothing_is_scored(bigram, definition):
    line = f"item 1, s: one token, with none before it from which {definition} could predict it"
    with pytest.raises(KasuError, match=line):
        encode(bigram("causal"), ItemText("1", "s", "du"), definition)
