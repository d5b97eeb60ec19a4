"""Pretrain a masked language model, in one job or in a chain of jobs from checkpoint to checkpoint.

Models are written in Hugging Face form, so they load like those of a hub.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch
import transformers
from transformers import PreTrainedTokenizerFast

from kasu.base.errors import KasuError
from kasu.files.parts import landing_folder
from kasu.files.seals import folder_hash
from kasu.files.tables import file_hash, write_text, write_tsv
from kasu.job.run import log, run_each
from kasu.lm.pretraining import parallel
from kasu.lm.pretraining.packing import encode_corpus
from kasu.lm.pretraining.recipes import complete, facts
from kasu.lm.pretraining.schedule import checkpoint_epochs
from kasu.lm.pretraining.texts import CorpusPart
from kasu.lm.pretraining.tokenizer import read_tokenizer, write_tokenizer
from kasu.lm.pretraining.trainer import HISTORY, Trainer
from kasu.lm.pretraining.training_state import load_state, save_state, training_tensors
from kasu.neural.device import make_deterministic, pick_device
from kasu.neural.resume import Work

EPOCH_HISTORY = ("epoch", *HISTORY)

transformers.utils.logging.disable_progress_bar()


@dataclass(frozen=True)
class CheckpointJob:
    """A job of a chain that trains one model from one checkpoint to another (BL2MP-4).

    Attributes:
        tokens, validation: streams that `encode_corpus` wrote.
        tokenizer: the folder of the tokenizer that the streams were written with.
        previous: the state to continue from; None begins a chain.
        model: the folder to write: config, safetensors, tokenizer.
        state: the file to write for the next job, three times the size of the model; None for
            the last job.
        history: TSV to write (EPOCH_HISTORY), one row per checkpoint since the beginning of the
            chain; see `pretrain`.
        work: folder of the resume state, removed at the end.
        epoch: the checkpoint to train to; an epoch has `steps_per_epoch` steps, whatever the text.
        settings: those of `recipes.complete`, with epochs and steps_per_epoch.
        code: hash of the code; with config and data it decides whether `work` may be resumed.
        keep: keep `work` with the state at the end, for a caller whose job goes on.
    """

    tokens: str | Path
    validation: str | Path
    tokenizer: str | Path
    previous: str | Path | None
    model: str | Path
    state: str | Path | None
    history: str | Path
    work: str | Path
    epoch: int
    settings: Mapping
    seed: int
    device: str
    code: str
    keep: bool = False


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
    """Train a tokenizer and a masked language model on a corpus; every run gives the same bytes.

    Args:
        corpus: parquet with `text`, one sentence per row, and `split_key`.
        model: the folder to write: config, safetensors, tokenizer.
        history: TSV to write (HISTORY), one row per evaluation: losses in nats per masked token,
            the accuracy on masked tokens, and that of always guessing the most frequent token of
            the training text. All but the training loss are of held-out sentences.
        work: folder of the resume state, removed at the end.
        settings: those of `recipes.complete`, and vocabulary (pieces), held_out (share of the
            text), evaluate_every (steps).
        code: hash of the code; with config and data it decides whether `work` may be resumed.

    Raises:
        KasuError: no such device, too little text, a vocabulary smaller than its letters, a
            wrong setting, a loss that is NaN or infinite.
    """
    settings = complete(settings)
    made_of = {"settings": facts(settings), "seed": seed, "corpus": file_hash(corpus)}
    where = pick_device(device)
    opened = _open(where, work, made_of, settings, code)
    own = opened.folder / "tokenizer"
    parts = {name: CorpusPart(name, settings["held_out"], seed) for name in ("train", "validation")}
    if not own.exists():
        write_tokenizer(
            corpus, own, vocabulary=settings["vocabulary"], length=settings["length"],
            part=parts["train"],
        )  # fmt: skip
    streams = {name: opened.folder / f"{name}.npy" for name in parts}
    for name, stream in streams.items():
        if not stream.exists():
            counts = opened.folder / f"{name}.tsv"
            encode_corpus(corpus, own, stream, counts, part=parts[name])
    tokenizer = read_tokenizer(own)
    trainer = Trainer(streams["train"], streams["validation"], tokenizer, settings, seed, where)
    steps, every = settings["steps"], settings["evaluate_every"]
    trainer.run(steps, {*range(every, steps, every), steps}, opened, made_of)
    _write_model(model, trainer, tokenizer, made_of)
    write_tsv(history, trainer.rows, HISTORY)
    opened.remove()


def pretrain_checkpoint(job: CheckpointJob) -> None:
    """Train from one checkpoint to another; a chain of such jobs is one training run (BL2MP-4).

    Any division into jobs gives the same bytes, and so does a job that is killed and started again,
    on the same kind of device, number of processes and versions of torch and of the code; a job
    that continues under others logs it. Under torchrun every process calls this function, and
    process 0 writes the files.

    Raises:
        KasuError: as `pretrain`; or the previous state is of another run or of a later epoch.
    """
    settings = complete(job.settings)
    ends = _checkpoint_steps(settings)
    if job.epoch not in ends:
        raise KasuError("epoch", str(job.epoch), f"one of {', '.join(map(str, ends))}")
    made_of = {
        "settings": facts(settings), "seed": job.seed, "tokens": file_hash(job.tokens),
        "validation": file_hash(job.validation), "tokenizer": folder_hash(job.tokenizer),
    }  # fmt: skip
    made_here = {
        **made_of, "epoch": job.epoch, "previous": job.previous and file_hash(job.previous)
    }  # fmt: skip
    with parallel.joined(pick_device(job.device)) as where:
        first = parallel.rank() == 0
        opened = _open_together(where, job.work, made_here, settings, job.code)
        tokenizer = read_tokenizer(job.tokenizer)
        trainer = Trainer(job.tokens, job.validation, tokenizer, settings, job.seed, where)
        runs_on = _runs_on(where, job.code)
        if job.previous:
            tensors, plain = load_state(job.previous, made_of)
            _log_changes(job.previous, plain.get("runs_on", {}), runs_on)
            trainer.restore(tensors, plain)
        if trainer.step >= ends[job.epoch]:
            expected = f"one before {ends[job.epoch]}"
            raise KasuError(str(job.previous), f"step {trainer.step}", expected)
        trainer.run(ends[job.epoch], set(ends.values()), opened, made_of)
        if first:
            _write_model(job.model, trainer, tokenizer, {**made_of, "epoch": job.epoch})
            epochs = {step: number for number, step in ends.items()}
            rows = [{"epoch": epochs[int(row["step"])], **row} for row in trainer.rows]
            write_tsv(job.history, rows, EPOCH_HISTORY)
        if first and job.state:
            tensors = training_tensors(trainer.network, trainer.optimizer)
            save_state(job.state, tensors, {**trainer.plain(made_of), "runs_on": runs_on})
        parallel.wait()
        if first and job.keep:
            tensors = training_tensors(trainer.network, trainer.optimizer)
            opened.save("state", {"tensors": tensors, "plain": trainer.plain(made_of)})
        elif first:
            opened.remove()


def pretrain_together(trainings: Mapping[str, Sequence[CheckpointJob]], work: str | Path) -> None:
    """Train several small models, each from checkpoint to checkpoint, in one process (BL2MP-4).

    The bytes are those of jobs of their own. States are kept until all have been trained, so a run
    that is cut off, or in which a model fails, goes on from the last state of each.

    Args:
        trainings: by name the jobs of a model, in the order of their epochs, each with a state.
        work: a folder of what is kept, in place of the jobs' own.

    Raises:
        KasuError: a model could not be trained; the others were.
    """
    run_each({name: partial(_train_on, jobs, Path(work, name)) for name, jobs in trainings.items()})
    shutil.rmtree(work, ignore_errors=True)


def _train_on(jobs: Sequence[CheckpointJob], work: Path) -> None:
    previous = None
    for job in jobs:
        made = replace(job, previous=previous, work=work / str(job.epoch), keep=True)
        pretrain_checkpoint(made)
        previous = job.state


def _checkpoint_steps(settings: Mapping) -> dict[int, int]:
    """Return the last step of each epoch that ends with a checkpoint."""
    if not settings.get("epochs") or not settings.get("steps_per_epoch"):
        raise KasuError("settings", "no epochs or no steps_per_epoch", "both")
    if settings["steps"] != settings["epochs"] * settings["steps_per_epoch"]:
        raise KasuError("settings, steps", str(settings["steps"]), "epochs times steps_per_epoch")
    return {
        epoch: epoch * settings["steps_per_epoch"]
        for epoch in checkpoint_epochs(settings["epochs"])
    }


def _open(
    where: torch.device, work: str | Path, made_of: Mapping, settings: Mapping, code: str
) -> Work:
    """Set threads and determinism; open the folder of the resume state."""
    make_deterministic(settings["threads"])
    facts = {**made_of, **_runs_on(where, code)}
    return Work(work, facts, settings["checkpoint_every"], shared=parallel.rank() > 0)


def _open_together(
    where: torch.device, work: str | Path, made_of: Mapping, settings: Mapping, code: str
) -> Work:
    """Open as `_open` in every process, process 0 first: it may discard a stale state."""
    if parallel.rank():
        parallel.wait()
    opened = _open(where, work, made_of, settings, code)
    if not parallel.rank():
        parallel.wait()
    return opened


def _runs_on(where: torch.device, code: str) -> dict[str, object]:
    """Return the facts that the order of sums depends on; equal facts give equal bytes."""
    return {
        "code": code, "device": where.type, "torch": torch.__version__, "world": parallel.world(),
    }  # fmt: skip


def _log_changes(state: str | Path, before: Mapping, now: Mapping) -> None:
    changes = [
        f"{key} {before.get(key)}, now {now[key]}" for key in now if before.get(key) != now[key]
    ]
    if changes:
        log.warning("%s: made under %s: not the bytes of one run", state, "; ".join(changes))


def _write_model(
    model: str | Path, trainer: Trainer, tokenizer: PreTrainedTokenizerFast, made_of: Mapping
) -> None:
    with landing_folder(model) as folder:
        trainer.network.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        write_text(folder / "kasu.json", json.dumps(made_of, indent=1, sort_keys=True) + "\n")
    log.info("%s: step %d", model, trainer.step)
