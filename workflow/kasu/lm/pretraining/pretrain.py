"""A masked language model of Kasu's own: whole in one job, or a chain of jobs by checkpoint.

The folders it writes have the form of Hugging Face, so whatever loads a hub's model loads them.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import torch
import transformers

from kasu.base.errors import KasuError
from kasu.base.folders import landing_folder
from kasu.base.run import log
from kasu.base.tables import file_hash, write_text, write_tsv
from kasu.lm.models.fingerprint import folder_hash
from kasu.lm.pretraining import parallel
from kasu.lm.pretraining.packing import encode_corpus
from kasu.lm.pretraining.recipes import complete, facts
from kasu.lm.pretraining.schedule import checkpoint_epochs
from kasu.lm.pretraining.texts import Part
from kasu.lm.pretraining.tokenizer import read_tokenizer, write_tokenizer
from kasu.lm.pretraining.trainer import HISTORY, Trainer
from kasu.lm.pretraining.training_state import load_state, save_state, training_tensors
from kasu.neural.device import make_deterministic, pick_device
from kasu.neural.resume import Work

EPOCH_HISTORY = ("epoch", *HISTORY)

transformers.utils.logging.disable_progress_bar()


def pretrain(
    corpus: str | Path,
    model: str | Path,
    history: str | Path,
    work: str | Path,
    *,
    settings: Mapping,
    seed: int,
    device: str,
    code: str,
) -> None:
    """Train a tokenizer and a masked language model on a corpus; the same bytes at every run.

    Args:
        corpus: parquet with `text`, a sentence a row, and `split_key`.
        model: the folder to write: config, safetensors, tokenizer.
        history: TSV (HISTORY), a row an evaluation: losses in nats a masked token, and the share
            of masked tokens guessed, beside what the most frequent token of the training text
            gets. All are of held-out sentences but the training loss.
        work: folder of the resume state, removed at the end.
        settings: those of `recipes.complete`, and vocabulary (pieces), held_out (share of the
            text), evaluate_every (steps).
        code: hash of the code; with config and data it decides whether a state may be resumed.

    Raises:
        KasuError: no such device, too little text, a vocabulary smaller than its letters, a
            setting that is wrong, a loss that is no finite number.
    """
    settings = complete(settings)
    made_of = {"settings": facts(settings), "seed": seed, "corpus": file_hash(corpus)}
    where, state = _open(device, work, made_of, settings, code)
    own = state.folder / "tokenizer"
    parts = {name: Part(name, settings["held_out"], seed) for name in ("train", "validation")}
    if not own.exists():
        write_tokenizer(
            corpus, own, vocabulary=settings["vocabulary"], length=settings["length"],
            part=parts["train"],
        )  # fmt: skip
    streams = {name: state.folder / f"{name}.npy" for name in parts}
    for name, stream in streams.items():
        if not stream.exists():
            counts = state.folder / f"{name}.tsv"
            encode_corpus(corpus, own, stream, counts, part=parts[name])
    tokenizer = read_tokenizer(own)
    trainer = Trainer(streams["train"], streams["validation"], tokenizer, settings, seed, where)
    steps, every = settings["steps"], settings["evaluate_every"]
    trainer.run(steps, {*range(every, steps, every), steps}, state, made_of)
    _write_model(model, trainer, tokenizer, made_of)
    write_tsv(history, trainer.rows, HISTORY)
    state.remove()


def pretrain_checkpoint(
    tokens: str | Path,
    validation: str | Path,
    tokenizer: str | Path,
    previous: str | Path | None,
    model: str | Path,
    state: str | Path | None,
    history: str | Path,
    work: str | Path,
    *,
    epoch: int,
    settings: Mapping,
    seed: int,
    device: str,
    code: str,
) -> None:
    """Train from one checkpoint to another; a chain of such jobs is one training (BL2MP-4).

    Any cut gives the same bytes, and so does a job that was killed and begins again, on the same
    kind of device, number of processes and version of torch and of the code; a job that goes on
    under others says so. Under torchrun all processes call it, and the first one writes.

    Args:
        tokens, validation: streams that `encode_corpus` wrote.
        tokenizer: the folder that they were written with.
        previous: the state that the training goes on from; None begins it.
        model: the folder to write: config, safetensors, tokenizer.
        state: the file to write for the next job, three times the size of the model; None: no
            other job follows.
        history: TSV (EPOCH_HISTORY), a row a checkpoint since the beginning; see `pretrain`.
        epoch: the checkpoint; an epoch has `steps_per_epoch` steps, whatever the text.
        settings: those of `recipes.complete`, with epochs and steps_per_epoch.

    Raises:
        KasuError: as `pretrain`; a previous state of another training, or of a later epoch.
    """
    settings = complete(settings)
    ends = _checkpoint_steps(settings)
    if epoch not in ends:
        raise KasuError("epoch", str(epoch), f"one of {', '.join(map(str, ends))}")
    made_of = {
        "settings": facts(settings), "seed": seed, "tokens": file_hash(tokens),
        "validation": file_hash(validation), "tokenizer": folder_hash(tokenizer),
    }  # fmt: skip
    made_here = {**made_of, "epoch": epoch, "previous": previous and file_hash(previous)}
    with parallel.joined(pick_device(device)) as where:
        first = parallel.rank() == 0
        opened = _open_together(where, work, made_here, settings, code)
        pieces = read_tokenizer(tokenizer)
        trainer = Trainer(tokens, validation, pieces, settings, seed, where)
        runs_on = _runs_on(where, code)
        if previous:
            tensors, plain = load_state(previous, made_of)
            _note_changes(previous, plain.get("runs_on", {}), runs_on)
            trainer.restore(tensors, plain)
        if trainer.step >= ends[epoch]:
            raise KasuError(previous, f"step {trainer.step}", f"one before {ends[epoch]}")
        trainer.run(ends[epoch], set(ends.values()), opened, made_of)
        if first:
            _write_model(model, trainer, pieces, {**made_of, "epoch": epoch})
            epochs = {step: number for number, step in ends.items()}
            rows = [{"epoch": epochs[row["step"]], **row} for row in trainer.rows]
            write_tsv(history, rows, EPOCH_HISTORY)
        if first and state:
            tensors = training_tensors(trainer.network, trainer.optimizer)
            save_state(state, tensors, {**trainer.plain(made_of), "runs_on": runs_on})
        parallel.wait()
        if first:
            opened.remove()


def _checkpoint_steps(settings: Mapping) -> dict[int, int]:
    if not settings.get("epochs") or not settings.get("steps_per_epoch"):
        raise KasuError("settings", "no epochs or no steps_per_epoch", "both")
    if settings["steps"] != settings["epochs"] * settings["steps_per_epoch"]:
        raise KasuError("settings, steps", str(settings["steps"]), "epochs times steps_per_epoch")
    return {
        epoch: epoch * settings["steps_per_epoch"]
        for epoch in checkpoint_epochs(settings["epochs"])
    }


def _open(
    device: str, work: str | Path, made_of: Mapping, settings: Mapping, code: str
) -> tuple[torch.device, Work]:
    where = pick_device(device)
    make_deterministic(settings["threads"])
    facts_here = {**made_of, **_runs_on(where, code)}
    return where, Work(work, facts_here, settings["checkpoint_every"])


def _runs_on(where: torch.device, code: str) -> dict[str, object]:
    """What sums depend on: the same bytes are promised where these are the same."""
    return {
        "code": code, "device": where.type, "torch": torch.__version__, "world": parallel.world(),
    }  # fmt: skip


def _note_changes(state: str | Path, before: Mapping, now: Mapping) -> None:
    changes = [
        f"{key} {before.get(key)}, now {now[key]}" for key in now if before.get(key) != now[key]
    ]
    if changes:
        log.info("%s: made under %s: not the bytes of one run", state, "; ".join(changes))


def _open_together(
    where: torch.device, work: str | Path, made_of: Mapping, settings: Mapping, code: str
) -> Work:
    """The first process alone may discard what is there."""
    if parallel.rank():
        parallel.wait()
    _, opened = _open(where.type, work, made_of, settings, code)
    if not parallel.rank():
        parallel.wait()
    return opened


def _write_model(model: str | Path, trainer: Trainer, tokenizer, made_of: Mapping) -> None:
    with landing_folder(model) as folder:
        trainer.network.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        write_text(folder / "kasu.json", json.dumps(made_of, indent=1, sort_keys=True) + "\n")
    log.info("%s: step %d", model, trainer.step)
