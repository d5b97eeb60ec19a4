"""Benchmarks drawn with seeds, in which nothing gives the right option away."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Rows = list[dict[str, Any]]
LETTERS = "abdeghiklmnoprstu"


def words(draw: random.Random, count: int) -> list[str]:
    """Distinct nonce words of 3 to 8 letters."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(draw.choices(LETTERS, k=draw.randint(3, 8)))] = None
    return [*found]


def sentence(draw: random.Random, lexicon: Sequence[str], count: int = 7) -> list[str]:
    return draw.sample(lexicon, count)


def clean_pairs(seed: int, count: int = 200) -> Rows:
    """The halves differ in one word, drawn alike for both."""
    draw = random.Random(seed)
    lexicon = words(draw, 300)
    rows = []
    for number in range(count):
        good = sentence(draw, lexicon)
        bad = [*good]
        bad[draw.randrange(7)] = draw.choice([word for word in lexicon if word not in good])
        rows.append(
            {"sentence_good": " ".join(good), "sentence_bad": " ".join(bad),
             "phenomenon": f"p{number % 2}"}
        )  # fmt: skip
    return rows


def clean_sets(seed: int, count: int = 200) -> Rows:
    """Three forms, each right in a random third."""
    draw = random.Random(seed)
    lexicon = words(draw, 300)
    rows = []
    for _ in range(count):
        frame = sentence(draw, lexicon)
        frame[draw.randrange(7)] = "[MASK]"
        forms = draw.sample([word for word in lexicon if word not in frame], 3)
        rows.append(
            {"masked": " ".join(frame) + ".", "grammatical": draw.choice("abc")}
            | {f"form_{name}": form for name, form in zip("abc", forms, strict=True)}
        )
    return rows


def clean_choices(seed: int, count: int = 200) -> Rows:
    """Four candidates after three sentences, all drawn alike."""
    draw = random.Random(seed)
    lexicon = words(draw, 300)
    return [
        {
            "context": [" ".join(sentence(draw, lexicon)) + "." for _ in range(3)],
            "candidates": [" ".join(sentence(draw, lexicon)) + "." for _ in range(4)],
            "label": draw.randrange(4),
        }
        for _ in range(count)
    ]


@pytest.fixture
def clean() -> dict[str, Callable[..., Rows]]:
    """What draws clean benchmarks of each form, from a seed and a number of items."""
    return {"pairs": clean_pairs, "sets": clean_sets, "choices": clean_choices}


@pytest.fixture
def benchmark(tmp_path) -> Callable[[Rows], Path]:
    """Write rows as JSON lines."""

    def write(rows: Rows, name: str = "items.jsonl") -> Path:
        path = tmp_path / name
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        path.write_text("".join(lines), encoding="utf-8")
        return path

    return write
