"""Scores of items by a language model: batched, resumable, nearly independent of the batches.

A batch holds queries of equal length, so nothing is padded. The vocabulary head is computed only at
the positions whose predictions count.
"""

import itertools
import math
import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import tokenizers
import torch
import transformers

from kasu.base.errors import KasuError
from kasu.base.limits import MOST_THREADS, hint
from kasu.files.seals import folder_hash
from kasu.files.tables import file_hash, write_drops, write_parquet
from kasu.job.run import Progress, log, run_each
from kasu.lm.models.definitions import DEFINITIONS, WORD, Definition, Text
from kasu.lm.models.folders import model_name
from kasu.lm.models.language_model import LanguageModel, load_model
from kasu.lm.scoring.entries import EncodedText, encode_items, own_tokens
from kasu.lm.scoring.items import read_items
from kasu.lm.scoring.untrained import UNTRAINED, untrained_head
from kasu.neural.device import make_deterministic, pick_device
from kasu.neural.resume import Work

# One row per definition, item and column; definitions in the order asked for, then as in the file
SCORES = pa.schema(
    [
        ("item_id", pa.string()),
        ("column", pa.string()),  # of the items: which sentence or form
        ("definition", pa.string()),  # of DEFINITIONS
        ("log_probability", pa.float64()),  # summed over tokens
        ("unit", pa.string()),  # of log_probability: nat (natural logarithm) or bit (base 2)
        ("tokens", pa.int32()),  # of the sentence, or of the form at word level; no special ones
        ("scored", pa.int32()),  # tokens in the sum: some definitions leave out the first
        ("floored", pa.int32()),  # scored tokens that were raised to the definition's floor
        (
            "unknown",
            pa.int32(),
        ),  # tokens for text that the tokenizer does not know, letters lost
        ("words", pa.int32()),  # between blanks
        ("characters", pa.int32()),  # code points
        ("bytes", pa.int32()),  # in UTF-8
        ("per_token", pa.float64()),  # log_probability / scored
        ("per_word", pa.float64()),
        ("per_character", pa.float64()),
        ("per_byte", pa.float64()),
        ("vocabulary", pa.int32()),  # the number of tokens that the model predicts among
        ("untrained", pa.bool_()),  # weights of the model were missing, and are random
    ]
)
TOO_LONG = ("error", "drop")
BATCHES_PER_SHARD = 16
LOGITS = 2**27  # float32 numbers that the head may compute at once: 512 MB


@dataclass(frozen=True)
class Scoring:
    """How items are scored.

    Attributes:
        definitions: names of DEFINITIONS, all for masked or all for causal models.
        columns: which sentences or forms to score; all by default.
        threads, tokens_per_batch: facts of the experiment, as they change the last digits of
            scores (below 1e-4).
        too_long: what to do with an item that has a text longer than the model can take.
        untrained: the checkpoint lacks weights, and these are random (see `load_parts`).
        remote_code: the revision whose code may run.

    Raises:
        KasuError: a value is wrong.
    """

    definitions: Sequence[str]
    columns: Sequence[str] = ()
    device: str = "auto"
    dtype: str = "float32"
    threads: int = 1
    tokens_per_batch: int = 2048
    too_long: str = "error"
    untrained: bool = False
    remote_code: str | None = None

    def __post_init__(self) -> None:
        for name in self.definitions:
            if name not in DEFINITIONS:
                raise KasuError("definitions", repr(name), ", ".join(DEFINITIONS))
        kinds = {DEFINITIONS[name].kind for name in self.definitions}
        if len(kinds) != 1 or len(set(self.definitions)) < len(self.definitions):
            raise KasuError(
                "definitions", ", ".join(self.definitions) or "none",
                "different ones, all for masked or all for causal models",
            )  # fmt: skip
        if self.too_long not in TOO_LONG:
            raise KasuError("too_long", repr(self.too_long), " or ".join(TOO_LONG))
        if not 1 <= self.threads <= MOST_THREADS:
            expected = f"a whole number from 1 to {MOST_THREADS:,}"
            raise KasuError("threads", str(self.threads), expected)
        if self.tokens_per_batch < 1:
            raise KasuError("tokens_per_batch", str(self.tokens_per_batch), "1 or more")

    @property
    def kind(self) -> str:
        """The kind of model that the definitions are for: MASKED or CAUSAL."""
        return DEFINITIONS[self.definitions[0]].kind


class Sums(NamedTuple):
    """For each text the sum of its log probabilities, and the number of floored tokens."""

    total: np.ndarray
    floored: np.ndarray


