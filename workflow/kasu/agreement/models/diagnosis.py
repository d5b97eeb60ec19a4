"""Probes that tell whether the closest verb is the word's own (§7.1: Table 3; BASQUE-21)."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import torch
from safetensors.torch import load_file

from kasu.agreement.models.predictions import PROBED
from kasu.agreement.models.probes import Kind, Probed, Task, cross_splits, probe_task
from kasu.agreement.models.states import SOURCES
from kasu.base.run import Progress, log, seed_of
from kasu.base.tables import ParquetWriter, file_hash, landing, read_parquet
from kasu.neural.device import make_deterministic
from kasu.neural.resume import Work

ANY = "any"  # words of all sentences with two verbs, whatever their forms
LABELS = {True: "closest", False: "other"}
LINEAR, MLP = "linear", "1-layer MLP"


def diagnose(
    words: str | Path,
    states: str | Path,
    predictions: str | Path,
    work: str | Path,
    *,
    settings: Mapping,
    code: str,
) -> None:
    """Train probes on the states of each network and write what they say of words (PROBED).

    Args:
        words, states: from `save_states`.
        work: folder of the resume state, removed at the end.
        settings: the config's `agreement.probes`.
        code: hash of the code; a state is resumed only if code, config and states are the same.
    """
    make_deterministic(1)
    trained = {**settings, "initialisations": 1}
    facts = {"settings": trained, "code": code, "states": file_hash(states)}
    state = Work(work, facts | {"torch": torch.__version__}, every=600)
    found, tensors = read_parquet(words), load_file(states)
    networks = found.select(["variant", "seed"]).group_by(["variant", "seed"]).aggregate([])
    progress = Progress("probes", len(networks) * len(settings["verbs"]), "tasks")
    with landing(predictions) as part, ParquetWriter(part, PROBED) as writer:
        for variant, seed in sorted(zip(*networks.to_pydict().values(), strict=True)):
            own = found.filter((pc.field("variant") == variant) & (pc.field("seed") == seed))
            read = {source: tensors[f"{variant}/{seed}/{source}"] for source in SOURCES}
            kinds = [Kind(LINEAR, []), Kind(MLP, [settings["hidden"]])]
            for task in closest_tasks(own, settings):
                name = f"{variant}-{seed}"
                for each in probe_task(task, read, kinds, trained, name, state):
                    writer.write(_table(own, task.name, each))
                progress.add()
    state.remove()


def closest_tasks(words: pa.Table, settings: Mapping) -> Iterator[Task]:
    """Yield a task for each form of a verb: whether the closest verb is the word's own.

    A form with fewer clusters of words than folds is left out.

    Args:
        words: WORDS of one network.
        settings: `verbs` and `folds`.
    """
    forms = words["forms"].to_pylist()
    closest = np.array([LABELS[each] for each in words["closest"].to_pylist()])
    clusters = np.array(words["cluster"].to_pylist())
    for verb in settings["verbs"]:
        rows = np.array([at for at, each in enumerate(forms) if verb in (ANY, *each)], np.int64)
        splits = cross_splits(clusters[rows], settings["folds"], seed_of("folds", verb))
        if not splits:
            log.warning("%s: too few words (%d), left out", verb, len(rows))
            continue
        yield Task(f"verb={verb}", rows, closest[rows], splits)


def _table(words: pa.Table, task: str, probed: Probed) -> pa.Table:
    """Build rows of PROBED."""
    own, count = words.take(probed.rows), len(probed.rows)
    columns = {
        **{name: own[name] for name in ("item_id", "cluster", "position", "variant", "seed")},
        "task": [task] * count,
        "probe": [probed.probe] * count,
        "source": [probed.source] * count,
        "gold": probed.gold,
        "prediction": probed.predicted,
        "right": pc.equal(own["suffix"], own["prediction"]),
    }
    return pa.table([columns[name] for name in PROBED.names], schema=PROBED)
