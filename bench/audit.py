"""`kasu audit`: 10,000 pairs alone, and beside 100 million words, with its peak memory.

The text is artificial, Zipf's over three million words. No peer gives these nulls; memory stands
beside that of a trigram with all n-grams of a twentieth of the text.
"""

import json
import multiprocessing
import os
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from measuring import peak_memory, row

from kasu.audits.audit import Beside, audit_benchmark
from kasu.audits.data.items import read_benchmark
from kasu.audits.nulls.trigram import Tokenised, Trigram

WORDS, LONGEST, LINE = 3_000_000, 100_000_000, 20
SMALL = LONGEST // 20
PAIRS = 10_000


def write_text(path: Path, count: int) -> None:
    """Write about `count` words, 20 in a line."""
    draw = np.random.default_rng(1)
    with path.open("w", encoding="utf-8") as file:
        while count > 0:
            numbers = draw.zipf(1.15, 200_000)
            numbers = numbers[numbers <= WORDS]
            words = [f"w{number:x}" for number in numbers.tolist()]
            for start in range(0, len(words) - LINE, LINE):
                file.write(" ".join(words[start : start + LINE]).capitalize() + ".\n")
            count -= len(words)


def write_pairs(path: Path, text: Path) -> None:
    """Write pairs of lines of the text, one word of the bad half drawn from another line."""
    draw = random.Random(1)
    with text.open(encoding="utf-8") as lines, path.open("w", encoding="utf-8") as file:
        for _ in range(PAIRS):
            good, other = next(lines).split(), next(lines).split()
            bad = [*good]
            bad[draw.randrange(1, LINE)] = draw.choice(other)
            pair = {"sentence_good": " ".join(good), "sentence_bad": " ".join(bad)}
            file.write(json.dumps(pair) + "\n")


def audit(pairs: Path, text: Path | None, scratch: Path) -> None:
    audit_benchmark(read_benchmark(pairs), Beside(text=text, scratch=scratch))


def measured(function: Callable[..., object], *arguments: object) -> tuple[float, float]:
    """Return the CPU seconds and the peak memory in MB of a process that runs a function."""
    before = os.times()
    process = multiprocessing.get_context("fork").Process(target=function, args=arguments)
    process.start()
    peak = peak_memory(process)
    assert process.exitcode == 0
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4]), peak


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Figures on an artificial text; the mirror is not read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs, small, large = (folder / each for each in ("pairs.jsonl", "small", "large"))
        write_text(small, SMALL)
        write_pairs(pairs, small)
        alone, little = measured(audit, pairs, None, folder / "s")
        write_text(large, LONGEST)
        beside, flat = measured(audit, pairs, large, folder / "s")
        _, whole = measured(Trigram, Tokenised(small))
    item = f"audit of {PAIRS:,} pairs"
    against = f"all trigrams of {SMALL // 10**6} million words in memory, {whole:.0f} MB"
    return [
        row(item, alone, "CPU-s", "", peak=little),
        row(f"{item} beside {LONGEST // 10**6} million words", beside, "CPU-s", against, peak=flat),
    ]
