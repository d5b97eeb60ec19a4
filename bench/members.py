"""Members on two cores: two processes of one thread each, against one process of two threads.

Jobs train with one thread, so two of them share two cores. Both ways train the same two members of
a family at the paper's sizes, for fewer epochs. Ratios are of elapsed time: nothing else may run.
The bound is one such process alone, twice: what two lose of it, they lose to each other over cores
and memory. The share of the rate of matrix products is not shown: what is compared is how the same
work is divided.
"""

import multiprocessing
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from measuring import row

from kasu.inflection.data.triples import read_triples
from kasu.inflection.families import FAMILIES
from kasu.job.run import cpu_count
from kasu.neural.device import make_deterministic
from kasu.transduction.items import read_item
from kasu.transduction.members.families import Data, Session, Stack
from kasu.transduction.members.networks import NetworkFamily

HERE = Path(__file__).resolve().parent
DEMO = HERE.parent / "resources/demo/inflection/harmonic.paradigms.tsv"
TASK = "sigmorphon2018/task1/surprise"
EPOCHS = {"iitbhu": 60, "uzh": 8}
TRIPLES, TURNS = 100, 3


def read_data(mirror: Path | None) -> Data:
    """German at low, or the demo without a mirror; with a part of dev."""
    paths = [mirror / TASK / f"german-{name}" for name in ("train-low", "dev")] if mirror else []
    train, dev = (
        [read_item(lemma, features, form) for lemma, form, features in read_triples(path)[:TRIPLES]]
        for path in paths or [DEMO, DEMO]
    )
    return Data("german" if mirror else "harmonic", "low", train, dev, [])


def train(
    family: str,
    data: Data,
    seeds: Sequence[int],
    threads: int,
    epochs: int | None = None,
    device: str = "cpu",
    stack: Stack = "auto",
) -> None:
    """Train the members of these seeds, for the epochs of EPOCHS unless told otherwise."""
    make_deterministic(threads=threads)
    trained = FAMILIES.load(family)
    assert isinstance(trained, NetworkFamily)
    members = trained.list_members(data.setting, (), max(seeds))
    chosen = [member for member in members if member.seed in seeds]
    with tempfile.TemporaryDirectory() as folder:
        session = Session(Path(folder), device, stack)
        trained.learn(data, chosen, {"epochs": epochs or EPOCHS[family]}, session)


def elapsed(family: str, data: Data, shares: Sequence[Sequence[int]], threads: int) -> float:
    """Seconds until processes that train a share of the seeds each have ended."""
    context = multiprocessing.get_context("fork")
    arguments = [(family, data, seeds, threads) for seeds in shares]
    processes = [context.Process(target=train, args=each) for each in arguments]
    began = time.perf_counter()
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    seconds = time.perf_counter() - began
    if any(process.exitcode for process in processes):
        raise AssertionError(f"{family}: training failed")
    return seconds


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Two rows per family, the least of TURNS; none on a machine of one core."""
    data, found = read_data(mirror), []
    for family in EPOCHS if cpu_count() > 1 else ():
        ways = (([[1], [2]], 1), ([[1, 2]], 2), ([[1]], 1))
        turns = [[elapsed(family, data, *way) for way in ways] for _ in range(TURNS)]
        two, one, alone = map(min, zip(*turns, strict=True))
        item = f"{family}, two members, two processes of one thread"
        shown = f"one process of two threads, {3600 * 2 / one:.0f}"
        found.append(row(item, 3600 * 2 / two, "members/h", shown, one / two))
        bound = f"twice one process alone, {3600 * 2 / alone:.0f}"
        found.append(row(f"{item}: of the bound", 3600 * 2 / two, "members/h", bound, alone / two))
    return found
