"""Text that a tokenizer cannot spell, whether its configuration says so or not."""

from types import SimpleNamespace

import pytest
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from kasu.lm.models.language_model import LanguageModel

PIECES = {"[UNK]": 0, "a": 1, "b": 2}


@pytest.fixture
def wrap():
    """Give a network, whose predictions are uniform, a tokenizer."""

    def run(pieces, pre_tokenizer=None, normalizer=None, **names):
        file = Tokenizer(pieces)
        if pre_tokenizer:
            file.pre_tokenizer = pre_tokenizer
        if normalizer:
            file.normalizer = normalizer
        tokenizer = PreTrainedTokenizerFast(tokenizer_object=file, **names)

        def network(input_ids):
            return SimpleNamespace(logits=torch.zeros(*input_ids.shape, len(tokenizer)))

        module = torch.nn.Module()
        module.forward = network
        return LanguageModel(
            module, tokenizer, kind="causal", name="m", device=torch.device("cpu")
        )  # fmt: skip

    return run


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("the man", 0),
        ("the \u2013", 0),
        # By UTF-8 a Ő is C5 90 and a – is E2 80 93: one byte of two, two of three
        ("the \u0150", 1),
        ("the X man \u2603", 2),
        ("a\u00e2", 1),
    ],
)
def test_a_character_is_lost_if_one_of_its_bytes_is(wrap, text, lost):
    bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=False)
    known = {
        sign for piece, _ in bytes_.pre_tokenize_str("the man \u2013 \u2650") for sign in piece
    }
    pieces = {sign: at for at, sign in enumerate(["<s>", *sorted(known)])}
    model = wrap(models.BPE(pieces, []), bytes_, bos_token="<s>")
    assert model.encode(text, special_tokens=True).lost == lost


@pytest.mark.parametrize(
    ("normalizer", "pre_tokenizer", "lost"),
    [
        (normalizers.Lowercase(), pre_tokenizers.ByteLevel(add_prefix_space=False), 1),
        (normalizers.ByteLevel(), None, 2),
    ],
)
def test_what_a_normaliser_makes_of_a_character_counts(wrap, normalizer, pre_tokenizer, lost):
    pieces = {sign: at for at, sign in enumerate(["<s>", *"aehmnt\u0120"])}
    model = wrap(models.BPE(pieces, []), pre_tokenizer, normalizer, bos_token="<s>")
    # Lower case, T is t; no vocabulary here has the bytes of é
    assert model.encode("The man \u00e9", special_tokens=True).lost == lost


def test_a_vocabulary_may_lack_blanks(wrap):
    pieces = {sign: at for at, sign in enumerate(["<s>", *"aemn"])}
    model = wrap(models.BPE(pieces, []), pre_tokenizers.ByteLevel(), bos_token="<s>")
    assert model.encode("man \u00e9", special_tokens=True).lost == 1


def test_a_tokenizer_of_all_bytes_loses_nothing(wrap):
    bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=False)
    pieces = {sign: at for at, sign in enumerate(["<s>", *sorted(bytes_.alphabet())])}
    model = wrap(models.BPE(pieces, []), bytes_, bos_token="<s>")
    assert model.encode("the X man \u2603", special_tokens=True).lost == 0


@pytest.mark.parametrize(
    "pieces",
    [
        models.WordPiece(PIECES, unk_token="[UNK]"),
        models.WordLevel(PIECES, "[UNK]"),
        models.BPE(PIECES, [], unk_token="[UNK]"),
        models.Unigram([("[UNK]", 0.0), ("a", -1.0), ("b", -1.0)], unk_id=0),
    ],
)
def test_the_file_may_name_the_unknown_token_alone(wrap, pieces):
    model = wrap(pieces, pre_tokenizers.Whitespace())
    assert model.tokenizer.unk_token_id is None
    assert model.unknown == 0
