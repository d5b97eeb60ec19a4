"""What a GPU reaches, in ten minutes once Kasu is installed: scoring, training, encoding, stacks.

    python bench gpu                one GPU
    python bench gpu --scale 0.01   a trial at a hundredth of the sizes, on any machine

Goals: half of the rate of products for 12 layers scored in bfloat16, and for their pretraining;
stacked members at least 1.5 times as fast as one after another.
"""

import math
import shutil
import tempfile
import time
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import torch
from demo import run_demo
from gpu_device import expect_gpu, take_device
from gpu_scoring import SIZES, Size, draw_sentences, make_model, read_words, score_rows
from measuring import Part, row
from members import read_data, train
from pretraining import write_stream
from pretraining_gpu import compare
from products import count_operations, product_rate, seconds_of, share_row

from kasu.base.errors import KasuError
from kasu.lm.models.encoder import Encoder
from kasu.neural.device import make_deterministic
from kasu.transduction.members.families import Stack

# GB that must be free: the network, its copy in bfloat16, and what it computes at once
ROOM = dict(zip(SIZES, (8, 16, 8, 16), strict=True))
PRETRAINING_ROOM, SMALL_ROOM = 32, 4
PRETRAINED = 12, 768  # layers, width
ENCODER = Size("pll_original", 12, 768, 119_547)  # as multilingual BERT
ENCODED, TOKENS, PADDED = 20_000, 4096, 64  # sentences; tokens a batch; sentences of the peer's
STACKED = {"iitbhu": 10, "kucst": 1, "iit_varanasi": 10}  # families, and epochs
MEMBERS, TRIPLES = 5, 100
TRIAL = 0.1  # the least share of sentences, so that fixed costs do not count
# Of the demo: jobs that share the GPU, seconds at most, studies without Apertium and of a trial
JOBS, DEMO_SECONDS = 10, 180
WITHOUT_APERTIUM = ("inflection", "cloze", "minimal_sets", "blm", "report")
TRIED = ("minimal_sets",)


def parts(mirror: Path | None, scale: float) -> dict[str, Part]:
    """A part for each row or two, the longest last.

    Raises:
        KasuError: there is no GPU, and `scale` asks for one.
    """
    if scale == 1:
        expect_gpu()
    scoring = {name: partial(scored, name, scale) for name in SIZES}
    stacks = {f"stack of {name}": partial(stacked, name, scale) for name in STACKED}
    return {
        **scoring, "pretraining": partial(pretrained, scale), "encoding": partial(encoded, scale),
        **stacks, "demo": partial(demo, scale),
    }  # fmt: skip


def scored(name: str, scale: float, _: object) -> list[dict[str, object]]:
    """Sentences scored a second with one network."""
    return score_rows(name, take_device(scale, ROOM[name]), scale)


def pretrained(scale: float, _: object) -> list[dict[str, object]]:
    """Pretraining of 12 layers by the recipe `paper`."""
    device = take_device(scale, PRETRAINING_ROOM)
    make_deterministic(threads=1)
    layers, width = PRETRAINED
    if scale < 1:
        width = Size("", layers, width, 0).times(scale).width
    rate = product_rate(torch.bfloat16, device=device.type)
    with tempfile.TemporaryDirectory() as name:
        write_stream(Path(name) / "tokens.npy")
        return compare(Path(name), layers, width, rate, device, scale)


def encoded(scale: float, _: object) -> list[dict[str, object]]:
    """Sentences encoded a second for BLM, against a plain loop over padded batches."""
    device = take_device(scale, SMALL_ROOM)
    make_deterministic(threads=1)
    clock = seconds_of(device.type)
    with tempfile.TemporaryDirectory() as name:
        words = read_words(Path(name))
        make_model(Path(name) / "encoder", ENCODER if scale == 1 else ENCODER.times(scale), words)
        encoder = Encoder(Path(name) / "encoder", device)
        sentences = draw_sentences(words, int(ENCODED * max(scale, TRIAL)))
        encode = partial(encoder.encode, sentences, TOKENS)
        operations = count_operations(encode)  # also the warm-up
        encode_plainly(encoder, sentences[:PADDED])
        rate = product_rate(device=device.type)
        began = clock()
        vectors = encode()
        mine, began = clock() - began, clock()
        expected = encode_plainly(encoder, sentences)
        theirs = clock() - began
    apart = abs(torch.from_numpy(vectors) - expected).max().item()
    if apart > 1e-3:
        raise KasuError("encoding", f"vectors {apart:.2g} apart from the peer's", "under 0.001")
    item = f"BLM encoding, {ENCODER.layers} layers, {TOKENS} tokens a batch"
    peer = f"transformers, padded batches of {PADDED}, {len(sentences) / theirs:.1f}"
    return [
        row(item, len(sentences) / mine, "sentences/s", peer, theirs / mine),
        share_row(item, operations, mine, rate, device.type),
    ]


@torch.inference_mode()
def encode_plainly(encoder: Encoder, sentences: Sequence[str]) -> torch.Tensor:
    """The vectors of sentences in their order, in padded batches."""
    found = []
    for start in range(0, len(sentences), PADDED):
        batch = encoder.tokenizer(
            list(sentences[start : start + PADDED]), padding=True, return_tensors="pt"
        ).to(encoder.device)
        found.append(encoder.network(**batch).last_hidden_state[:, 0].cpu())
    return torch.cat(found)


def stacked(family: str, scale: float, _: object) -> list[dict[str, object]]:
    """Members of a family in one pass, against one after another."""
    device = take_device(scale, SMALL_ROOM).type
    data = read_data(None)
    data = data._replace(train=data.train[: max(10, int(TRIPLES * scale))])
    epochs = max(1, int(STACKED[family] * scale))

    def elapsed(seeds: Iterable[int], stack: Stack, epochs: int) -> float:
        began = time.monotonic()
        train(family, data, list(seeds), 1, epochs, device, stack)
        return time.monotonic() - began

    ways: tuple[Stack, Stack] = "always", "never"
    for stack in ways:
        elapsed((1, 2), stack, 1)  # the first pass starts CUDA and chooses its kernels
    seeds = range(1, MEMBERS + 1)
    mine, theirs = (elapsed(seeds, stack, epochs) for stack in ("always", "never"))
    item = f"{family}, {MEMBERS} members in one pass, {epochs} epochs of {len(data.train)} items"
    peer = f"one after another, {3600 * MEMBERS / theirs:.0f}"
    return [row(item, 3600 * MEMBERS / mine, "members/h", peer, theirs / mine)]


def demo(scale: float, _: object) -> list[dict[str, object]]:
    """The demo on the GPU, many jobs at once; of a trial, one study of it."""
    device = take_device(scale, SMALL_ROOM).type
    targets: Sequence[str] = ()
    if scale < 1:
        targets = TRIED
    elif not shutil.which("lt-proc"):
        targets = WITHOUT_APERTIUM
    options = ["--config", f"device={device}", "--resources", f"gpu={JOBS}", "downloads=1"]
    run = run_demo([*targets, *options], DEMO_SECONDS if scale == 1 else math.inf)
    item = f"the demo with device={device}, {' '.join(targets) or 'all of it'}"
    return [row(item, run.wall, "s", f"its jobs, {run.jobs:.0f} CPU-s")]
