"""The tasks of probes on the states of suffix models (Ravfogel et al. 2018 §7.1).

For words linked to a verb: whether the closest verb is their own (Table 3; BASQUE-21). For the
words of a treebank: their annotation (BASQUE-22).
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from safetensors.torch import load_file

from kasu.agreement.data.annotations import LABELS as ANNOTATION
from kasu.agreement.data.tasks import (
    ABOUT_VERB,
    ANY_VERB,
    CLOSEST_VERB,
    RIGHT,
    SUFFIXES,
    UD_PROBES,
    WRONG,
)
from kasu.agreement.models.predictions import PROBED
from kasu.agreement.models.probes import Probed, Split, Task, cross_splits, probe_task
from kasu.agreement.models.states import SOURCES
from kasu.files.tables import ParquetWriter, file_hash, landing, read_parquet
from kasu.job.run import Progress, log, seed_of
from kasu.neural.device import make_deterministic
from kasu.neural.resume import Work

LABELS = {True: "closest", False: "other"}
LINEAR, MLP = "linear", "1-layer MLP"
NUCLEAR = {"case": ("Abs", "Erg", "Dat"), "number": ("Sing", "Plur")}


def diagnose(
    words: str | Path,
    states: str | Path,
    predictions: str | Path,
    work: str | Path,
    *,
    settings: Mapping,
    code: str,
) -> None:
    """Train probes on the states of each network and write their answers for words (PROBED).

    Args:
        words, states: from `save_states`.
        work: folder of the resume state, removed at the end.
        settings: the config's `agreement.probes`.
        code: hash of the code; a state is resumed only if code, config, words and states are the
            same.
    """
    make_deterministic(1)
    facts = {
        "settings": dict(settings),
        "code": code,
        "words": file_hash(words),
        "states": file_hash(states),
    }
    state = Work(work, facts, every=600)
    found, tensors = read_parquet(words), load_file(states)
    networks = found.select(["variant", "seed"]).group_by(["variant", "seed"]).aggregate([])
    progress = Progress("probes", unit="tasks")
    with landing(predictions) as part, ParquetWriter(part, PROBED) as writer:
        for variant, seed in sorted(zip(*networks.to_pydict().values(), strict=True)):
            own = found.filter((pc.field("variant") == variant) & (pc.field("seed") == seed))
            read = {source: tensors[f"{variant}/{seed}/{source}"] for source in SOURCES}
            for task in (*closest_tasks(own, settings), *treebank_tasks(own, settings)):
                for each in probe_task(task, read, settings, f"{variant}-{seed}", state):
                    writer.write(_table(own, task, each))
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
    closest = np.array([LABELS.get(each, "") for each in words["closest"].to_pylist()])
    clusters = np.array(words["cluster"].to_pylist())
    for verb in settings["verbs"]:
        found = [at for at, each in enumerate(forms) if each and verb in (ANY_VERB, *each)]
        rows = np.array(found, np.int64)
        splits = cross_splits(clusters[rows], settings["folds"], seed_of("folds", verb))
        if not splits:
            log.warning("%s: too few words (%d), left out", verb, len(rows))
            continue
        kinds = {LINEAR: [], MLP: [settings["hidden"]]}
        yield Task(CLOSEST_VERB, f"{ABOUT_VERB}{verb}", rows, closest[rows], splits, kinds)


def treebank_tasks(words: pa.Table, settings: Mapping) -> Iterator[Task]:
    """Yield the tasks on the annotation of words; one that lacks words of a split is left out.

    Number and nuclear case are asked of words with a nuclear suffix, separately for suffixes that
    the network predicts right and wrong. Ergative or absolutive is asked of words in *-ak*; part of
    speech, any case and dependency of all words.

    Args:
        words: WORDS of one network.
        settings: `treebank_hidden` and `initialisations`.
    """
    columns = ["split", *ANNOTATION, "suffix", "prediction"]
    split, upos, case, number, deprel, suffix, predicted = (
        np.array(words[name].to_pylist(), object) for name in columns
    )
    # Only words of the treebank have a split
    every, right = split != None, suffix == predicted  # noqa: E711
    nuclear = every & np.isin(suffix.astype(str), SUFFIXES[1:])
    by_case, by_number = (
        nuclear & np.isin(each.astype(str), NUCLEAR[name])
        for name, each in (("case", case), ("number", number))
    )
    asked = {
        f"number|{RIGHT}": (number, by_number & right),
        f"nuclear case|{RIGHT}": (case, by_case & right),
        "erg vs abs on -ak": (case, by_case & (suffix == "-ak") & (case != "Dat")),
        f"number|{WRONG}": (number, by_number & ~right),
        f"nuclear case|{WRONG}": (case, by_case & ~right),
        "POS|all words": (upos, every),
        "any case (16 values incl. none)|all words": (case, every),
        "dependency edge to head|all words": (deprel, every),
    }
    hidden = [*settings["treebank_hidden"]]
    kinds = {f"MLP {'-'.join(map(str, hidden))}": hidden}
    for name, (label, chosen) in asked.items():
        rows = np.flatnonzero(chosen)
        parts = Split(*(np.flatnonzero(split[rows] == part) for part in Split._fields))
        if all(map(len, parts)):
            labels = label[rows].astype(str)
            tries = settings["initialisations"]
            yield Task(UD_PROBES, name, rows, labels, [parts], kinds, tries)
        elif every.any():
            log.warning("%s: no word in a split, left out", name)


def _table(words: pa.Table, task: Task, probed: Probed) -> pa.Table:
    """Build rows of PROBED."""
    own, count = words.take(probed.rows), len(probed.rows)
    columns = {
        **{name: own[name] for name in ("item_id", "cluster", "position", "variant", "seed")},
        "table": [task.table] * count,
        "task": [task.name] * count,
        "probe": [probed.probe] * count,
        "source": [probed.source] * count,
        "gold": probed.gold,
        "prediction": probed.predicted,
        "score": [None] * count if probed.scores is None else probed.scores,
        "right": pc.equal(own["suffix"], own["prediction"]),
    }
    return pa.table([columns[name] for name in PROBED.names], schema=PROBED)
