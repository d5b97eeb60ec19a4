"""Text that a tokenizer cannot spell, whether its configuration says so or not; chance."""

import io
import json
import shutil
from types import SimpleNamespace

import pytest
import torch
from sentencepiece import SentencePieceProcessor, SentencePieceTrainer
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from kasu.audits.nulls.pieces import piece_counter
from kasu.lm.models.language_model import LanguageModel
from kasu.lm.models.loading import load_tokenizer

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


def test_dropout_of_a_tokenizer_is_left_out(tmp_path, bert, caplog):
    """Merges that are left out at random help training; scores would differ in each run."""
    merges = [["e", "t"], ["et", "x"], ["etx", "e"]]
    signs = ["[UNK]", "[MASK]", "e", "t", "x", *map("".join, merges)]
    model = {"type": "BPE", "vocab": {sign: n for n, sign in enumerate(signs)}, "merges": merges,
             "unk_token": "[UNK]", "dropout": 0.5}  # fmt: skip
    copied = shutil.copytree(bert, tmp_path / "copied")
    path = copied / "tokenizer.json"
    path.write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": model}))
    with caplog.at_level("INFO", "kasu"):
        tokenizer, of_folder, of_file = load_tokenizer(copied), *map(piece_counter, (copied, path))
    assert {tuple(tokenizer("etxe")["input_ids"]) for _ in range(50)} == {(7,)}
    assert {count("etxe") for count in (of_folder, of_file) for _ in range(50)} == {1}
    assert [line for line in caplog.messages if "'s dropout" in line] == [
        f"{where}: its tokenizer's dropout of 0.5 is left out" for where in (copied, copied, path)
    ]


def test_sampling_of_a_tokenizer_is_left_out(tmp_path, caplog):
    """Without a tokenizer.json, sentencepiece itself divides the text."""
    pieces, text = io.BytesIO(), "Gizonak etxea ikusi du."
    texts = iter([text, "Neskak mendia ikusi du eta etxea erosi."] * 20)
    train = SentencePieceTrainer.train
    train(sentence_iterator=texts, model_writer=pieces, vocab_size=25, minloglevel=2)
    (tmp_path / "spiece.model").write_bytes(pieces.getvalue())
    sampled = {"enable_sampling": True, "nbest_size": -1, "alpha": 0.1}
    for name, content in {
        "config.json": {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]},
        "tokenizer_config.json": {
            "tokenizer_class": "GPTSw3Tokenizer", "sp_model_kwargs": sampled
        },
    }.items():  # fmt: skip
        (tmp_path / name).write_text(json.dumps(content))
    with caplog.at_level("INFO", "kasu"):
        tokenizer = load_tokenizer(tmp_path)
    drawn, best = (SentencePieceProcessor(model_proto=pieces.getvalue()) for _ in range(2))
    assert not tokenizer.is_fast
    assert len({tuple(drawn.encode(text, **sampled)) for _ in range(50)}) > 1
    assert {tuple(tokenizer(text)["input_ids"]) for _ in range(50)} == {tuple(best.encode(text))}
    assert f"{tmp_path}: its tokenizer would draw pieces at random; it takes the best" in (
        caplog.messages
    )
