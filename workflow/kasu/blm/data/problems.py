"""BLM problems as arrays and as files, with the schema that everything downstream reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.base.errors import KasuError
from kasu.blm.data.names import SPLITS
from kasu.blm.generation.grammar import CLAUSES, LABELS, SEQUENCES, STATES, VARIANTS, answer_set
from kasu.blm.generation.slots import SLOTS
from kasu.files.tables import read_parquet
from kasu.job.run import seed_of

CONTEXT, CANDIDATES = 7, len(LABELS)
SLOT_NAMES = tuple(dict.fromkeys(slot for slots in SLOTS.values() for slot in slots))

COLUMNS = {
    "problem_id": "type, clause, seed, sequence, slot and rank, variant",
    "clause": "main, completive or relative",
    "seed": "row of the seeds file, from 0; type III: the row that the right answer comes from",
    "sequence": "which of the 24 sequences, from 0",
    "context": "the seven sentences, normalised (BLM-8)",
    "context_states": "number of subject and verb, of PP1, of PP2: `sg|pl|none`",
    "context_seeds": "row of the seeds file that each context sentence comes from",
    "candidates": "the six candidate answers in the order shown",
    "candidate_states": "as context_states, then what is wrong or added: `pl|sg|none;verb=sg`",
    "labels": "True, or what is wrong with the candidate",
    "answer": "position of the right candidate",
    "variant": "released or paper: how wrong candidates are made",
    "slot": "type II, III: the word that was replaced (in III, in the sequence that was resampled)",
    "rank": "type II, III: which of the fills, from 0",
    "split": "train, validation or test",
    "same_train": "part in the regime where every type has as many problems as type I, or empty",
}
_TEXT, _TEXTS, _NUMBER = pa.string(), pa.list_(pa.string()), pa.int32()
_COLUMN_TYPES = {  # where not _TEXT
    **dict.fromkeys(("context", "context_states", "candidates", "candidate_states"), _TEXTS),
    "labels": _TEXTS,
    "context_seeds": pa.list_(_NUMBER),
    **dict.fromkeys(("seed", "sequence", "answer", "rank"), _NUMBER),
}
PROBLEMS = pa.schema([(name, _COLUMN_TYPES.get(name, _TEXT)) for name in COLUMNS])

# (clause, state of the right answer, variant) -> the form of each candidate as text, in the order
# of LABELS
_ANSWER_STATES = {
    (clause, at, variant): [str(form) for form in answer_set(state, clause, variant).values()]
    for clause in CLAUSES
    for at, state in enumerate(STATES)
    for variant in VARIANTS
}


@dataclass
class Problems:
    """All problems of a type, in generation order.

    Attributes:
        type: one of TYPES.
        clause: (problems,) positions in CLAUSES.
        seed: (problems,) the seed that the right answer comes from.
        origin: (problems,) the seed of the sequence; differs from `seed` in type III only, which
            resamples sentences.
        sequence: (problems,) rows of SEQUENCES.
        slot: (problems,) positions in SLOT_NAMES; -1: no word is replaced.
        rank: (problems,) which of the fills; -1: none.
        sentences: the distinct sentences.
        context: (problems, 7) positions in `sentences`.
        context_seeds: (problems, 7) the seed that each context sentence comes from.
        candidates: by variant, (problems, 6) positions in `sentences`, in the order of LABELS.
    """

    type: str
    clause: np.ndarray
    seed: np.ndarray
    origin: np.ndarray
    sequence: np.ndarray
    slot: np.ndarray
    rank: np.ndarray
    sentences: Sequence[str]
    context: np.ndarray
    context_seeds: np.ndarray
    candidates: Mapping[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.clause)

    @property
    def states(self) -> np.ndarray:
        """The states of the sentences of each sequence: (problems, 8) positions in STATES."""
        return SEQUENCES[self.sequence]

    def table(self, variant: str, seed: int, split: np.ndarray, same_train: np.ndarray) -> pa.Table:
        """Build the rows of one variant (PROBLEMS).

        Args:
            seed: shuffles the candidates, each problem's independently.
            split, same_train: (problems,) positions in SPLITS, -1 for none.
        """
        shown = self._order(variant, seed)
        # Candidates and their states are stored in the order of LABELS: reorder both as shown
        candidates = np.take_along_axis(self.candidates[variant], shown, axis=1)
        states_by_label = [
            _ANSWER_STATES[CLAUSES[clause], state, variant]
            for clause, state in zip(self.clause.tolist(), self.states[:, 7].tolist(), strict=True)
        ]
        candidate_states = np.take_along_axis(np.array(states_by_label), shown, axis=1)
        columns = {
            "problem_id": self._ids(variant),
            "clause": _names(CLAUSES, self.clause),
            "seed": self.seed,
            "sequence": self.sequence,
            "context": _lists(pa.array(self.sentences), self.context),
            "context_states": _lists(pa.array(map(str, STATES)), self.states[:, :CONTEXT]),
            "context_seeds": _lists(None, self.context_seeds),
            "candidates": _lists(pa.array(self.sentences), candidates),
            "candidate_states": _lists(None, candidate_states),
            "labels": _lists(pa.array(LABELS), shown),
            "answer": shown.argmin(axis=1),  # the right answer is the first of LABELS
            "variant": pa.array([variant] * len(self)),
            "slot": _names(SLOT_NAMES, self.slot),
            "rank": pa.array(self.rank, mask=self.rank < 0),
            "split": _names(SPLITS, split),
            "same_train": _names(SPLITS, same_train),
        }
        return pa.table(columns).cast(PROBLEMS)

    def _order(self, variant: str, seed: int) -> np.ndarray:
        """Draw the order in which each problem shows its labels: (problems, 6)."""
        draw = np.random.default_rng(seed_of(seed, "candidates", self.type, variant))
        return draw.permuted(np.tile(np.arange(CANDIDATES), (len(self), 1)), axis=1)

    def _ids(self, variant: str) -> list[str]:
        parts = (self.clause, self.origin, self.sequence, self.slot, self.rank)
        ids = []
        for clause, seed, sequence, slot, rank in zip(*(p.tolist() for p in parts), strict=True):
            fill = f"-{SLOT_NAMES[slot]}-{rank}" if slot >= 0 else ""
            ids.append(f"{self.type}-{CLAUSES[clause]}-{seed:02}-{sequence:02}{fill}-{variant}")
        return ids


def _names(names: Sequence[str], positions: np.ndarray) -> pa.Array:
    """Return the name at each position, null where the position is negative."""
    return pa.array(names, pa.string()).take(pa.array(positions, pa.int32(), mask=positions < 0))


def _lists(values: pa.Array | None, positions: np.ndarray) -> pa.ListArray:
    """Build one list per row: the values at these positions, or the positions themselves."""
    rows, width = positions.shape
    flat = pa.array(positions.ravel())
    offsets = pa.array(np.arange(rows + 1) * width, pa.int32())
    return pa.ListArray.from_arrays(offsets, flat if values is None else values.take(flat))


def read_variant(path: str | Path, variant: str, columns: Sequence[str] | None = None) -> pa.Table:
    """Read the rows of one variant of a problems or split file, in order.

    Args:
        columns: the columns to read; None: all.

    Raises:
        KasuError: the variant has no rows.
    """
    wanted = None if columns is None else list(columns)
    table = read_parquet(path, wanted, filters=pc.field("variant") == variant)
    if not table.num_rows:
        raise KasuError(path, f"no problem of variant {variant!r}", "one or more")
    return table


def load_problems(path: str | Path, variants: Sequence[str], type_: str) -> Problems:
    """Read a problems file as arrays.

    Raises:
        KasuError: it lacks a variant, or variants differ in more than their candidates.
    """
    tables = {variant: read_variant(path, variant).combine_chunks() for variant in variants}
    first = next(iter(tables.values()))
    # Number the distinct sentences over all columns at once: contexts (the same in every variant),
    # then the candidates of each variant
    columns = [first["context"], *(table["candidates"] for table in tables.values())]
    flat = pa.chunked_array([chunk for each in columns for chunk in pc.list_flatten(each).chunks])
    coded = flat.combine_chunks().dictionary_encode()
    positions = coded.indices.to_numpy()
    count, candidates = len(first), {}
    for at, (variant, table) in enumerate(tables.items()):
        if table["context"] != first["context"]:
            raise KasuError(path, f"other contexts for {variant}", "those of the other variants")
        begin = count * (CONTEXT + at * CANDIDATES)
        shown = positions[begin : begin + count * CANDIDATES].reshape(count, CANDIDATES)
        labels = _positions(pc.list_flatten(table["labels"]), LABELS).reshape(count, CANDIDATES)
        # From the order shown back to the order of LABELS
        candidates[variant] = np.take_along_axis(shown, labels.argsort(axis=1), axis=1)
    seed = first["seed"].to_numpy()
    return Problems(
        type=type_,
        clause=_positions(first["clause"], CLAUSES),
        seed=seed,
        origin=seed,
        sequence=first["sequence"].to_numpy(),
        slot=_positions(first["slot"], SLOT_NAMES),
        rank=pc.fill_null(first["rank"], -1).to_numpy(),
        sentences=coded.dictionary.to_pylist(),
        context=positions[: count * CONTEXT].reshape(count, CONTEXT),
        context_seeds=_numbers(first["context_seeds"], CONTEXT),
        candidates=candidates,
    )


def _positions(values: pa.ChunkedArray, names: Sequence[str]) -> np.ndarray:
    """Return the position of each value in `names`, -1 for null."""
    positions = pc.index_in(values, pa.array(names, pa.string()))
    return pc.fill_null(positions, -1).to_numpy().astype(np.int64)


def _numbers(lists: pa.ChunkedArray, width: int) -> np.ndarray:
    return pc.list_flatten(lists).to_numpy().reshape(-1, width)
