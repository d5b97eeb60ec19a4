"""Train the networks of the study and let them choose, all cells of Table 1 in one process."""

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from kasu.base.errors import KasuError
from kasu.base.run import Progress, log, seed_of
from kasu.base.tables import file_hash, landing, write_parquet, write_tsv
from kasu.blm.data.problems import SPLITS, TYPES
from kasu.blm.models.arrays import Problems, Vectors
from kasu.blm.models.networks import choose, make_network, margin_loss
from kasu.blm.models.predictions import PREDICTIONS, SAME, prediction_table, split_path
from kasu.neural.device import make_deterministic, pick_device
from kasu.neural.resume import Work
from kasu.neural.training import History, best_epoch, fit

HISTORY = (
    "regime", "train", "model", "variant", "seed", "epoch", "steps", "train_problems",
    "validation_problems", "train_loss", "validation_loss", "validation_f1", "best",
)  # fmt: skip
_FORWARD = 1000  # problems that go through a network at once where nothing is learnt


def train_networks(
    datasets: Mapping[str, str | Path],
    embeddings: str | Path,
    predictions: str | Path,
    history: str | Path,
    work: str | Path,
    *,
    types: Sequence[str] = TYPES,
    models: Sequence[str],
    seeds: Sequence[int],
    settings: Mapping,
    device: str,
    code: str,
    weights: str | Path | None = None,
) -> None:
    """Train a network for each regime, training type, model, variant and seed; test on all types.

    Args:
        datasets: for each regime (predictions.REGIMES) a folder of datasets. `sameTrain` takes
            the problems that a dataset marks for it, so it may share the folder of `allTrain`.
        embeddings: parquet of `sentence` and `vector`.
        predictions: parquet of PREDICTIONS.
        history: TSV of HISTORY, a row an epoch; `best` is 1 for the epoch whose weights choose.
        work: folder of the resume state, removed at the end.
        types: to train on; all types are tested.
        seeds: of the networks, literally: the released code starts each of its runs from 1
            (BLM-15).
        settings: `variants`, each with `name`, `answers` (answer sets), `sizes` (models.SIZES),
            `loss` and `score` (models.SCORES); `batch_size`, `epochs`, `patience`, `max_steps`
            (of each network, or None), `learning_rate`, `threads`, `checkpoint_every` (seconds).
        code: hash of the code; with config and data it decides whether a state may be resumed.
        weights: a folder for the weights of every network (safetensors); None keeps none.

    Raises:
        KasuError: no such device, model or score, a dataset or an embedding that is missing or
            not what it should be, a loss that is no finite number.
    """
    # Read at the first large tensor: without huge pages a step of the paper's FFNN spends an eighth
    # of its time on page faults
    os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
    where = pick_device(device)
    make_deterministic(settings["threads"])
    facts = {key: value for key, value in settings.items() if key != "checkpoint_every"}
    made_of = {
        "settings": facts,
        "data": _hashes(datasets),
        "embeddings": file_hash(embeddings),
        "weights": weights and str(weights),
    }
    runs_on = {"code": code, "device": where.type, "torch": torch.__version__}
    state = Work(work, made_of | runs_on, settings["checkpoint_every"])
    grid = _Grid(datasets, Vectors(embeddings, where), settings)
    runs = list(_runs(datasets, types, models, settings["variants"], seeds))
    progress = Progress("networks", sum(grid.plan(run).steps for run in runs), "step")
    tables, rows, planned = [], [], 0
    for run in runs:
        kept = state.load(run.name)
        if not (kept and "chosen" in kept):
            kept = _train(run, grid, state, progress, weights)
            # In place of the state of the training, a thousand times its size
            state.save(run.name, kept)
        planned += grid.plan(run).steps
        progress.add(planned - progress.done)  # what was done before, or need not be done
        tables += grid.tables(run, kept["chosen"])
        rows += _history_rows(run, grid, kept["history"])
    write_parquet(predictions, pa.concat_tables(tables), PREDICTIONS)
    write_tsv(history, rows, HISTORY)
    state.remove()


class Run(NamedTuple):
    """One network of the grid."""

    regime: str
    train: str
    model: str
    variant: str
    seed: int

    @property
    def name(self) -> str:
        return "-".join(map(str, self))


def _runs(
    regimes: Iterable[str],
    types: Sequence[str],
    models: Sequence[str],
    variants: Sequence[Mapping],
    seeds: Sequence[int],
) -> Iterator[Run]:
    for regime, train, model, variant, seed in product(regimes, types, models, variants, seeds):
        yield Run(regime, train, model, variant["name"], seed)


def _hashes(datasets: Mapping[str, str | Path]) -> dict[str, dict[str, str]]:
    return {
        regime: {
            f"{kind}/{split}": file_hash(split_path(folder, kind, split))
            for kind in TYPES
            for split in SPLITS
        }
        for regime, folder in datasets.items()
    }


class Plan:
    """The batches of a training: shuffled anew each epoch, cut off after so many steps in all."""

    def __init__(self, problems: int, settings: Mapping, seed: int) -> None:
        """Plan it.

        Args:
            problems: how many there are to train on.
            settings: `batch_size`, `epochs`, `max_steps`.
        """
        self.problems, self.size, self.seed = problems, settings["batch_size"], seed
        self.steps_an_epoch = math.ceil(problems / self.size)
        self.steps = settings["epochs"] * self.steps_an_epoch
        if settings["max_steps"] is not None:
            self.steps = min(self.steps, settings["max_steps"])
        self.epochs = math.ceil(self.steps / self.steps_an_epoch)

    def steps_after(self, epoch: int) -> int:
        """How many steps there were at the end of an epoch, counted from 1."""
        return min(epoch * self.steps_an_epoch, self.steps)

    def batches(self, epoch: int) -> list[np.ndarray]:
        """The rows of each batch of an epoch, counted from 1."""
        rows = np.random.default_rng(seed_of(self.seed, epoch)).permutation(self.problems)
        steps = self.steps_after(epoch) - self.steps_after(epoch - 1)
        return [rows[self.size * step : self.size * (step + 1)] for step in range(steps)]


