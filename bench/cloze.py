"""The neural baseline of `cloze`: updates at batch 1 against the official program, in DyNet.

KASU_PEERS names a folder with the official program, `conll2018-task2-baseline` (`task2/baseline` of
github.com/sigmorphon/conll2018); without it, updates have no peer. Both learn the same words at the
paper's sizes, each by its library's Adam. Ratios are of CPU time.
"""

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from environments import DYNET, ask
from measuring import row

from kasu.cloze.data.datasets import write_dataset
from kasu.cloze.data.items import read_split
from kasu.cloze.data.sentences import read_training
from kasu.cloze.systems import neural_baseline
from kasu.neural.device import make_deterministic
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data

HERE = Path(__file__).resolve().parent
DEMO = HERE.parent / "resources/demo/cloze/low.tsv"
TRAIN = "sigmorphon2018/task2/trainsets/sv-track1-medium"
SETTING = "track1-medium"
PROGRAM = "conll2018-task2-baseline"
UPDATES, TURNS = 150, 3


def read_targets(path: Path) -> list[Item]:
    """The words to learn of a training file."""
    with tempfile.TemporaryDirectory() as folder:
        write_dataset(folder, {"medium": read_training(path)}, language="", sources=[])
        return read_split(Path(folder) / "medium.parquet", SETTING, "train")


def per_update(items: Sequence[Item]) -> float:
    """CPU seconds per update of the first items in a second epoch, the least of TURNS."""
    settings = neural_baseline.Settings()
    torch.manual_seed(1)
    symbols = neural_baseline.symbols(items)
    network = neural_baseline.network(*symbols, SETTING, settings, "")
    recipe = neural_baseline.recipe(Data("", SETTING, items, [], []), settings, "")
    optimizers, clip = recipe.optimizers(network), recipe.clip
    assert clip
    weights = [*network.parameters()]
    spent = []
    for epoch in range(1 + TURNS):
        began = time.process_time()
        for seed, item in enumerate(items[:UPDATES]):
            loss = network.loss(network.batch([item], seed, epoch + 1))
            loss.backward()
            loss.item()
            clip(weights)
            for optimizer in optimizers:
                optimizer.step()
            for weight in weights:
                weight.grad = None
        spent.append((time.process_time() - began) / len(items[:UPDATES]))
    return min(spent[1:])


def official(path: Path, items: Sequence[Item]) -> float | None:
    """CPU seconds per update of the official program; None where it is not at hand.

    Raises:
        AssertionError: it does not learn the same words.
    """
    if "KASU_PEERS" not in os.environ:
        print("KASU_PEERS names no folder of peers: no official program")
        return None
    program = Path(os.environ["KASU_PEERS"]) / PROGRAM
    given = {"program": str(program), "train": str(path), "examples": UPDATES, "turns": TURNS}
    if (answer := ask("dynet_cloze.py", given, *DYNET)) is None:
        return None
    if answer["targets"] != len(items):
        raise AssertionError(f"{answer['targets']} targets in DyNet, {len(items)} here")
    return answer["seconds"]


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Updates a second on Swedish at medium, or on the demo without a mirror."""
    make_deterministic(threads=1)
    path = mirror / TRAIN if mirror else DEMO
    items = read_targets(path)
    mine, peer = per_update(items), official(path, items)
    shown = f"official program, DyNet, {1 / peer:.1f}" if peer else ""
    item = "cloze neural baseline, batch 1"
    return [row(item, 1 / mine, "updates/CPU-s", shown, peer and peer / mine)]
