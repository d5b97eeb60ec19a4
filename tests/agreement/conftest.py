"""A small invented language whose suffixes show every label, and a small model for it."""

import random
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from kasu.files.tables import read_parquet, write_parquet

NOUNS = ["gizon", "liburu", "etxe", "mutil", "neska", "zaldi", "mendi", "ibai", "lagun", "otso"]
ADVERBS = ["gaur", "atzo", "beti", "hemen"]
VERBS = {"da": "-a", "dira": "-ak", "dute": "-ek", "zaio": "-ari", "zaie": "-ei"}
SUFFIXES = {
    "ergative": {"none": None, "singular": "ak", "plural": "ek"},
    "absolutive": {"singular": "a", "plural": "oak"},
    "dative": {"none": None, "singular": "ari", "plural": "ei"},
}


def sentence(draw: random.Random, number: int) -> dict[str, object]:
    labels = {slot: draw.choice(list(suffixes)) for slot, suffixes in SUFFIXES.items()}
    words = [(adverb, adverb) for adverb in draw.sample(ADVERBS, draw.randint(0, 2))]
    for slot, label in labels.items():
        if suffix := SUFFIXES[slot][label]:
            noun = draw.choice(NOUNS)
            words.append((noun + suffix, noun))
    draw.shuffle(words)
    target = draw.randint(0, len(words))
    words.insert(target, (draw.choice(["du", "ditu", "dio"]), "ukan"))
    tokens, lemmas = map(list, zip(*words, strict=True))
    row = {"item_id": f"s{number}", "sentence_id": f"s{number}", "cluster": f"c{number // 3}"}
    return {**row, "tokens": tokens, "lemmas": lemmas, "target": target, **labels}


def _unmarked(tokens: list[str]) -> dict[str, list]:
    """Units without a suffix, none of them a finite verb."""
    nothing = ["none"] * len(tokens)
    return {"stems": tokens, "suffixes": nothing, "finite": [False] * len(tokens)}


@pytest.fixture(scope="session")
def write_dataset() -> Callable:
    """Write sentences (mappings as `sentence` returns) as a dataset, once per variant."""
    columns = ["item_id", "sentence_id", "cluster", "variant", *SUFFIXES]
    schema = pa.schema(
        [
            *((name, pa.string()) for name in columns),
            *((name, pa.list_(pa.string())) for name in ("tokens", "lemmas", "stems", "suffixes")),
            ("finite", pa.list_(pa.bool_())),
            ("target", pa.int32()),
        ]
    )

    def write(path: Path, sentences: list[dict], variants=("paper", "released")) -> Path:
        rows = [
            {**_unmarked(row["tokens"]), **row, "variant": variant}
            for row in sentences
            for variant in variants
        ]
        write_parquet(path, rows, schema)
        return path

    return write


@pytest.fixture(scope="session")
def write_subjects(write_dataset) -> Callable:
    """Write sentences as a dataset of one argument, the subject: the absolutive of `sentence`."""

    def write(path: Path, sentences: list[dict]) -> Path:
        table = read_parquet(write_dataset(path, sentences, ["paper"]))
        table = table.append_column("subject", table["absolutive"]).drop_columns([*SUFFIXES])
        write_parquet(path, table, table.schema)
        return path

    return write


@pytest.fixture(scope="session")
def draw_sentences() -> Callable:
    """Draw random sentences of the invented language."""

    def draw(count: int, seed: int) -> list[dict[str, object]]:
        return [sentence(random.Random(f"{seed} {number}"), number) for number in range(count)]

    return draw


def suffix_sentence(draw: random.Random, number: int) -> dict[str, object]:
    """The verb tells the suffix of the noun; the adverbs have none."""
    noun, verb = draw.choice(NOUNS), draw.choice(list(VERBS))
    adverbs = draw.sample(ADVERBS, 2)
    stems, suffixes = [*adverbs, noun, verb], ["none", "none", VERBS[verb], "none"]
    tokens = [*adverbs, noun + VERBS[verb].strip("-"), verb]
    row = {"item_id": f"s{number}", "sentence_id": f"s{number}", "cluster": f"c{number // 3}"}
    labels = {"ergative": "none", "absolutive": "singular", "dative": "none"}
    return {
        **row, **labels, "tokens": tokens, "stems": stems, "suffixes": suffixes, "lemmas": stems,
        "finite": [False, False, False, True], "target": 3,
    }  # fmt: skip


@pytest.fixture(scope="session")
def draw_suffixes() -> Callable:
    """Draw random sentences in which the verb decides on the suffix of the noun."""

    def draw(count: int, seed: int) -> list[dict[str, object]]:
        return [
            suffix_sentence(random.Random(f"{seed} {number}"), number) for number in range(count)
        ]

    return draw


@pytest.fixture(scope="session")
def datasets(tmp_path_factory, write_dataset, draw_sentences) -> Path:
    """A folder with train, validation and test splits."""
    folder = tmp_path_factory.mktemp("datasets")
    for seed, (name, count) in enumerate({"train": 300, "validation": 60, "test": 60}.items()):
        write_dataset(folder / f"{name}.parquet", draw_sentences(count, seed))
    return folder


@pytest.fixture
def settings() -> dict[str, object]:
    return {
        "embedding": 12,
        "hidden": 12,
        "mlp": 8,
        "vocabulary": 200,
        "ngram_lengths": [1, 5],
        "boundary_markers": False,
        "activation": "tanh",
        "dropout": 0.0,
        "batch_size": 16,
        "epochs": 8,
        "patience": 2,
        "learning_rate": 0.01,
        "threads": 1,
        "condition": "base",
        "checkpoint_every": 600,
    }
