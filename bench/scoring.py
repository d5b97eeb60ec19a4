"""Pseudo-log-likelihoods, against minicons on the same models and sentences, in turns.

minicons needs an older transformers, so it has an environment of its own, made on the first run
with the torch of this one. Both use one thread; the peer uses the best of several batch sizes. The
models are small random BERTs, and a trained one if KASU_SCORING_MODEL names its folder. The
sentences are those of UD Basque (dev, 5 to 25 words), or the demo's without a mirror.

Two minutes on a quiet core, after the environment is made.
"""

import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from analysis import read_texts
from environments import ask
from measuring import row
from products import count_operations, product_rate, seconds_of, share_row
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from kasu.lm import MASKED
from kasu.lm.models.language_model import LanguageModel, load_model
from kasu.lm.pretraining.tokenizer import train_tokenizer
from kasu.lm.scoring.entries import encode_items
from kasu.lm.scoring.items import ItemText
from kasu.lm.scoring.score import score_rows
from kasu.neural.device import make_deterministic

TRAINED = "KASU_SCORING_MODEL"
MINICONS = ("minicons==0.3.39", "transformers==4.57.6", f"torch=={torch.__version__.split('+')[0]}")
TREEBANK = ("ud/UD_Basque-BDT/eu_bdt-ud-dev.conllu", "ud/UD_Basque-BDT/eu_bdt-ud-test.conllu")
TEXT_LINE = "# text = "
METRICS = {"pll_original": "original", "pll_within_word_l2r": "within_word_l2r"}
SIZES = {4: (256, 4, 1024, 100), 12: (768, 12, 3072, 10)}  # width, heads, inner; sentences
BATCHES = (1, 4, 10, 64)
SHARE = 3  # one in three sentences serves to find the peer's best batch size
TURNS = 2
TOKENS_PER_BATCH = 2048
VOCABULARY = 5_000
EQUAL = 1e-4
MISSING = "minicons: not installed"


def read_sentences(mirror: Path | None, folder: Path) -> list[str]:
    """The sentences of dev, then of test; the demo's without a mirror."""
    if mirror is None:
        return list(dict.fromkeys(read_texts(None, folder)))
    return [
        line.removeprefix(TEXT_LINE).strip()
        for path in TREEBANK
        for line in (mirror / path).read_text("utf-8").splitlines()
        if line.startswith(TEXT_LINE)
    ]


def make_model(folder: Path, tokenizer: PreTrainedTokenizerFast, layers: int) -> LanguageModel:
    """A random BERT, saved for the peer to load."""
    width, heads, inner, _ = SIZES[layers]
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=layers,
        num_attention_heads=heads, intermediate_size=inner,
    )  # fmt: skip
    BertForMaskedLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return load_model(folder, MASKED, device=torch.device("cpu"))


def ours(
    model: LanguageModel, sentences: list[str], definition: str, tokens: int = TOKENS_PER_BATCH
) -> tuple[float, list[float]]:
    """Seconds, on a CPU those of the CPU, and scores."""
    items = [ItemText(str(number), "sentence", text) for number, text in enumerate(sentences)]
    clock = seconds_of(model.device.type)
    began = clock()
    entries = encode_items(model, items, definition, "error", Counter())
    found = score_rows(model, entries, definition, tokens)
    return clock() - began, [each["log_probability"] for each in found]


def minicons(
    model: LanguageModel,
    sentences: list[str],
    definition: str,
    batches: Sequence[int] = BATCHES,
    limit: float | None = None,
) -> dict[str, Any] | None:
    """Sentences a second and scores of minicons at its best batch; None where it is missing.

    Args:
        limit: seconds after which it scores no further batch.
    """
    given = {
        "folder": model.name, "sentences": sentences, "metric": METRICS.get(definition),
        "batches": batches, "part": len(sentences) // SHARE, "device": model.device.type,
        "dtype": model.dtype, "limit": limit,
    }  # fmt: skip
    return ask("minicons_scores.py", given, *MINICONS)


def compare(
    model: LanguageModel, sentences: list[str], definition: str, what: str
) -> list[dict[str, object]]:
    """Sentences per CPU second of both, the largest difference between their scores, our share.

    Raises:
        AssertionError: their scores differ.
    """
    item, unit = f"{definition}, {what}", "sentences/CPU-s"
    # The count is also the warm-up
    operations = count_operations(lambda: ours(model, sentences, definition))
    rate = product_rate()
    seconds, scores = ours(model, sentences, definition)
    share = share_row(item, operations, seconds, max(rate, product_rate()))
    if (answer := minicons(model, sentences, definition)) is None:
        return [row(item, len(sentences) / seconds, unit, MISSING), share]
    speed, expected = answer["speed"], answer["scores"]
    seconds = (seconds + ours(model, sentences, definition)[0]) / 2  # before and after the peer
    apart = max(abs(one - other) for one, other in zip(scores, expected, strict=True))
    assert apart < EQUAL, f"{item}: {apart} apart"
    against = f"minicons, batch {answer['batch']}, {speed:.1f}"
    mine = len(sentences) / seconds
    return [
        row(item, mine, unit, against, mine / speed),
        row(f"{item}: furthest apart", apart * 1e6, "1e-6 nat", f"minicons, {len(sentences)}"),
        share,
    ]


def narrow(folder: Path, model: LanguageModel, sentences: list[str], what: str) -> dict:
    """Sentences per CPU second in bfloat16, against float32, in turns."""
    definition = next(iter(METRICS))
    models = [load_model(folder, MASKED, device=model.device, dtype="bfloat16"), model]
    for each in models:
        ours(each, sentences[:4], definition)
    seconds = np.array(
        [[ours(each, sentences, definition)[0] for each in models] for _ in range(TURNS)]
    ).sum(0)
    mine, peers = (TURNS * len(sentences) / seconds).tolist()
    return row(
        f"{definition}, {what}, bfloat16", mine, "sentences/CPU-s", f"float32, {peers:.1f}",
        mine / peers,
    )  # fmt: skip


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Figures for both pseudo-log-likelihoods, for the larger model only for the original one.

    bfloat16 is faster on processors with AMX, and on AMD's with AVX512-BF16. On such an AMD its
    products are 2.1 times as fast, and attention is not: with 4 layers, where products take 81 % of
    the time in float32, it cannot be more than 1.7 times as fast.
    """
    make_deterministic(threads=1)
    found = []
    with tempfile.TemporaryDirectory() as name:
        texts = read_sentences(mirror, Path(name))
        tokenizer = train_tokenizer(texts, VOCABULARY, length=512)
        some = [text for text in texts if 5 <= len(text.split()) <= 25]
        for layers, (*_, sentences) in SIZES.items():
            model = make_model(Path(name) / f"{layers}", tokenizer, layers)
            for definition in METRICS if layers == min(SIZES) else list(METRICS)[:1]:
                what = f"BERT of {layers} layers"
                found += compare(model, some[:sentences], definition, what)
            found.append(narrow(Path(model.name), model, some[:sentences], what))
        if folder := os.environ.get(TRAINED):
            model = load_model(Path(folder), MASKED, device=torch.device("cpu"))
            for definition in METRICS:
                few = some[: SIZES[min(SIZES)][-1]]
                found += compare(model, few, definition, "trained BERT")
    return found
