"""Encode the sentences of BLM problems: each distinct one once, against every occurrence.

Both ways use the same batches. Encoding everything takes long, so rates come from alternating
samples of equal size, and are applied to the counts of all three types. Reading, deduplicating and
writing are measured in full and charged to ours.
"""

import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import torch
from measuring import row
from transformers import BertConfig, BertModel

from kasu.blm.data.datasets import build_type_i, build_type_ii, build_type_iii
from kasu.blm.data.names import TYPES
from kasu.blm.generation.fills import LexiconFills
from kasu.blm.generation.substitutions import read_lexicon
from kasu.blm.models.embeddings import embed_problems
from kasu.files.tables import read_parquet, read_tsv
from kasu.job.run import seed_of
from kasu.lm.models.encoder import Encoder
from kasu.lm.pretraining.tokenizer import train_tokenizer
from kasu.neural.device import make_deterministic

SEEDS = Path(__file__).resolve().parent.parent / "resources" / "seeds"
SAMPLE, SLICES, TOKENS = 512, 3, 512
VARIANTS = ["released"], ["released", "paper"]
SETTINGS = {
    "capitals": "lower",
    "split": "random",
    "test": 0.1,
    "validation": 0.2,
    "seed": 1,
    "fill": "per_sentence",
    "candidates": "shared",
}


def make_problems(folder: Path, variants: list[str]) -> list[Path]:
    """Build the three types from the seeds that come with Kasu."""
    lexicon = read_lexicon(SEEDS / "fra.lexicon.tsv")
    files = [folder / name / "problems.parquet" for name in TYPES]
    facts: dict[str, Any] = {
        "settings": SETTINGS | {"variant": variants},
        "language": "fr",
        "sources": [],
    }
    build_type_i(SEEDS / "fra.tsv", files[0].parent, **facts)
    fills = LexiconFills(lexicon, 1)
    build_type_ii(SEEDS / "fra.tsv", files[1].parent, lexicon=lexicon, fills=fills, **facts)
    build_type_iii(files[1], files[2].parent, **facts)
    return files


def make_encoder(sentences: list[str], folder: Path) -> Encoder:
    """A random encoder, four layers 256 wide; training would not change its speed."""
    tokenizer = train_tokenizer(sentences, 2000, 64)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=256, num_hidden_layers=4, num_attention_heads=4,
        intermediate_size=1024, max_position_embeddings=64,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    return Encoder(folder, torch.device("cpu"))


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Sentences per second of CPU time, ours against encoding every occurrence.

    The problems are those of the shipped seeds, with or without a mirror.
    """
    make_deterministic(threads=1)
    return [measure(variants) for variants in VARIANTS]


def measure(variants: list[str]) -> dict[str, object]:
    """The figure for problems with the answer sets of these variants."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = make_problems(folder, variants)
        began = time.process_time()
        embed_problems(
            files, folder / "states.parquet", folder / "counts.tsv", folder / "cache",
            encoder="states", settings={}, device="cpu", code="",
        )  # fmt: skip
        besides = time.process_time() - began
        steps = {row["step"]: int(row["count"]) for row in read_tsv(folder / "counts.tsv")}
        distinct = read_parquet(folder / "states.parquet", ["sentence"])["sentence"]
        encoder = make_encoder(distinct.to_pylist()[::40], folder / "encoder")
        each = time_encoding(encoder, {"shown": read_shown(files), "distinct": distinct})
    ours = steps["sentences"] / (steps["distinct"] * each["distinct"] + besides)
    plain = 1 / each["shown"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    what = f"BLM encoding, {' and '.join(variants)} ({steps['distinct']} of {steps['sentences']})"
    peer = f"every sentence of every problem, {plain:.0f}"
    return row(what, ours, "sentences/CPU-s", peer, ours / plain, peak)


def read_shown(files: list[Path]) -> pa.ChunkedArray:
    """Every occurrence of a sentence in all problems."""
    return pa.chunked_array(
        [
            chunk
            for file in files
            for part in ("context", "candidates")
            for chunk in pc.list_flatten(read_parquet(file, [part])[part]).chunks
        ]
    )


def time_encoding(encoder: Encoder, texts: dict[str, pa.ChunkedArray]) -> dict[str, float]:
    """Seconds of CPU time per sentence of each column, from alternating samples."""
    draw = np.random.default_rng(seed_of("bench blm_encode"))
    seconds = dict.fromkeys(texts, 0.0)
    for _ in range(SLICES):
        for name, column in texts.items():
            chosen = column.take(pa.array(draw.integers(0, len(column), SAMPLE))).to_pylist()
            began = time.process_time()
            encoder.encode(chosen, TOKENS)
            seconds[name] += time.process_time() - began
    return {name: spent / (SAMPLE * SLICES) for name, spent in seconds.items()}
