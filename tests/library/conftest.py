"""The demo's treebank, a model that is made on the spot, and a folder to be in."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def model(tmp_path_factory) -> Path:
    """The folder of a random GPT-2 over letters."""
    import torch
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("model") / "toy-gpt2"
    signs = ["[UNK]", *map(chr, range(32, 127)), *map(chr, range(0x10D0, 0x10F1))]
    letters = Tokenizer(models.WordLevel({s: n for n, s in enumerate(signs)}, "[UNK]"))
    letters.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    PreTrainedTokenizerFast(
        tokenizer_object=letters, unk_token="[UNK]", model_max_length=128
    ).save_pretrained(folder)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    config = GPT2Config(
        vocab_size=len(signs), n_embd=8, n_layer=1, n_head=1, n_positions=128,
        initializer_range=0.5, bos_token_id=None, eos_token_id=None,
    )  # fmt: skip
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """A working directory with Kasu's `resources`."""
    (tmp_path / "resources").symlink_to(ROOT / "resources")
    monkeypatch.chdir(tmp_path)
    return tmp_path
