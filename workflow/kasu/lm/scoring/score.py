"""Scores of items by a language model: batched, resumable, the same whatever the batch.

Queries of equal length make a batch, so nothing is padded; the vocabulary head answers at the
positions that count, and nowhere else.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import tokenizers
import torch
import transformers

from kasu.base.errors import KasuError
from kasu.base.run import Progress
from kasu.base.tables import file_hash, write_drops, write_parquet
from kasu.lm import MASKED
from kasu.lm.models.fingerprint import folder_hash
from kasu.lm.models.language_model import LanguageModel, load_model
from kasu.lm.scoring.definitions import DEFINITIONS, WORD, Definition, Text
from kasu.lm.scoring.items import MASK, Item, read_items
from kasu.neural.device import make_deterministic, pick_device
from kasu.neural.resume import Work

# A row a definition, item and column, in the order of the definitions asked for, then of the file.
SCORES = pa.schema(
    [
        ("item_id", pa.string()),
        ("column", pa.string()),  # of the items: which sentence or form
        ("definition", pa.string()),  # of DEFINITIONS
        ("log_probability", pa.float64()),  # the sum over tokens
        ("unit", pa.string()),  # of log_probability: nat (natural logarithm) or bit (base 2)
        ("tokens", pa.int32()),  # of the sentence, or of the form at word level; no added ones
        ("scored", pa.int32()),  # tokens in the sum: some definitions leave out the first
        ("floored", pa.int32()),  # scored tokens that were raised to the definition's floor
        ("unknown", pa.int32()),  # tokens that stand for what the tokenizer does not know
        ("words", pa.int32()),  # between blanks
        ("characters", pa.int32()),  # code points
        ("bytes", pa.int32()),  # in UTF-8
        ("per_token", pa.float64()),  # log_probability / scored; null where that is 0
        ("per_word", pa.float64()),
        ("per_character", pa.float64()),
        ("per_byte", pa.float64()),
        ("vocabulary", pa.int32()),  # how many tokens the model chooses among
    ]
)
TOO_LONG = ("error", "drop")
BATCHES_A_SHARD = 16
LOGITS = 2**27  # float32 numbers that the head may give at once: 512 MB


class Entry(NamedTuple):
    """A text of an item, as tokens.

    longest: tokens of its longest context.
    tokens: tokens of all its contexts.
    """

    item: Item
    text: Text
    longest: int
    tokens: int


class Sums(NamedTuple):
    """What comes of texts: sums of log probabilities, and how many tokens were floored."""

    total: np.ndarray
    floored: np.ndarray


def score_file(
    model: str | Path,
    items: str | Path,
    scores: str | Path,
    drops: str | Path,
    work: str | Path,
    *,
    definitions: Sequence[str],
    columns: Sequence[str] = (),
    device: str = "auto",
    dtype: str = "float32",
    threads: int = 1,
    tokens_per_batch: int = 2048,
    too_long: str = "error",
    remote_code: str | None = None,
    code: str = "",
    keep: bool = False,
) -> None:
    """Write SCORES of a file of items, and how many items were left out.

    Args:
        model: folder of a model (`kasu.lm.models.language_model.load_model`).
        items: `kasu.lm.scoring.items.read_items`.
        work: folder for what is done, so that a run that was cut off goes on from there.
        definitions: names of DEFINITIONS, all for masked or all for causal models.
        columns: which sentences or forms to score; all by default.
        threads, tokens_per_batch: they decide the last digits (below 1e-4), so they are facts.
        too_long: what to do with an item with a text that is longer than the model.
        remote_code: the revision whose code may run.
        code: hash of the code, so that what another version did is not taken up.
        keep: leave `work` to the caller, whose job does not end with this file.

    Raises:
        KasuError: a setting, the model or an item is not as it should be.
    """
    kind = _check_settings(definitions, tokens_per_batch, too_long)
    make_deterministic(threads)
    texts = read_items(items, columns)
    network = load_model(
        model, kind, device=pick_device(device), dtype=dtype, remote_code=remote_code
    )
    facts = {
        "model": folder_hash(model),
        "items": file_hash(items),
        "columns": list(columns),
        "definitions": list(definitions),
        "device": network.device.type,
        "dtype": dtype,
        "threads": threads,
        "tokens_per_batch": tokens_per_batch,
        "too_long": too_long,
        "remote_code": remote_code,
        "code": code,
        "versions": [torch.__version__, transformers.__version__, tokenizers.__version__],
    }
    state = Work(work, facts, every=0)
    dropped: Counter[str] = Counter()
    rows = []
    for name in definitions:
        entries = encode_items(network, texts, name, too_long, dropped)
        rows += score_rows(network, entries, name, tokens_per_batch, state)
    write_drops(drops, dropped)
    write_parquet(scores, rows, SCORES)
    if not keep:
        state.remove()


def _check_settings(definitions: Sequence[str], tokens_per_batch: int, too_long: str) -> str:
    for name in definitions:
        if name not in DEFINITIONS:
            raise KasuError("definitions", repr(name), ", ".join(DEFINITIONS))
    kinds = {DEFINITIONS[name].kind for name in definitions}
    if len(kinds) != 1 or len(set(definitions)) < len(definitions):
        raise KasuError(
            "definitions", ", ".join(definitions) or "none",
            "different ones, all for masked or all for causal models",
        )  # fmt: skip
    if too_long not in TOO_LONG:
        raise KasuError("too_long", repr(too_long), " or ".join(TOO_LONG))
    if tokens_per_batch < 1:
        raise KasuError("tokens_per_batch", str(tokens_per_batch), "1 or more")
    return kinds.pop()


def encode_items(
    model: LanguageModel,
    items: Sequence[Item],
    definition: str,
    too_long: str,
    dropped: Counter[str],
) -> list[Entry]:
    """The items as tokens; those with a text longer than the model left out and counted.

    Raises:
        KasuError: the model has no mask token; an item has no place for a form, tokenises to
            nothing, holds a mask token of its own, or is too long and may not be left out.
    """
    rule = DEFINITIONS[definition]
    if rule.kind == MASKED and model.mask is None:
        raise KasuError(model.name, f"no mask token, which {definition} needs", "a masked model")
    entries = []
    for name, texts in itertools.groupby(items, key=lambda item: item.item_id):
        found = [_encode(model, item, rule, definition) for item in texts]
        longest = max(found, key=lambda entry: entry.longest)
        if longest.longest <= model.max_length:
            entries += found
        elif too_long == "drop":
            dropped[f"{definition}: longer than the model"] += 1
        else:
            raise KasuError(
                f"item {name}, {longest.item.column}",
                f"{longest.longest} tokens under {definition}",
                f"{model.max_length} at most, or too_long: drop",
            )
    return entries


def _encode(model: LanguageModel, item: Item, rule: Definition, definition: str) -> Entry:
    where = f"item {item.item_id}, {item.column}"
    if rule.level == WORD:
        if item.masked is None or item.form is None:
            raise KasuError(where, f"a whole sentence under {definition}", f"{MASK} and forms")
        framed = item.masked.replace(MASK, model.tokenizer.mask_token)
        text = model.encode(framed, rule.special_tokens, rule.within_words)
        text = text._replace(target=model.encode(item.form, special_tokens=False).ids)
        scored, masks = text.target, text.ids.count(model.mask) + text.target.count(model.mask)
    else:
        text = model.encode(item.sentence, rule.special_tokens, rule.within_words)
        scored, masks = own_tokens(text), text.ids.count(model.mask)
    if not scored:
        raise KasuError(where, "tokenises to nothing", "a token at least")
    if rule.kind == MASKED and masks != (expected := int(rule.level == WORD)):
        raise KasuError(where, f"{masks} mask tokens", f"{expected or 'none'}")
    lengths = [len(query.ids) for query in rule.queries(text, model.mask)]
    return Entry(item, text, max(lengths, default=0), sum(lengths))


def own_tokens(text: Text) -> tuple[int, ...]:
    """The tokens of a sentence without those that the tokenizer adds."""
    return tuple(
        token for token, special in zip(text.ids, text.special, strict=True) if not special
    )


def score_rows(
    model: LanguageModel,
    entries: Sequence[Entry],
    definition: str,
    tokens_per_batch: int,
    work: Work | None = None,
) -> list[dict[str, object]]:
    """Rows of SCORES, in the order of the entries.

    Args:
        tokens_per_batch: the most tokens at once, but one context at least.
        work: keeps what is done, a shard of items at a time.

    Raises:
        KasuError: the model gives what is no number.
    """
    total = np.zeros(len(entries))
    floored = np.zeros(len(entries), np.int64)
    progress = Progress(
        f"{Path(model.name).name}, {definition}", sum(entry.tokens for entry in entries), "token"
    )
    for number, shard in enumerate(make_shards(entries, tokens_per_batch * BATCHES_A_SHARD)):
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
    return [
        _row(model, entry, definition, float(total[place]), int(floored[place]))
        for place, entry in enumerate(entries)
    ]


def make_shards(entries: Sequence[Entry], tokens: int) -> Iterator[list[int]]:
    """Places of entries, shard after shard of so many tokens of context; items stay whole.

    Items of like length stand together. The forms of an item share a shard, so that contexts they
    have in common are computed once, and equal texts have equal scores.
    """
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
    """Answer all queries of some texts, equal contexts once.

    Returns:
        Sums in the unit of the definition, in the order of the texts.
    """
    asked: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    for number, text in enumerate(texts):
        for query in rule.queries(text, model.mask):
            places = zip(query.positions, query.targets, strict=True)
            asked.setdefault(query.ids, []).extend((*place, number) for place in places)
    total, floored = np.zeros(len(texts)), np.zeros(len(texts), np.int64)
    for batch in make_batches(asked, tokens_per_batch, LOGITS // model.vocabulary):
        rows = [row for row, ids in enumerate(batch) for _ in asked[ids]]
        places = np.array([place for ids in batch for place in asked[ids]])
        positions, targets, owners = places.T
        found = model.log_probabilities(torch.tensor(batch), rows, positions, targets)
        found = found.double().numpy()
        if rule.floor is not None:
            np.add.at(floored, owners, found < rule.floor)
            found = np.maximum(found, rule.floor)
        np.add.at(total, owners, found)
    return Sums(total / (math.log(2) if rule.unit == "bit" else 1), floored)


def make_batches(
    asked: Mapping[tuple[int, ...], Sequence], tokens: int, answers: int
) -> Iterator[list[tuple[int, ...]]]:
    """Contexts of one length each, at most so many tokens and answers, but one context at least."""
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
    model: LanguageModel, entry: Entry, definition: str, total: float, floored: int
) -> dict[str, object]:
    rule, item, text = DEFINITIONS[definition], entry.item, entry.text
    tokens = text.target if rule.level == WORD else own_tokens(text)
    scored = sum(len(query.targets) for query in rule.queries(text, model.mask))
    surface = item.form if rule.level == WORD else item.sentence
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
        "unknown": 0 if model.unknown is None else tokens.count(model.unknown),
        **{f"{unit}s": count for unit, count in units.items() if unit != "token"},
        **{f"per_{unit}": total / count if scored else None for unit, count in units.items()},
        "vocabulary": model.vocabulary,
    }
