"""Datasets of every kind have the same bytes, whatever the processor, threads and hash seed."""

import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import tokenizers
import torch
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(__file__).with_name("build_datasets.py")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
# Each library's way to leave out instructions that the processor has
OLD = {
    "ATEN_CPU_CAPABILITY": "default",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX512VL",
    "MKL_CBWR": "COMPATIBLE",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Nehalem",
}
NEWER = {
    "ATEN_CPU_CAPABILITY": "avx2",
    "MKL_CBWR": "AVX2",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Haswell",
}


def environment(threads: int, hash_seed: int, processor: dict[str, str]) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in OLD}
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
    path = {"PYTHONPATH": str(ROOT / "workflow"), "PYTHONHASHSEED": str(hash_seed)}
    return kept | dict.fromkeys(names, str(threads)) | path | processor


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    """A network over the words of the English lexicon, its weights drawn at random."""
    folder = tmp_path_factory.mktemp("model")
    lexicon = (ROOT / "resources/seeds/eng.lexicon.tsv").read_text().splitlines()[1:]
    words = dict.fromkeys(word for line in lexicon for word in line.split("\t")[1:3] if word)
    vocabulary = {token: at for at, token in enumerate((*SPECIAL, *words))}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=64, **dict(zip(names, SPECIAL, strict=True))
    ).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=64, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=128, max_position_embeddings=64,
    )  # fmt: skip
    network = BertForMaskedLM(config)
    draw = np.random.default_rng(1)
    with torch.no_grad():
        for weights in network.parameters():
            weights.copy_(torch.from_numpy(draw.random(weights.shape) - 0.5))
    network.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def build(tmp_path_factory, model, dictionary) -> Callable[..., dict[str, str]]:
    """Build all datasets in an environment; give the digest of each file."""

    def run(*given) -> dict[str, str]:
        out = tmp_path_factory.mktemp("datasets")
        # NumPy warns of instructions that the processor lacks anyway
        subprocess.run(
            [sys.executable, "-W", "ignore", BUILD, dictionary, model, out],
            env=environment(*given), check=True,
        )  # fmt: skip
        return {
            str(path.relative_to(out)): sha256(path.read_bytes()).hexdigest()
            for path in sorted(out.rglob("*"))
            if path.is_file()
        }

    return run


@pytest.fixture(scope="module")
def plain(build) -> dict[str, str]:
    return build(1, 1, {})


@pytest.mark.parametrize(
    ("threads", "hash_seed", "processor"), [(2, 2, OLD), (2, 3, NEWER)], ids=["old", "newer"]
)
def test_datasets_have_the_same_bytes_on_any_processor(build, plain, threads, hash_seed, processor):
    assert len(plain) > 100
    found = build(threads, hash_seed, processor)
    assert [name for name in plain if found.get(name) != plain[name]] == []
    assert found.keys() == plain.keys()
