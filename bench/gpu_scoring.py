"""Sentences scored a second on a GPU, against minicons and against the products of that GPU.

The networks have the sizes of published models and random weights; the sentences are random words,
all different. Both programs compute in bfloat16, each at its best batch: ours at the best of
TOKENS, minicons at the best of BATCHES.
"""

import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from analysis import read_texts
from measuring import row
from products import count_operations, product_rate, share_row
from scoring import MISSING, minicons, ours
from tokenizers.processors import TemplateProcessing
from transformers import (
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
)

from kasu.base.errors import KasuError
from kasu.job.run import seed_of
from kasu.lm.models.definitions import DEFINITIONS
from kasu.lm.models.language_model import LanguageModel, load_model
from kasu.lm.pretraining.tokenizer import train_tokenizer
from kasu.neural.device import make_deterministic

HEAD = 64  # the width of an attention head
TOKENS = (2048, 16_384, 65_536)  # per batch
BATCHES = (4, 16, 64, 256)  # sentences
SECONDS = 4  # that each program scores, about
LEAST = 1  # seconds
PROBE = {"cpu": 96, "cuda": 400}  # sentences
LENGTHS = (5, 25)  # words of a sentence
APART = 0.02  # of a score, the furthest in bfloat16


class Size(NamedTuple):
    """A network: its definition of a score, and its sizes."""

    definition: str
    layers: int
    width: int
    vocabulary: int

    def times(self, scale: float) -> "Size":
        """The size whose matrices have a share `scale` of the weights."""
        width = max(HEAD, round(self.width * scale**0.5 / HEAD) * HEAD)
        return self._replace(width=width, vocabulary=int(self.vocabulary * scale))


SIZES = {
    "BERT of 12 layers": Size("pll_original", 12, 768, 50_000),
    "XLM-R, 24 layers": Size("pll_original", 24, 1024, 250_002),
    "GPT-2, 12 layers": Size("causal", 12, 768, 50_257),
    "causal network of 1 billion weights": Size("causal", 18, 2048, 50_257),
}


def read_words(folder: Path) -> list[str]:
    """The words of the demo; `folder` is for files on the way."""
    return sorted({word for text in read_texts(None, folder) for word in text.split()})


def draw_sentences(words: Sequence[str], count: int) -> list[str]:
    """Sentences of random words."""
    draw = np.random.default_rng(seed_of("bench gpu"))
    lengths = draw.integers(LENGTHS[0], LENGTHS[1] + 1, count)
    return [" ".join(draw.choice(words, length)) for length in lengths]


def make_model(folder: Path, size: Size, words: Sequence[str]) -> None:
    """Save a random network and its tokenizer, for both programs to load."""
    tokenizer = train_tokenizer(words, min(5_000, size.vocabulary), length=512)
    torch.manual_seed(0)
    heads = size.width // HEAD
    if size.definition != "causal":
        config = BertConfig(
            vocab_size=size.vocabulary, hidden_size=size.width, num_hidden_layers=size.layers,
            num_attention_heads=heads, intermediate_size=4 * size.width,
        )  # fmt: skip
        BertForMaskedLM(config).save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        return
    config = GPT2Config(
        vocab_size=size.vocabulary, n_embd=size.width, n_layer=size.layers, n_head=heads,
        bos_token_id=tokenizer.cls_token_id, eos_token_id=None,
    )  # fmt: skip
    GPT2LMHeadModel(config).save_pretrained(folder)
    first = tokenizer.cls_token
    backend = tokenizer.backend_tokenizer
    backend.post_processor = TemplateProcessing(
        f"{first} $A", None, [(first, tokenizer.cls_token_id)]
    )
    names = {"pad_token": tokenizer.pad_token, "unk_token": tokenizer.unk_token}
    PreTrainedTokenizerFast(
        tokenizer_object=backend, bos_token=first, model_max_length=512, **names
    ).save_pretrained(folder)


def score_rows(what: str, device: torch.device, scale: float) -> list[dict[str, object]]:
    """The rows of one network.

    Raises:
        KasuError: the scores of the two programs differ.
    """
    make_deterministic(threads=1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = read_words(folder)
        size = SIZES[what] if scale == 1 else SIZES[what].times(scale)
        make_model(folder / "model", size, words)
        kind = DEFINITIONS[size.definition].kind
        model = load_model(folder / "model", kind, device=device, dtype="bfloat16")
        return compare(model, size.definition, what, words, max(SECONDS * scale, LEAST))


def compare(
    model: LanguageModel, definition: str, what: str, words: Sequence[str], limit: float
) -> list[dict[str, object]]:
    """Sentences a second of both programs, how far apart they are, and our share of the rate."""
    device = model.device.type
    tokens, speed = best_batch(model, definition, draw_sentences(words, PROBE[device]))
    sentences = draw_sentences(words, max(PROBE[device], int(speed * limit)))
    run = partial(ours, model, sentences, definition, tokens)
    operations = count_operations(run)  # also the warm-up
    rate = product_rate(torch.bfloat16, device=device)
    seconds, scores = run()
    rate = max(rate, product_rate(torch.bfloat16, device=device))
    item = f"{definition}, {what}, bfloat16, {tokens} tokens a batch"
    mine, unit = len(sentences) / seconds, "sentences/s"
    share = share_row(item, operations, seconds, rate, device)
    if device == "cuda":
        model.network.cpu()  # room for the peer
        torch.cuda.empty_cache()
    if (answer := ask_peer(model, sentences, definition, limit)) is None:
        return [row(item, mine, unit, MISSING), share]
    pairs = zip(scores, answer["scores"], strict=False)  # the peer may have scored fewer
    apart = max(abs(one - other) / abs(other) for one, other in pairs)
    if not apart < APART:
        raise KasuError(item, f"scores {apart:.2g} apart from minicons", f"under {APART}")
    against = f"minicons, batch {answer['batch']}, {answer['speed']:.1f}"
    return [
        row(item, mine, unit, against, mine / answer["speed"]),
        row(f"{item}: furthest apart", apart, "share", f"minicons, {len(answer['scores'])}"),
        share,
    ]


def best_batch(model: LanguageModel, definition: str, sentences: list[str]) -> tuple[int, float]:
    """The best of TOKENS, and the sentences a second there; what exceeds the memory is left out."""
    speeds = {}
    for tokens in TOKENS:
        try:
            ours(model, sentences[:4], definition, tokens)
            speeds[tokens] = len(sentences) / ours(model, sentences, definition, tokens)[0]
        except torch.OutOfMemoryError:
            break
    if not speeds:
        raise KasuError(model.name, f"no memory for {TOKENS[0]} tokens", "a larger GPU")
    return max(speeds.items(), key=lambda pair: pair[1])


def ask_peer(
    model: LanguageModel, sentences: list[str], definition: str, limit: float
) -> dict[str, Any] | None:
    """What minicons answers; None where it is not installed or fails, which a line says."""
    try:
        return minicons(model, sentences, definition, BATCHES, limit)
    except KasuError as error:
        print(f"error: {error}", file=sys.stderr, flush=True)
        return None
