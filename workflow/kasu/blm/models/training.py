"""Train the networks of all cells of Table 1 in one process and let them choose."""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypedDict

import numpy as np
import pyarrow as pa
import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from kasu.base.limits import hint
from kasu.blm.data.names import SPLITS, TYPES, RegimeData
from kasu.blm.models.arrays import EmbeddedProblems, Vectors
from kasu.blm.models.networks import choose, make_network, margin_loss, score_candidates
from kasu.blm.models.predictions import (
    PREDICTIONS,
    prediction_table,
    read_problems,
    read_training,
    split_path,
    trains_in,
)
from kasu.files.tables import file_hash, landing, write_parquet, write_tsv
from kasu.job.run import Progress, log, seed_of
from kasu.neural.device import make_deterministic, pick_device
from kasu.neural.optimizers import adam
from kasu.neural.resume import Work
from kasu.neural.stopping import History, Patience, best_epoch
from kasu.neural.training import fit
from kasu.results.statistics import shared

HISTORY = (
    "regime", "fold", "train", "model", "variant", "seed", "epoch", "steps", "train_problems",
    "validation_problems", "train_loss", "validation_loss", "validation_f1", "best",
)  # fmt: skip
_FORWARD = 1000  # problems per forward pass when not training


@dataclass(frozen=True)
class Grid:
    """The networks to train: one for each regime, training type, model, variant and seed.

    Attributes:
        regimes: where each regime's datasets are. `sameTrain` uses the problems that a dataset
            marks for it, so it may share the folder of `allTrain`.
        models: names of networks.make_network.
        seeds: of the networks, used literally: the released code starts each of its runs from 1
            (BLM-15). A fold has one run, from the first of them.
        settings: `variants`, each with `name`, `answers` (answer sets), `sizes` (networks.SIZES),
            `loss` and `score` (networks.SCORES), `epochs` and perhaps `regimes`, its share of the
            regimes; `batch_size`, `patience`, `max_steps` (of each network, or None),
            `learning_rate`, `threads`, `checkpoint_every` (seconds).
        types: the types to train on; all types are tested.
    """

    regimes: Sequence[RegimeData]
    models: Sequence[str]
    seeds: Sequence[int]
    settings: Mapping
    types: Sequence[str] = TYPES

    def runs(self) -> list["Run"]:
        """List the networks in the order of PREDICTIONS."""
        return [
            Run(regime.name, regime.fold, train, model, variant["name"], seed)
            for regime in self.regimes
            for train, model, variant in product(self.types, self.models, self.settings["variants"])
            if trains_in(variant, regime.name)
            for seed in (self.seeds[:1] if regime.fold else self.seeds)
        ]


class Run(NamedTuple):
    """One network of the grid."""

    regime: str
    fold: int | None
    train: str
    model: str
    variant: str
    seed: int

    @property
    def name(self) -> str:
        return "-".join(str(part) for part in self if part is not None)


class _Trained(TypedDict):
    """What is kept of a network: by test type, the positions chosen (problems,); and its epochs."""

    chosen: dict[str, Tensor]
    history: History


def train_networks(
    grid: Grid,
    embeddings: Mapping[str, str | Path],
    work: str | Path,
    *,
    predictions: str | Path,
    history: str | Path,
    device: str,
    code: str,
    weights: str | Path | None = None,
) -> None:
    """Train every network of the grid and test it on all types.

    Args:
        embeddings: by variant, parquet of `sentence` and `vector`.
        work: folder of the resume state, removed at the end.
        predictions: parquet of PREDICTIONS, to write.
        history: TSV of HISTORY, to write: one row per epoch; `best` is 1 for the epoch whose
            weights are tested.
        code: hash of the code; a state is resumed only if code, config and data are the same.
        weights: a folder for the weights of every network (safetensors); None keeps none.

    Raises:
        KasuError: device, model or score is unknown, a dataset or the embeddings are missing or
            malformed, or the loss becomes NaN or infinity.
    """
    # Torch reads this at the first large tensor. Without huge pages a step of the paper's FFNN
    # spends an eighth of its time on page faults
    os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
    where = pick_device(device)
    make_deterministic(grid.settings["threads"])
    state = Work(
        work,
        _facts(grid, embeddings, weights) | {"device": where.type, "code": code},
        grid.settings["checkpoint_every"],
    )
    data = _Data(grid, embeddings, where)
    runs = grid.runs()
    progress = Progress("networks", sum(data.schedule(run).steps for run in runs), "step")
    tables: list[pa.Table] = []
    rows: list[dict[str, object]] = []
    planned = 0
    for run in runs:
        trained = _finished(state, run)
        if trained is None:
            trained = _train(run, data, state, progress, weights)
            # Replaces the state of the training run, which is a thousand times larger
            state.save(run.name, trained)
        # Count the steps that an earlier job has done, or that early stopping has saved
        planned += data.schedule(run).steps
        progress.skip(planned - progress.done)
        tables += data.prediction_tables(run, trained)
        rows += _history_rows(run, data, trained["history"])
    write_parquet(predictions, pa.concat_tables(tables), PREDICTIONS)
    write_tsv(history, rows, HISTORY)
    state.remove()


