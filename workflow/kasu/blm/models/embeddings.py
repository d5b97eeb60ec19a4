"""A vector for each distinct sentence of the problems (An et al. 2023 §3.1; BLM-10)."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.base.errors import KasuError
from kasu.blm.data.names import CUT, SENTENCES, STATE_FEATURES, UNKNOWN, VECTORS
from kasu.blm.models.state_features import Encode, open_states
from kasu.files.locks import held
from kasu.files.seals import folder_hash
from kasu.files.tables import ParquetWriter, landing, read_parquet, write_counts
from kasu.job.run import Progress, log

PART = 8192  # sentences per cached part; a killed run resumes after the last complete one
_FACTS = b"kasu"
_CountGaps = Callable[[Sequence[str]], dict[str, int]]


def embed_problems(
    problems: Sequence[str | Path],
    embeddings: str | Path,
    counts: str | Path,
    cache: str | Path,
    *,
    encoder: str | Path,
    settings: Mapping,
    device: str,
    code: str,
) -> None:
    """Encode the distinct sentences of all problems, taking known vectors from `cache`.

    Args:
        problems: PROBLEMS files of any types.
        embeddings: parquet, one row per distinct sentence in order: `sentence`, `vector` (float32).
        counts: TSV: problems, sentences in them, distinct sentences, and distinct vectors of these;
            of a model also the distinct sentences with unknown text, and those that are cut.
        cache: a folder for this encoder, not an output of the job. It holds the parts of an
            unfinished run, or the last finished file (a hard link, which takes no extra space).
            One process at a time uses it.
        encoder: the folder of a model, or STATE_FEATURES for `models.state_features`.
        settings: layer, pooling, tokens_per_batch, threads; not used with STATE_FEATURES.
        code: hash of the code; with model and settings it decides what may be taken from `cache`.

    Raises:
        KasuError: there are no problems, the model cannot be loaded, or a sentence occurs with two
            states.
    """
    facts: dict[str, object]
    open_encoder: Callable[[], tuple[Encode, int, _CountGaps]]
    if str(encoder) == STATE_FEATURES:
        states, steps = _read(problems, with_states=True)
        # A sentence may have another state than when it was cached
        spelled = json.dumps(states, sort_keys=True).encode()
        facts = {"encoder": STATE_FEATURES, "states": hashlib.sha256(spelled).hexdigest()}
        open_encoder = lambda: (*open_states(states), lambda sentences: {})  # noqa: E731
    else:
        states, steps = _read(problems, with_states=False)
        facts = {"encoder": folder_hash(encoder), **settings, **_runs_on(device)}
        open_encoder = lambda: _network(encoder, settings, device)  # noqa: E731
    sentences = sorted(states)
    with held(cache):
        cached = _Cache(cache, facts | {"code": code})
        encode, width, count_gaps = open_encoder()
        vectors = cached.complete(sentences, encode, width)
        _write(embeddings, sentences, vectors, cached.facts)
        cached.keep(embeddings)
    # Of all sentences, encoded now or before
    write_counts(counts, steps | {VECTORS: _count_distinct(vectors)} | count_gaps(sentences))


def _read(paths: Sequence[str | Path], with_states: bool) -> tuple[dict[str, str], dict[str, int]]:
    """Read the distinct sentences, each with its state (empty if not wanted), and count them."""
    states: dict[str, str] = {}
    steps = {"problems": 0, "sentences": 0}
    for path in paths:
        for part, kind in (("context", "context_states"), ("candidates", "candidate_states")):
            table = read_parquet(path, [part, kind] if with_states else [part])
            lists = {name: pc.list_flatten(table[name]) for name in table.column_names}
            distinct = pa.table(lists).group_by(list(lists), use_threads=False).aggregate([])
            for row in distinct.to_pylist():
                text, state = row[part], row.get(kind, "")
                if states.setdefault(text, state) != state:
                    found = f"{text!r} is {states[text]} and {state}"
                    raise KasuError(path, found, "one state for each sentence")
            steps["sentences"] += len(lists[part])
        steps["problems"] += table.num_rows
    if not states:
        raise KasuError(", ".join(map(str, paths)) or "embeddings", "no problem", "one or more")
    return states, steps | {SENTENCES: len(states)}


def _runs_on(device: str) -> dict[str, object]:
    """Return what vectors depend on besides model and settings: device and library versions."""
    # Imported here, since state features need no torch
    import tokenizers
    import torch
    import transformers

    from kasu.neural.device import pick_device

    versions = [torch.__version__, transformers.__version__, tokenizers.__version__]
    return {"device": pick_device(device).type, "versions": versions}


def _count_distinct(vectors: pa.FixedSizeListArray) -> int:
    rows = vectors.flatten().to_numpy().reshape(len(vectors), -1)
    return len({hashlib.blake2b(row.tobytes(), digest_size=16).digest() for row in rows})


def _network(folder: str | Path, settings: Mapping, device: str) -> tuple[Encode, int, _CountGaps]:
    """Return an encoder, the length of its vectors, and what counts sentences that it misreads."""
    from kasu.lm.models.encoder import Encoder
    from kasu.neural.device import make_deterministic, pick_device

    make_deterministic(settings["threads"])
    encoder = Encoder(folder, pick_device(device), settings["layer"], settings["pooling"])

    def encode(sentences: Sequence[str], after: Callable[[int], None]) -> np.ndarray:
        return encoder.encode(sentences, settings["tokens_per_batch"], after)

    def count_gaps(sentences: Sequence[str]) -> dict[str, int]:
        parts = (sentences[start : start + PART] for start in range(0, len(sentences), PART))
        unknown, cut = np.sum([encoder.count_gaps(part) for part in parts], axis=0).tolist()
        if cut:
            log.warning("%d of %d sentences are cut: the encoder reads %d tokens",
                        cut, len(sentences), encoder.longest)  # fmt: skip
        return {UNKNOWN: unknown, CUT: cut}

    return encode, encoder.dimensions, count_gaps


class _Cache:
    """The vectors that this run and earlier ones computed from the same facts."""

    def __init__(self, folder: str | Path, facts: Mapping[str, object]) -> None:
        self.facts = json.dumps(facts, sort_keys=True)
        self.folder = Path(folder)
        self.name = hashlib.sha256(self.facts.encode()).hexdigest()[:16]
        self.folder.mkdir(parents=True, exist_ok=True)

    def complete(
        self, sentences: Sequence[str], encode: Encode, width: int
    ) -> pa.FixedSizeListArray:
        """Return the vectors of `sentences` in order, encoding those that are not cached."""
        parts = self._load()
        missing = sorted(set(sentences).difference(*(p["sentence"].to_pylist() for p in parts)))
        log.info("%d distinct sentences, %d of them encoded before",
                 len(sentences), len(sentences) - len(missing))  # fmt: skip
        if missing:
            progress = Progress("encoding", len(missing), "sentences")
            # Save part by part: a run that is killed loses at most the part that it is at
            for start in range(0, len(missing), PART):
                texts = missing[start : start + PART]
                table = _table(texts, _vectors(encode(texts, progress.add), width))
                self._save(table)
                parts.append(table)
        whole = pa.concat_tables(parts)
        rows = pc.index_in(pa.array(sentences), whole["sentence"].combine_chunks())
        return whole["vector"].combine_chunks().take(rows)

    def keep(self, embeddings: str | Path) -> None:
        """Replace the parts by the finished file; delete the files made from other facts."""
        whole = self.folder / f"{self.name}.parquet"
        with landing(whole) as part:
            part.unlink()
            try:
                os.link(embeddings, part)
            except OSError:  # another file system
                shutil.copyfile(embeddings, part)
        for path in self.folder.glob("*.parquet"):
            if path != whole:
                path.unlink()

    def _load(self) -> list[pa.Table]:
        tables = []
        for path in sorted(self.folder.glob(f"{self.name}*.parquet")):
            with suppress(KasuError):  # damaged: its sentences are encoded again
                table = read_parquet(path)
                if (table.schema.metadata or {}).get(_FACTS) == self.facts.encode():
                    tables.append(table.replace_schema_metadata())
        return tables

    def _save(self, table: pa.Table) -> None:
        number = len(list(self.folder.glob(f"{self.name}-*.parquet")))
        _write(
            self.folder / f"{self.name}-{number:04}.parquet",
            table["sentence"].to_pylist(), table["vector"].combine_chunks(), self.facts,
        )  # fmt: skip


def _vectors(matrix: np.ndarray, width: int) -> pa.FixedSizeListArray:
    flat = pa.array(np.ascontiguousarray(matrix, np.float32).ravel())
    return pa.FixedSizeListArray.from_arrays(flat, width)


def _schema(width: int, facts: str) -> pa.Schema:
    fields = [("sentence", pa.string()), ("vector", pa.list_(pa.float32(), width))]
    return pa.schema(fields, {_FACTS: facts})


def _table(sentences: Sequence[str], vectors: pa.FixedSizeListArray) -> pa.Table:
    schema = _schema(vectors.type.list_size, "").remove_metadata()
    return pa.table([pa.array(sentences), vectors.cast(schema.field("vector").type)], schema)


def _write(
    path: str | Path, sentences: Sequence[str], vectors: pa.FixedSizeListArray, facts: str
) -> None:
    """Write sentences, vectors and, in the file's metadata, the facts they were made from."""
    schema = _schema(vectors.type.list_size, facts)
    with landing(path) as part, ParquetWriter(part, schema) as writer:
        for start in range(0, len(sentences), PART):
            rows = slice(start, start + PART)
            writer.write(
                _table(sentences[rows], vectors[rows]).replace_schema_metadata(schema.metadata)
            )