def score_file(
    model: str | Path,
    items: str | Path,
    scores: str | Path,
    drops: str | Path,
    work: str | Path,
    scoring: Scoring,
    *,
    code: str = "",
    keep: bool = False,
) -> pa.Table:
    """Write SCORES of a file of items, and how many items were left out; return the scores.

    Args:
        model: folder of a model (`kasu.lm.models.language_model.load_model`).
        items: see `kasu.lm.scoring.items.read_items`.
        work: folder of the resume state, from which a run that was cut off continues. A second run
            waits for it.
        code: hash of the code, so that a state of other code is discarded.
        keep: keep `work`, for a caller whose job does not end with this file.

    Raises:
        KasuError: the model cannot be loaded, an item cannot be read or scored, or the items have
            changed meanwhile.
    """
    read = file_hash(items)
    make_deterministic(scoring.threads)
    texts = read_items(items, scoring.columns)
    network = load_model(
        model,
        scoring.kind,
        device=pick_device(scoring.device),
        dtype=scoring.dtype,
        untrained=scoring.untrained,
        remote_code=scoring.remote_code,
    )
    facts = vars(scoring) | {
        "model": folder_hash(model),
        "items": read,
        "device": network.device.type,
        "code": code,
        "versions": [torch.__version__, transformers.__version__, tokenizers.__version__],
    }
    state = Work(work, facts, every=0)
    dropped: Counter[str] = Counter()
    rows = []
    # All texts are encoded first, so that a bad one is reported before hours of scoring
    with hint(model, "a smaller tokens_per_batch"):
        encoded = [
            encode_items(network, texts, name, scoring.too_long, dropped)
            for name in scoring.definitions
        ]
        for name, entries in zip(scoring.definitions, encoded, strict=True):
            rows += score_rows(network, entries, name, scoring.tokens_per_batch, state)
    if file_hash(items) != read:
        raise KasuError(items, "changed while it was scored", "the file as it was read")
    table = pa.Table.from_pylist(rows, SCORES)
    write_drops(drops, dropped)
    write_parquet(scores, table, SCORES)
    if not keep:
        state.remove()
    return table


class ToScore(NamedTuple):
    """A file of items to score with a model, and the files to write (see `score_file`)."""

    model: str | Path
    items: str | Path
    scores: str | Path
    drops: str | Path


def score_together(
    files: Mapping[str, ToScore], work: str | Path, scoring: Scoring, *, code: str = ""
) -> None:
    """Score several files as `score_file` does, with small models of one kind, in one process.

    What has been scored is kept until all files have been, so a run that is cut off, or in which a
    model fails, repeats nothing.

    Args:
        files: by name; each name becomes a folder of `work`.

    Raises:
        KasuError: a file could not be scored; the others were.
    """
    run_each(
        {
            name: partial(score_file, *each, Path(work, name), scoring, code=code, keep=True)
            for name, each in files.items()
        }
    )
    shutil.rmtree(work, ignore_errors=True)


def score_rows(
    model: LanguageModel,
    entries: Sequence[EncodedText],
    definition: str,
    tokens_per_batch: int,
    work: Work | None = None,
) -> list[dict[str, Any]]:
    """Score entries; return rows of SCORES, in their order.

    Args:
        tokens_per_batch: the most tokens at once, though at least one context.
        work: stores what is done, one shard of items at a time.

    Raises:
        KasuError: the model returns NaN or infinity.
    """
    total = np.zeros(len(entries))
    floored = np.zeros(len(entries), np.int64)
    progress = Progress(
        f"{model_name(model.name)}, {definition}", sum(entry.tokens for entry in entries), "token"
    )
    for number, shard in enumerate(make_shards(entries, tokens_per_batch * BATCHES_PER_SHARD)):
        # A shard that an earlier run has done is read, not computed
        name = f"{definition}-{number:06}"
        state = work.load(name) if work else None
        if state is None:
            texts = [entries[place].text for place in shard]
            sums = sum_queries(model, texts, DEFINITIONS[definition], tokens_per_batch)
            state = {key: torch.from_numpy(value) for key, value in sums._asdict().items()}
            if work:
                work.save(name, state)
        total[shard], floored[shard] = state["total"].numpy(), state["floored"].numpy()
        progress.add(sum(entries[place].tokens for place in shard))
    progress.report()
    if not np.isfinite(total).all():
        item = entries[int(np.flatnonzero(~np.isfinite(total))[0])].item
        raise KasuError(f"item {item.item_id}, {item.column}", "no finite score", "a sound model")
    rows = [
        _row(model, entry, definition, float(total[place]), int(floored[place]))
        for place, entry in enumerate(entries)
    ]
    scored = [row["scored"] for row in rows]
    nats = total * (math.log(2) if DEFINITIONS[definition].unit == "bit" else 1)
    if not model.missing and untrained_head(nats.tolist(), model.vocabulary, scored):
        log.warning("%s, %s: %s", model.name, definition, UNTRAINED)
    return rows


