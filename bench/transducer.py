"""The edit transducer: updates at batch 1 against the same network in DyNet, and batched decoding.

DyNet, in which the original was written, has an environment of its own. Networks have the paper's
sizes (Makarov & Clematide 2018), and each side its library's Adadelta, ours torch's. Ratios are of
CPU time.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from environments import DYNET, ask
from measuring import row
from products import count_operations, product_rate, share_row

from kasu.inflection.data.triples import read_triples
from kasu.neural.device import make_deterministic
from kasu.neural.optimizers import adadelta, clip_norm
from kasu.transduction.alignments.edit_distance import common_substring
from kasu.transduction.alignments.slide import shifted
from kasu.transduction.alphabet import RESERVED, Alphabet
from kasu.transduction.edits.actions import COPY, DELETE, ActionAlphabet, aligned_oracle
from kasu.transduction.edits.imitation import Alignments, Expert, Teacher
from kasu.transduction.features import Slots
from kasu.transduction.items import Item, read_item
from kasu.transduction.networks.transducer import EditTransducer

HERE = Path(__file__).resolve().parent
DEMO = HERE.parent / "resources/demo/inflection/harmonic.paradigms.tsv"
TRAIN = "sigmorphon2018/task1/surprise/german-train-low"
TEST = "sigmorphon2018/task1/surprise/german-test"
SIZES = {"size": 200, "embedding": 100, "slot": 20}
LIMIT, UPDATES, DECODED, TURNS = 150, 100, 1000, 3
SAMPLED = 0.5  # of the steps of roll-in, as in the thirtieth epoch


class Half(Expert):
    """An expert who always leaves SAMPLED of the steps to the model."""

    def sampled(self, epoch: int) -> float:
        return SAMPLED


def aligned(item: Item) -> list[str]:
    form = item.target or ""
    source, target, _ = common_substring(item.source, form)
    return aligned_oracle(shifted(item.source, form, target - source))


def make(items: Sequence[Item]) -> EditTransducer:
    torch.manual_seed(1)
    alphabet = ActionAlphabet(
        {c for i in items for c in (*i.source, *(i.target or ""))}, [COPY, DELETE]
    )
    slots = Slots(Alphabet(tag for item in items for tag in item.tags), SIZES["slot"])
    sizes = {"embedding": SIZES["embedding"], "size": SIZES["size"]}
    return EditTransducer(alphabet, slots, **sizes, kind="coupled", limit=LIMIT)


def per_update(items: Sequence[Item], teacher: Teacher) -> tuple[float, float]:
    """CPU seconds per update in a second epoch, the least of TURNS, and operations in products."""
    network, clip = make(items), clip_norm(5.0)
    weights = [*network.parameters()]
    network.teacher, optimizers = teacher, adadelta()(network)
    spent = []
    for epoch in range(1 + TURNS):
        began = time.process_time()
        for seed, item in enumerate(items):
            loss = network.loss(network.batch([item], seed, epoch + 1))
            loss.backward()
            loss.item()
            clip(weights)
            for optimizer in optimizers:
                optimizer.step()
            for weight in weights:
                weight.grad = None
        spent.append((time.process_time() - began) / len(items))
    operations = count_operations(
        lambda: [
            network.loss(network.batch([item], seed, TURNS + 1)).backward()
            for seed, item in enumerate(items)
        ]
    )
    return min(spent[1:]), operations / len(items)


def dynet(items: Sequence[Item]) -> dict[str, float]:
    """CPU seconds per update in DyNet, the least of TURNS; nothing where it cannot be installed."""
    network = make(items)
    assert isinstance(network.constant, Slots)
    tags = network.constant.tags
    given = {
        **SIZES,
        "symbols": [symbol for symbol in network.alphabet.symbols if len(symbol) == 1],
        "features": len(tags.symbols),
        "sampled": SAMPLED,
        "turns": TURNS,
        "items": [
            {
                "source": item.source,
                "target": item.target,
                "tags": [number - RESERVED + 1 for number in tags.encode(item.tags)],
                "actions": network.alphabet.encode(aligned(item)),
            }
            for item in items
        ],
    }
    return ask("dynet_transducer.py", given, *DYNET) or {}


def update_rows(items: Sequence[Item]) -> list[dict[str, object]]:
    """Updates a second for each way to train."""
    teachers: dict[str, Teacher] = {
        "aligned": Alignments({item: aligned(item) for item in items}),
        "sampled": Half(LIMIT, k=12.0),
        "rolled out": Half(LIMIT, k=12.0, rolled_out=1.0),
    }
    peers = dynet(items)
    found = []
    for name, teacher in teachers.items():
        (mine, operations), peer = per_update(items, teacher), peers.get(name)
        shown = f"DyNet, {1 / peer:.1f}" if peer else ""
        item = f"edit transducer, batch 1, {name}"
        found.append(row(item, 1 / mine, "updates/CPU-s", shown, peer and peer / mine))
        found.append(share_row(item, operations, mine, product_rate()))
    return found


def decoding_rows(items: Sequence[Item]) -> list[dict[str, object]]:
    """Greedy answers to many items at once, against one after another."""
    network = make(items)
    # A network that copies stops in time
    with torch.no_grad():
        network.output.bias[network.alphabet.encode([COPY, "END"])] += 5

    def cpu(answer: Callable[[], list]) -> tuple[float, list]:
        began = time.process_time()
        answers = answer()
        return time.process_time() - began, answers

    mine, together = cpu(lambda: network.answer(items))
    peer, alone = cpu(lambda: [network.answer([item])[0] for item in items])
    if [each.forms for each in together] != [each.forms for each in alone]:
        raise AssertionError("answers depend on other items")
    item = f"edit transducer, greedy, {len(items)} items"
    shown = f"one by one, {len(items) / peer:.0f}"
    operations = count_operations(lambda: network.answer(items))
    return [
        row(item, len(items) / mine, "items/CPU-s", shown, peer / mine),
        share_row(item, operations, mine, product_rate()),
    ]


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Figures on German at low, or on the demo without a mirror."""
    make_deterministic(threads=1)
    paths = (mirror / TRAIN, mirror / TEST) if mirror else (DEMO, DEMO)
    train, test = (
        [read_item(triple.lemma, triple.features, triple.form) for triple in read_triples(path)]
        for path in paths
    )
    return [*update_rows(train[:UPDATES]), *decoding_rows(test[:DECODED])]
