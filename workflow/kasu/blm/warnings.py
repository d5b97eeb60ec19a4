"""Warnings of the BLM study: an encoder that misreads sentences or does not tell them apart,
problems that the oracle does not solve, networks that choose by place or null."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.blm.data.names import CUT, NULLS, ORACLE, SENTENCES, STATE_FEATURES, UNKNOWN, VECTORS
from kasu.files.tables import ParquetReader, read_counts, read_parquet
from kasu.results.warnings.signs import like, often, one_answer, unknown_text
from kasu.results.warnings.table import ResultWarning

UNSOLVED = "does not solve every problem: some sentences can be read in two ways, or in none"
_TEST = ["regime", "fold", "test", "variant"]
_RUN = [*_TEST, "train", "model", "seed"]


def find_warnings(
    files: Mapping[str, Sequence[str]], *, encodings: Sequence[str]
) -> Iterator[ResultWarning]:
    """Look at the vectors of each encoder and at the choices of the oracle and of each network.

    Args:
        files: `embeddings` and their `counts`, one file per encoding; `networks` and `heuristics`,
            their predictions.
        encodings: the name of each file of embeddings.
    """
    for encoding, path, counted in zip(
        encodings, files["embeddings"], files["counts"], strict=True
    ):
        counts = read_counts(counted)
        sentences = f"{counts[SENTENCES]:,} sentences"
        if wrong := _same_vectors(path):
            yield ResultWarning(encoding, wrong, sentences)
        # State features give a vector to each state, not to each sentence
        if encoding != STATE_FEATURES:
            for wrong, count in _misread(counts):
                yield ResultWarning(encoding, wrong, f"{count:,} of {sentences}")
    by_solver: dict[tuple, np.ndarray] = {}
    for (*test, train, model, _), rows in _read(files["heuristics"]):
        by_solver[*test, train, model] = rows["chosen"]
        missed = int((rows["chosen"] != rows["answer"]).sum())
        if model == ORACLE and missed:
            items = f"{missed:,} of {len(rows['answer']):,} problems"
            yield ResultWarning(ORACLE, UNSOLVED, _where(test, items))
    for (*test, train, model, seed), rows in _read(files["networks"]):
        found = one_answer(rows["chosen"], rows["answer"])
        # Nulls that learn nothing have no training set
        beside = (
            (null, by_solver.get((*test, of, null))) for null in NULLS for of in (train, None)
        )
        for null, choices in beside:
            if choices is not None:
                found = found or like(rows["chosen"], choices, rows["answer"], null)
        if found:
            items = f"{len(rows['chosen']):,} problems, seed {seed}"
            yield ResultWarning(model, found, _where(test, items, train))


def _misread(counts: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Tell what an encoder misses of many sentences, and of how many."""
    sentences = counts[SENTENCES]
    if wrong := unknown_text(counts[UNKNOWN], sentences, "sentences"):
        yield wrong, counts[UNKNOWN]
    if often(counts[CUT], sentences):
        yield "reads only the beginning of many sentences, which are too long for it", counts[CUT]
    shared = sentences - counts[VECTORS]
    if often(shared, sentences):
        yield "gives many sentences the vector of another", shared


def _where(test: Sequence, items: str, train: str | None = None) -> str:
    regime, fold, kind, variant = test
    kinds = f"{train} → {kind}" if train else kind
    return ", ".join(filter(None, (regime, fold and f"fold {fold}", kinds, variant, items)))


def _read(paths: Sequence[str]) -> Iterator[tuple[tuple, dict[str, np.ndarray]]]:
    """Yield the choices and answers of each run; problems come in the order of the test set."""
    for path in paths:
        table = read_parquet(path, [*_RUN, "chosen", "answer"])
        runs = table.group_by(_RUN, use_threads=False).aggregate(
            [("chosen", "list"), ("answer", "list")]
        )
        for row in runs.to_pylist():
            key = tuple(row[name] for name in _RUN)
            yield key, {name: np.array(row[f"{name}_list"]) for name in ("chosen", "answer")}


def _same_vectors(path: str) -> str | None:
    """Tell whether all sentences have the same vector, or none that is finite."""
    first: np.ndarray | None = None
    same, finite, rows = True, False, 0
    for batch in ParquetReader(path).batches(columns=["vector"]):
        column: pa.FixedSizeListArray = batch.column(0)
        vectors = pc.list_flatten(column).to_numpy().reshape(len(column), -1)
        first = vectors[0] if first is None else first
        finite = finite or bool(np.isfinite(vectors).all(axis=1).any())
        same = same and bool(np.allclose(vectors, first, rtol=1e-5, atol=1e-7))
        rows += len(vectors)
    if not finite:
        return "gives no sentence a finite vector"
    return "gives every sentence the same vector" if same and rows > 1 else None