def _facts(
    grid: Grid, embeddings: Mapping[str, str | Path], weights: str | Path | None
) -> dict[str, object]:
    """Return what a resumed state must share besides device and code."""
    settings = {key: value for key, value in grid.settings.items() if key != "checkpoint_every"}
    data = {
        f"{regime.name}/{regime.fold}/{kind}/{split}": file_hash(
            split_path(regime.folder, kind, split)
        )
        for regime, kind, split in product(grid.regimes, TYPES, SPLITS)
    }
    return {
        "settings": settings,
        "data": data,
        "embeddings": {variant: file_hash(path) for variant, path in embeddings.items()},
        "weights": weights and str(weights),
    }


def _finished(state: Work, run: Run) -> _Trained | None:
    """Return the network if an earlier job has trained and tested it."""
    kept = state.load(run.name)
    if kept is None or "chosen" not in kept:
        return None
    return {"chosen": kept["chosen"], "history": kept["history"]}


class Schedule:
    """The batches of a training run: reshuffled each epoch, with a cap on all steps."""

    def __init__(self, problems: int, settings: Mapping, seed: int) -> None:
        """Plan the epochs.

        Args:
            problems: number of training problems.
            settings: `batch_size`, `epochs`, `max_steps`.
        """
        self.problems, self.size, self.seed = problems, settings["batch_size"], seed
        self.steps_per_epoch = math.ceil(problems / self.size)
        self.steps = settings["epochs"] * self.steps_per_epoch
        if settings["max_steps"] is not None:
            self.steps = min(self.steps, settings["max_steps"])
        self.epochs = math.ceil(self.steps / self.steps_per_epoch)
        self.shortened = self.steps < settings["epochs"] * self.steps_per_epoch

    def steps_after(self, epoch: int) -> int:
        """Return the number of steps done by the end of an epoch, counted from 1."""
        return min(epoch * self.steps_per_epoch, self.steps)

    def capped(self, history: History, patience: int) -> bool:
        """Return whether the cap ended the training before its epochs or its patience did."""
        idle = len(history) - best_epoch(history)
        return self.shortened and len(history) == self.epochs and idle < patience

    def batches(self, epoch: int) -> list[np.ndarray]:
        """Return the rows of each batch of an epoch, counted from 1."""
        rows = np.random.default_rng(seed_of(self.seed, epoch)).permutation(self.problems)
        steps = self.steps_after(epoch) - self.steps_after(epoch - 1)  # fewer in a capped epoch
        return [rows[self.size * step : self.size * (step + 1)] for step in range(steps)]


class _Data:
    """The problems of every network of the grid, each file read once."""

    def __init__(
        self, grid: Grid, embeddings: Mapping[str, str | Path], device: torch.device
    ) -> None:
        self.settings, self.embeddings = grid.settings, embeddings
        self.regimes = {(regime.name, regime.fold): regime for regime in grid.regimes}
        self.variants = {variant["name"]: variant for variant in grid.settings["variants"]}
        self._open = cache(lambda path: Vectors(path, device))
        self._test = cache(self._read_test)
        self._training = cache(self._read_training)

    def vectors(self, run: Run) -> Vectors:
        """Return the sentence vectors of the run's variant."""
        return self._open(self.embeddings[run.variant])

    def _read_test(
        self, folder: str, kind: str, answers: str, vectors: Vectors
    ) -> EmbeddedProblems:
        path = split_path(folder, kind, "test")
        return EmbeddedProblems.of(read_problems(path, answers), vectors, path)

    def _read_training(
        self, regime: RegimeData, kind: str, answers: str, vectors: Vectors
    ) -> tuple[EmbeddedProblems, EmbeddedProblems]:
        tables = zip(read_training(regime, kind, answers), SPLITS[:2], strict=True)
        train, validation = (
            EmbeddedProblems.of(table, vectors, split_path(regime.folder, kind, split))
            for table, split in tables
        )
        return train, validation

    def test(self, run: Run, kind: str) -> EmbeddedProblems:
        """Read the test problems of a type with the answer sets of the run's variant."""
        folder = self.regimes[run.regime, run.fold].folder
        return self._test(folder, kind, self.variants[run.variant]["answers"], self.vectors(run))

    def training(self, run: Run) -> tuple[EmbeddedProblems, EmbeddedProblems]:
        """Return the training and validation problems of a network."""
        regime = self.regimes[run.regime, run.fold]
        answers = self.variants[run.variant]["answers"]
        return self._training(regime, run.train, answers, self.vectors(run))

    def schedule(self, run: Run) -> Schedule:
        """Plan the training run of a network."""
        settings = {**self.settings, "epochs": self.variants[run.variant]["epochs"]}
        return Schedule(len(self.training(run)[0]), settings, run.seed)

    def prediction_tables(self, run: Run, trained: _Trained) -> list[pa.Table]:
        """Build rows of PREDICTIONS, one table per test type."""
        capped = self.schedule(run).capped(trained["history"], self.settings["patience"])
        named = {**run._asdict(), "capped": capped}
        return [
            prediction_table(self.test(run, test).table, positions.numpy(), test=test, **named)
            for test, positions in trained["chosen"].items()
        ]