class _Grid:
    """The data of every cell, each file read once."""

    def __init__(
        self, datasets: Mapping[str, str | Path], vectors: Vectors, settings: Mapping
    ) -> None:
        self.datasets, self.vectors, self.settings = datasets, vectors, settings
        self.variants = {variant["name"]: variant for variant in settings["variants"]}
        self._read = cache(self._read_split)
        self._both = cache(self._read_both)

    def _read_split(self, folder: str | Path, kind: str, split: str, answers: str) -> Problems:
        return Problems.read(split_path(folder, kind, split), answers, self.vectors)

    def split(self, run: Run, kind: str, split: str) -> Problems:
        answers = self.variants[run.variant]["answers"]
        return self._read(self.datasets[run.regime], kind, split, answers)

    def training(self, run: Run) -> tuple[Problems, Problems]:
        """What a network learns from, and what decides on its best epoch."""
        return self._both(run._replace(model="", seed=0))

    def _read_both(self, run: Run) -> tuple[Problems, Problems]:
        train, validation = (self.split(run, run.train, split) for split in SPLITS[:2])
        if run.regime != SAME:
            return train, validation
        pool = train + validation
        train, validation = pool.same_train("train"), pool.same_train("validation")
        if not len(train) or not len(validation):
            where = split_path(self.datasets[run.regime], run.train, "train")
            raise KasuError(where, "no problems of sameTrain", "a column same_train with them")
        return train, validation

    def plan(self, run: Run) -> Plan:
        return Plan(len(self.training(run)[0]), self.settings, run.seed)

    def tables(self, run: Run, chosen: Mapping[str, Tensor]) -> list[pa.Table]:
        return [
            prediction_table(
                self.split(run, test, "test").table, places.numpy(), test=test, **run._asdict()
            )
            for test, places in chosen.items()
        ]


def _train(
    run: Run, grid: _Grid, state: Work, progress: Progress, weights: str | Path | None
) -> dict[str, object]:
    """Train one network: what it chooses on each test set, and its history."""
    settings, variant, vectors = grid.settings, grid.variants[run.variant], grid.vectors
    data, held_out = grid.training(run)
    plan = grid.plan(run)
    torch.manual_seed(run.seed)
    network = make_network(run.model, variant["sizes"], vectors.width).to(vectors.device)
    log.info("%s: %d problems, %d steps at most", run.name, len(data), plan.steps)

    def loss(rows: np.ndarray) -> Tensor:
        at = torch.from_numpy(rows).to(vectors.device)
        predicted = network(vectors.at(data.context.index_select(0, at)))
        candidates = vectors.at(data.candidates.index_select(0, at))
        return margin_loss(predicted, candidates, data.answer.index_select(0, at), variant["loss"])

    best, history = fit(
        network,
        plan.batches,
        loss,
        lambda: validate(network, held_out, vectors, variant),
        name=run.name,
        epochs=plan.epochs,
        patience=settings["patience"],
        learning_rate=settings["learning_rate"],
        work=state,
        after_step=lambda rows: progress.add(),
    )
    network.load_state_dict(best)
    network.eval()
    chosen = {}
    for test in TYPES:
        problems = grid.split(run, test, "test")
        places = [
            choose(*each[:2], variant["score"]) for each in _forward(network, problems, vectors)
        ]
        chosen[test] = torch.cat(places).cpu()
    if weights is not None:
        with landing(Path(weights) / f"{run.name}.safetensors") as part:
            save_file(best, part)
    return {"chosen": chosen, "history": history}


def validate(
    network: nn.Module, problems: Problems, vectors: Vectors, variant: Mapping
) -> dict[str, float]:
    """Mean loss and F1 on held-out problems; the score that picks an epoch is the lower loss."""
    loss, solved = 0.0, 0
    for predicted, candidates, answer in _forward(network, problems, vectors):
        mean = margin_loss(predicted, candidates, answer, variant["loss"])
        loss += mean.item() * len(answer) / len(problems)
        solved += (choose(predicted, candidates, variant["score"]) == answer).sum().item()
    f1 = solved / len(problems)
    return {"validation_loss": loss, "validation_f1": f1, "score": -loss}


@torch.no_grad()
def _forward(
    network: nn.Module, problems: Problems, vectors: Vectors
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Predicted vectors, the candidates' vectors and the answers, piece by piece."""
    for begin in range(0, len(problems), _FORWARD):
        piece = slice(begin, begin + _FORWARD)
        predicted = network(vectors.at(problems.context[piece]))
        yield predicted, vectors.at(problems.candidates[piece]), problems.answer[piece]


def _history_rows(run: Run, grid: _Grid, epochs: History) -> list[dict[str, object]]:
    data, held_out = grid.training(run)
    plan, kept = grid.plan(run), best_epoch(epochs)
    sizes = {"train_problems": len(data), "validation_problems": len(held_out)}
    return [
        {
            **run._asdict(),
            **sizes,
            **{key: value for key, value in row.items() if key != "score"},
            "steps": plan.steps_after(row["epoch"]),
            "best": int(row["epoch"] == kept),
        }
        for row in epochs
    ]