def make_shards(entries: Sequence[EncodedText], tokens: int) -> Iterator[list[int]]:
    """Divide entries into shards of about `tokens` tokens of context; yield their places.

    Items of similar length share a shard, and so do all forms of an item. Contexts that they have
    in common are then computed once, and equal texts get equal scores.
    """
    # The places of each item's texts, shortest items first
    items = [
        [place for place, _ in group]
        for _, group in itertools.groupby(enumerate(entries), key=lambda pair: pair[1].item.item_id)
    ]
    items.sort(key=lambda places: max(entries[place].longest for place in places))
    shard: list[int] = []
    size = 0
    for places in items:
        shard += places
        size += sum(entries[place].tokens for place in places)
        if size >= tokens:
            yield shard
            shard, size = [], 0
    if shard:
        yield shard


def sum_queries(
    model: LanguageModel, texts: Sequence[Text], rule: Definition, tokens_per_batch: int
) -> Sums:
    """Answer all queries of some texts, equal ones only once.

    Returns:
        Sums in the unit of the definition, in the order of the texts.
    """
    # Context -> (position, target) -> numbers of the texts that ask. Each is computed once: equal
    # rows of a matrix product may differ in their last bits, and texts with equal tokens must tie
    asked: dict[tuple[int, ...], dict[tuple[int, int], list[int]]] = {}
    for number, text in enumerate(texts):
        for query in rule.queries(text, model.mask):
            answers = asked.setdefault(query.ids, {})
            for answer in zip(query.positions, query.targets, strict=True):
                answers.setdefault(answer, []).append(number)
    total, floored = np.zeros(len(texts)), np.zeros(len(texts), np.int64)
    for batch in make_batches(asked, tokens_per_batch, LOGITS // model.vocabulary):
        # One entry for each answer: its row in the batch, its position and its target
        rows = [row for row, ids in enumerate(batch) for _ in asked[ids]]
        positions, targets = np.array([each for ids in batch for each in asked[ids]]).T
        answered = model.log_probabilities(torch.tensor(batch), rows, positions, targets)
        # An answer goes to every text that asked for it
        askers = [each for ids in batch for each in asked[ids].values()]
        numbers = np.concatenate(askers)
        values = np.repeat(answered.double().numpy(), [len(each) for each in askers])
        if rule.floor is not None:
            np.add.at(floored, numbers, values < rule.floor)
            values = np.maximum(values, rule.floor)
        np.add.at(total, numbers, values)
    return Sums(total / (math.log(2) if rule.unit == "bit" else 1), floored)


def make_batches(
    asked: Mapping[tuple[int, ...], Collection], tokens: int, answers: int
) -> Iterator[list[tuple[int, ...]]]:
    """Divide contexts into batches of equal length with at most `tokens` tokens and `answers`.

    A batch has at least one context.
    """
    for length, group in itertools.groupby(sorted(asked, key=len), key=len):
        batch: list[tuple[int, ...]] = []
        waiting = 0
        for ids in group:
            full = (len(batch) + 1) * length > tokens or waiting + len(asked[ids]) > answers
            if batch and full:
                yield batch
                batch, waiting = [], 0
            batch.append(ids)
            waiting += len(asked[ids])
        yield batch


def _row(
    model: LanguageModel, entry: EncodedText, definition: str, total: float, floored: int
) -> dict[str, Any]:
    rule, item, text = DEFINITIONS[definition], entry.item, entry.text
    tokens = text.target if rule.level == WORD else own_tokens(text)
    scored = sum(len(query.targets) for query in rule.queries(text, model.mask))
    surface = item.form if rule.level == WORD and item.form is not None else item.sentence
    units = {
        "token": scored,
        "word": len(surface.split()),
        "character": len(surface),
        "byte": len(surface.encode("utf-8")),
    }
    return {
        "item_id": item.item_id,
        "column": item.column,
        "definition": definition,
        "log_probability": total,
        "unit": rule.unit,
        "tokens": len(tokens),
        "scored": scored,
        "floored": floored,
        "unknown": text.lost + (0 if model.unknown is None else tokens.count(model.unknown)),
        **{f"{unit}s": count for unit, count in units.items() if unit != "token"},
        **{f"per_{unit}": total / count for unit, count in units.items()},
        "vocabulary": model.vocabulary,
        "untrained": bool(model.missing),
    }