@hint(change="smaller sizes of a variant or blm.training.batch_size")
def _train(
    run: Run, data: _Data, state: Work, progress: Progress, weights: str | Path | None
) -> _Trained:
    """Train one network and test it on all types."""
    settings, variant, vectors = data.settings, data.variants[run.variant], data.vectors(run)
    problems, held_out = data.training(run)
    schedule = data.schedule(run)
    torch.manual_seed(run.seed)
    network = make_network(run.model, variant["sizes"], vectors.width).to(vectors.device)
    log.info("%s: %d problems, %d steps at most", run.name, len(problems), schedule.steps)

    def loss(rows: np.ndarray) -> Tensor:
        at = torch.from_numpy(rows).to(vectors.device)
        predicted = network(vectors.at(problems.context.index_select(0, at)))
        candidates = vectors.at(problems.candidates.index_select(0, at))
        answer = problems.answer.index_select(0, at)
        return margin_loss(predicted, candidates, answer, variant["loss"])

    best, history = fit(
        network,
        schedule.batches,
        loss,
        lambda: validate(network, held_out, vectors, variant),
        name=run.name,
        stop=Patience(settings["patience"], schedule.epochs),
        optimizers=adam(settings["learning_rate"]),
        work=state,
        progress=progress,
        size=lambda rows: 1,
    )
    network.load_state_dict(best)
    network.eval()
    chosen = {}
    for test in TYPES:
        positions, ties = [], 0
        for predicted, candidates, _ in _forward(network, data.test(run, test), vectors):
            scores = score_candidates(predicted, candidates, variant["score"])
            positions.append(scores.argmax(1))  # as `choose`
            ties += int(shared(scores.cpu().numpy()).sum())
        chosen[test] = torch.cat(positions).cpu()
        if ties:  # a predicted vector of zeros ties all candidates
            log.info("%s, %s: %d of %d problems tie", run.name, test, ties, len(chosen[test]))
    if weights is not None:
        with landing(Path(weights) / f"{run.name}.safetensors") as part:
            save_file(best, part)
    return {"chosen": chosen, "history": history}


def validate(
    network: nn.Module, problems: EmbeddedProblems, vectors: Vectors, variant: Mapping
) -> dict[str, float]:
    """Measure mean loss and F1 on held-out problems; `score` picks the epoch of lowest loss."""
    loss, solved = 0.0, 0
    for predicted, candidates, answer in _forward(network, problems, vectors):
        mean = margin_loss(predicted, candidates, answer, variant["loss"])
        loss += mean.item() * len(answer) / len(problems)
        solved += (choose(predicted, candidates, variant["score"]) == answer).sum().item()
    f1 = solved / len(problems)
    return {"validation_loss": loss, "validation_f1": f1, "score": -loss}


@torch.no_grad()
def _forward(
    network: nn.Module, problems: EmbeddedProblems, vectors: Vectors
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Yield predicted vectors, the candidates' vectors and the answers, piece by piece."""
    for begin in range(0, len(problems), _FORWARD):
        piece = slice(begin, begin + _FORWARD)
        predicted = network(vectors.at(problems.context[piece]))
        yield predicted, vectors.at(problems.candidates[piece]), problems.answer[piece]


def _history_rows(run: Run, data: _Data, epochs: History) -> list[dict[str, object]]:
    """Build rows of HISTORY for one network."""
    problems, held_out = data.training(run)
    schedule, best = data.schedule(run), best_epoch(epochs)
    sizes = {"train_problems": len(problems), "validation_problems": len(held_out)}
    return [
        {
            **run._asdict(),
            **sizes,
            **{key: value for key, value in row.items() if key != "score"},
            "steps": schedule.steps_after(int(row["epoch"])),
            "best": int(row["epoch"] == best),
        }
        for row in epochs
    ]
