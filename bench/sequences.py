"""Plain sequence models of task 1: updates against yoyodyne, at equal sizes and on one thread.

The pointer-generator is that of iitbhu at low, which attends to lemma and features. The attention
model is kucst's with two orders, without features and with every target read, as yoyodyne's GRU
with soft attention. Both sides learn the same batches with Adam; yoyodyne has an environment of its
own, with the torch of this one. Ratios are of CPU time.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from environments import ask
from measuring import row

from kasu.inflection.data.triples import read_triples
from kasu.inflection.systems import iitbhu
from kasu.neural.device import make_deterministic
from kasu.neural.optimizers import adam, clip_norm
from kasu.transduction.alphabet import alphabets
from kasu.transduction.items import Item, read_item
from kasu.transduction.networks.ordered_seq2seq import OrderedSeq2Seq
from kasu.transduction.networks.seq2seq import Seq2Seq

HERE = Path(__file__).resolve().parent
DEMO = HERE.parent / "resources/demo/inflection/harmonic.paradigms.tsv"
TRAIN = "sigmorphon2018/task1/surprise/german-train-medium"
POINTER = {"embedding": 100, "hidden": 100, "dropout": 0.5}
ATTENTION: dict[str, Any] = {"embedding": 128, "hidden": 128, "dropout": 0.1}
CLIP, BATCH, ITEMS, TURNS = 3.0, 32, 320, 4


def per_update(network: Seq2Seq, items: Sequence[Item], clip: float | None) -> float:
    """CPU seconds per update in a second epoch, the least of TURNS."""
    (optimizer,) = adam(0.001)(network)
    spent = []
    for epoch in range(1 + TURNS):
        began, starts = time.process_time(), range(0, len(items), BATCH)
        for start in starts:
            network.zero_grad()
            loss = network.loss(network.batch(items[start : start + BATCH], start, epoch + 1))
            loss.backward()
            loss.item()
            if clip:
                clip_norm(clip)(network.parameters())
            optimizer.step()
        spent.append((time.process_time() - began) / len(starts))
    return min(spent[1:])


def yoyodyne(items: Sequence[Item]) -> dict[str, float]:
    """CPU seconds per update in yoyodyne by network; nothing where it cannot be installed."""
    characters, tags = alphabets(items)
    numbers, features = (
        {symbol: at for at, symbol in enumerate(alphabet.symbols)}
        for alphabet in (characters, tags)
    )
    given = {
        "pointer": POINTER, "attention": ATTENTION,
        "clip": CLIP, "batch": BATCH, "turns": TURNS,
        "symbols": len(numbers), "features": len(features),
        "items": [
            {
                "source": [numbers[symbol] for symbol in item.source],
                "target": [numbers[symbol] for symbol in item.target or ""],
                "tags": [features[tag] for tag in item.tags],
            }
            for item in items
        ],
    }  # fmt: skip
    version = torch.__version__.partition("+")[0]
    return ask("yoyodyne_sequences.py", given, "yoyodyne==0.5.27", f"torch=={version}") or {}


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Updates a second on German at medium, or on the demo without a mirror."""
    make_deterministic(threads=1)
    triples = read_triples(mirror / TRAIN if mirror else DEMO)[:ITEMS]
    items = [read_item(triple.lemma, triple.features, triple.form) for triple in triples]
    characters, tags = alphabets(items)
    torch.manual_seed(1)
    pointer = iitbhu.network(characters, tags, "low", iitbhu.Settings(), "unbounded")
    attention = OrderedSeq2Seq(
        characters, alphabets([])[1], ("forward", "backward"), forced=1.0,
        embedding=ATTENTION["embedding"], size=ATTENTION["hidden"], dropout=ATTENTION["dropout"],
    )  # fmt: skip
    mine = {
        "pointer": per_update(pointer, items, CLIP),
        "attention": per_update(attention, items, None),
    }
    peers, found = yoyodyne(items), []
    for name, what in (("pointer", "pointer-generator"), ("attention", "attention model")):
        peer = peers.get(name)
        shown = f"yoyodyne, {1 / peer:.1f}" if peer else ""
        item = f"{what}, batches of {BATCH}"
        found.append(row(item, 1 / mine[name], "updates/CPU-s", shown, peer and peer / mine[name]))
    return found
