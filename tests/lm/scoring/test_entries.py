"""Texts of items as tokens: special tokens come from the tokenizer alone, not from the text."""

from collections import Counter

import pytest
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from kasu.lm.models.language_model import LanguageModel
from kasu.lm.scoring.entries import encode_items
from kasu.lm.scoring.items import Item


def encode(model: LanguageModel, item: Item, definition: str):
    (entry,) = encode_items(model, [item], definition, "error", Counter())
    return entry.text


def tokens(model: LanguageModel, ids: tuple[int, ...]) -> str:
    return " ".join(model.tokenizer.convert_ids_to_tokens(list(ids)))


@pytest.mark.parametrize("literal", ["[SEP]", "[CLS]", "[PAD]", "[MASK]"])
def test_a_special_token_in_a_sentence_is_text(uniform, literal):
    # To the tokenizer of the tests brackets and capitals are unknown
    text = encode(uniform, Item("1", "s", f"etxe {literal} du"), "pll_original")
    assert tokens(uniform, text.ids) == "[CLS] etxe [UNK] [UNK] [UNK] du [SEP]"
    assert text.special == (True, *[False] * 5, True)


@pytest.mark.parametrize("literal", ["[SEP]", "[MASK]"])
def test_a_special_token_in_a_form_is_text(uniform, literal):
    text = encode(uniform, Item("1", "f", "", "[MASK] du", literal), "word_released")
    assert tokens(uniform, text.target) == "[UNK] [UNK] [UNK]"


def test_only_the_mask_of_a_frame_is_a_special_token(uniform):
    item = Item("1", "f", "", "[CLS] etxe [MASK] du [SEP]", "gizon")
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


def with_characters(model: LanguageModel, alphabet, pre_tokenizer) -> LanguageModel:
    """A model whose tokens are characters, and whose mask claims the blank to its left."""
    pieces = ["<s>", "</s>", "<unk>", *sorted(alphabet)]
    characters = Tokenizer(models.BPE({piece: at for at, piece in enumerate(pieces)}, []))
    characters.pre_tokenizer = pre_tokenizer
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=characters, mask_token=AddedToken("<mask>", lstrip=True), eos_token="</s>"
    )
    return LanguageModel(
        type(model.network)(len(tokenizer)), tokenizer, kind="masked", name="characters",
        device=model.device,
    )  # fmt: skip


def test_another_mask_in_a_frame_is_text(byte_level):
    text = encode(byte_level, Item("1", "f", "", "a [MASK]<mask>", "b"), "word_released")
    assert tokens(byte_level, text.ids) == "a <mask> < m a s k >"


def test_a_mask_takes_the_blank_that_it_claims(byte_level):
    text = encode(byte_level, Item("1", "f", "", "a [MASK] du</s>", "b"), "word_released")
    assert tokens(byte_level, text.ids) == "a <mask> Ġ d u < / s >"


def test_text_after_a_mask_is_no_beginning_of_a_text(uniform):
    model = with_characters(uniform, "▁ab,", pre_tokenizers.Metaspace(prepend_scheme="first"))
    text = encode(model, Item("1", "f", "", "a [MASK], b", "b"), "word_released")
    assert tokens(model, text.ids) == "▁ a <mask> , ▁ b"
