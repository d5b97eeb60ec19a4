"""Pretrain, against the Trainer of transformers on the same model, rows and masks (BL2MP-4).

The peer computes the head at every position, its default. Initial weights, rows, optimiser and
rate are the same. Both use one thread, and the losses of all steps must be equal. The peer needs
accelerate. Tokens are random, so that the vocabulary has the paper's size.
"""

import copy
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
import transformers
from measuring import row
from products import product_rate, share_row
from tokenizers import Tokenizer, models
from torch.utils.data import SequentialSampler
from transformers import BertForMaskedLM, PreTrainedTokenizerFast, TrainingArguments

from kasu.job.run import seed_of
from kasu.lm import PRECISIONS
from kasu.lm.pretraining.masking import MASKED_SHARE
from kasu.lm.pretraining.recipes import complete, operations
from kasu.lm.pretraining.schedule import learning_rate
from kasu.lm.pretraining.tokenizer import BLANK, SEP, SPECIAL
from kasu.lm.pretraining.trainer import BETA1, EPSILON, Trainer
from kasu.neural.device import make_deterministic
from kasu.neural.resume import Work

VOCABULARY = 50_000
TOKENS, SENTENCE = 200_000, 20
STEPS = 4
SIZES = {4: 256, 8: 512}  # layers: hidden
EQUAL = 2e-3  # of the loss of a step
CPU = torch.device("cpu")
# What products may be computed in
DTYPES = {"float32": (torch.float32,), "bfloat16": (torch.float32, torch.bfloat16)}


class Peer(transformers.Trainer):
    """The Trainer of transformers, without shuffling."""

    def _get_train_sampler(self, dataset: object = None) -> SequentialSampler:
        return SequentialSampler(self.train_dataset)


def make_tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer with as many pieces as the paper's; half of them begin a word."""
    pieces = [
        f"{BLANK if number % 2 else ''}a{number}" for number in range(len(SPECIAL), VOCABULARY)
    ]
    numbers = {piece: number for number, piece in enumerate((*SPECIAL, *pieces))}
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.WordLevel(numbers, SPECIAL[1])),
        unk_token=SPECIAL[1],
        pad_token=SPECIAL[0],
    )


def write_stream(path: Path) -> None:
    """Write tokens with the frequencies of words, in sentences of SENTENCE tokens."""
    random = np.random.default_rng(seed_of("bench pretraining"))
    stream = len(SPECIAL) + random.zipf(1.1, TOKENS) % (VOCABULARY - len(SPECIAL))
    stream[SENTENCE::SENTENCE] = SEP
    np.save(path, stream.astype(np.uint16))


def ours(trainer: Trainer, settings: dict, folder: Path) -> tuple[float, list[float]]:
    """CPU seconds of the steps after the first, and the losses of all steps."""
    losses, began = [], 0.0
    work = Work(folder / "work", {}, 600)
    for step in range(1, settings["steps"] + 1):
        before = trainer._loss_sum
        trainer.run(step, (), work, {})
        losses.append(trainer._loss_sum - before)
        began = began or time.process_time()
    return time.process_time() - began, losses


def peers(
    network: BertForMaskedLM, trainer: Trainer, settings: dict, folder: Path, **given: object
) -> tuple[list[float], list[float]]:
    """Times at the end of each step, and the losses of all steps, of transformers.

    It takes the rows, masks and passes of our trainer; `given` are further TrainingArguments.
    """
    size = settings["tokens_per_batch"] // settings["length"]
    within = settings["tokens_per_pass"] // settings["length"]
    read, gold, hidden = map(
        torch.from_numpy, trainer.batches.rows.take(0, size * settings["steps"])
    )
    labels = gold.masked_fill(~hidden, -100)
    rows = [{"input_ids": a, "labels": b} for a, b in zip(read, labels, strict=True)]
    groups = [
        {"params": [w for w in network.parameters() if w.ndim > 1], "weight_decay": 0.01},
        {"params": [w for w in network.parameters() if w.ndim <= 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(
        groups, lr=1.0, betas=(BETA1, settings["beta2"]), eps=EPSILON, fused=True
    )
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: learning_rate(s, settings))
    arguments = TrainingArguments(
        folder / "peer", per_device_train_batch_size=within,
        gradient_accumulation_steps=size // within, max_steps=settings["steps"],
        logging_steps=1, logging_first_step=True, save_strategy="no", report_to="none",
        disable_tqdm=True, max_grad_norm=1.0, **given,
    )  # fmt: skip
    clock = Clock()
    peer = Peer(
        network, arguments, train_dataset=rows, optimizers=(optimizer, rate), callbacks=[clock]
    )
    peer.remove_callback(transformers.PrinterCallback)
    peer.train()
    losses = [float(line["loss"]) for line in peer.state.log_history if "loss" in line]
    return clock.ends, losses


class Clock(transformers.TrainerCallback):
    """Record the CPU time, or with a GPU the time of day, at the end of each step."""

    def __init__(self) -> None:
        self.ends: list[float] = []

    def on_step_end(self, arguments: TrainingArguments, *_: object, **__: object) -> None:
        """Called by the trainer."""
        if arguments.device.type == "cuda":
            torch.cuda.synchronize()
            self.ends.append(time.monotonic())
        else:
            self.ends.append(time.process_time())


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Tokens per CPU second of the recipe `short` on models of the paper's sizes.

    The peer computes in float32; ours in float32 and in bfloat16, which is faster on processors
    with AMX, and on AMD's with AVX512-BF16.
    """
    make_deterministic(1)
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_stream(folder / "tokens.npy")
        for layers, hidden in SIZES.items():
            figures += compare(folder, layers, hidden)
    return figures


def compare(folder: Path, layers: int, hidden: int) -> list[dict[str, object]]:
    """The rows of one model, one per precision."""
    sizes = {"layers": layers, "hidden": hidden, "steps": STEPS}
    measured, rates = {}, {each: product_rate(*DTYPES[each]) for each in PRECISIONS}
    for precision in PRECISIONS:
        settings = complete({**sizes, "precision": precision})
        tokens = folder / "tokens.npy"
        trainer = Trainer(tokens, tokens, make_tokenizer(), settings, 1, CPU)
        network = copy.deepcopy(trainer.network)
        measured[precision] = ours(trainer, settings, folder)
    rates = {each: max(rate, product_rate(*DTYPES[each])) for each, rate in rates.items()}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    torch.use_deterministic_algorithms(False)  # the peer asks for none
    ends, expected = peers(
        network, trainer, settings, folder, use_cpu=True, dataloader_pin_memory=False
    )
    other = ends[-1] - ends[0]
    torch.use_deterministic_algorithms(True)
    tokens = (STEPS - 1) * settings["tokens_per_batch"]
    peer = f"transformers {transformers.__version__} Trainer, {tokens / other:.0f}"
    figures = []
    for precision, (seconds, losses) in measured.items():
        if max(abs(a - b) for a, b in zip(losses, expected, strict=True)) > EQUAL:
            raise SystemExit(f"error: losses {losses} and {expected} of the peer differ")
        item = f"pretraining BERT {layers}L, {precision}, losses within {EQUAL}"
        figures.append(row(item, tokens / seconds, "tokens/CPU-s", peer, other / seconds, peak))
        cost = tokens * operations(settings, VOCABULARY, MASKED_SHARE)
        figures.append(share_row(item, cost, seconds, rates[precision]))
    return figures
