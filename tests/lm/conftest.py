"""Models small enough to compute scores by hand, and random ones that load from a folder."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from torch import nn
from transformers import (
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
)

from kasu.lm.models.language_model import LanguageModel

CPU = torch.device("cpu")
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = ["etxe", "gizon", "ak", "a", "ikusi", "du"]


def make_tokenizer(*, masked: bool = True, length: int = 64) -> PreTrainedTokenizerFast:
    """A tokenizer that keeps WORDS whole and splits other words into letters (`##x`)."""
    pieces = [*SPECIAL, *WORDS, *LETTERS, *(f"##{letter}" for letter in LETTERS), "##ak", "."]
    numbers = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]"}
    if masked:
        ends = [("[CLS]", 2), ("[SEP]", 3)]
        tokenizer.post_processor = processors.TemplateProcessing(
            "[CLS] $A [SEP]", special_tokens=ends
        )
        names |= {"cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=length, **names)


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    """On a busy machine the threads of so small a network wait for one another."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def bert(tmp_path_factory) -> Path:
    """The folder of a random BERT."""
    return save_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="session")
def gpt2(tmp_path_factory) -> Path:
    """The folder of a random GPT-2."""
    return save_gpt2(tmp_path_factory.mktemp("gpt2"))


def save_bert(folder: Path) -> Path:
    """A random BERT with large weights, so that its predictions differ."""
    tokenizer = make_tokenizer()
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64, initializer_range=0.5,
    )  # fmt: skip
    BertForMaskedLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def save_gpt2(folder: Path) -> Path:
    """A random GPT-2 without a beginning-of-text token."""
    tokenizer = make_tokenizer(masked=False)
    torch.manual_seed(2)
    config = GPT2Config(
        vocab_size=len(tokenizer), n_embd=16, n_layer=2, n_head=2, n_positions=64,
        initializer_range=0.5, bos_token_id=None, eos_token_id=None,
    )  # fmt: skip
    GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


class Uniform(nn.Module):
    """Gives all tokens the same logit."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.vocabulary = vocabulary

    def forward(self, input_ids: torch.Tensor) -> SimpleNamespace:
        return SimpleNamespace(logits=torch.zeros(*input_ids.shape, self.vocabulary))


class Bigram(nn.Module):
    """Predicts from one token, by a table of logits.

    shift: 0 predicts what follows the token at a position (causal); 1 what stands there, from the
    token to its left (masked).
    """

    def __init__(self, table: torch.Tensor, shift: int) -> None:
        super().__init__()
        self.table, self.shift = table, shift

    def forward(self, input_ids: torch.Tensor) -> SimpleNamespace:
        seen = torch.roll(input_ids, self.shift, dims=1) if self.shift else input_ids
        return SimpleNamespace(logits=self.table[seen])


@pytest.fixture(scope="session")
def uniform() -> LanguageModel:
    """A masked model that gives all tokens the same probability."""
    return LanguageModel(
        Uniform(len(make_tokenizer())), make_tokenizer(), kind="masked", name="uniform", device=CPU
    )


@pytest.fixture(scope="session")
def bigram() -> Callable[[str], LanguageModel]:
    """Make a model of a kind that predicts from one token; its network has the `table`."""

    def make(kind: str) -> LanguageModel:
        tokenizer = make_tokenizer(masked=kind == "masked")
        generator = torch.Generator().manual_seed(3)
        table = torch.randn(len(tokenizer), len(tokenizer), generator=generator)
        network = Bigram(table, shift=int(kind == "masked"))
        return LanguageModel(network, tokenizer, kind=kind, name="bigram", device=CPU)

    return make
