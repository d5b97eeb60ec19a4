"""Training of a masked language model; everything about a step follows from seed and number.

So order, masks and dropout need no state, and a run that is interrupted, or cut into jobs, ends in
the same bytes (BL2MP-4).
"""

import time
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from transformers import BertForMaskedLM, PreTrainedTokenizerFast

from kasu.base.errors import KasuError
from kasu.base.run import Progress, log, seed_of
from kasu.lm.pretraining.masking import MASKED_SHARE
from kasu.lm.pretraining.packing import MaskedRows, Packed
from kasu.lm.pretraining.parallel import add_up, rank, world
from kasu.lm.pretraining.recipes import bert_config, operations
from kasu.lm.pretraining.schedule import learning_rate
from kasu.lm.pretraining.tokenizer import word_starts
from kasu.lm.pretraining.training_state import restore_training, training_tensors
from kasu.neural.resume import Work

HISTORY = ("step", "train_loss", "validation_loss", "validation_accuracy", "majority_accuracy")
EPSILON, BETA1, CLIP = 1e-6, 0.9, 1.0  # BERT's own
# bfloat16, dense, of data sheets: operations a second
PEAKS = {"H200": 989e12, "H100": 989e12, "A100": 312e12, "L40S": 362e12}
PLACES = 128  # if every pass had another size, the heap would grow with the steps
NO_GUESS = -100  # what `cross_entropy` leaves out


class Pass(NamedTuple):
    """A part of a batch that is in memory at once.

    read: (rows, length); at: (places) in the flattened rows; gold: (places), NO_GUESS where a
    place is there to fill up to a multiple of PLACES.
    """

    read: Tensor
    at: Tensor
    gold: Tensor


class Trainer:
    """A network, its optimiser and its rows.

    Attributes:
        step: how many steps are done.
        rows: the history so far, mappings of HISTORY.
    """

    def __init__(
        self,
        tokens: str | Path,
        validation: str | Path,
        tokenizer: PreTrainedTokenizerFast,
        settings: Mapping,
        seed: int,
        device: torch.device,
    ) -> None:
        """Make them.

        Args:
            tokens, validation: streams that `encode_corpus` wrote.
            settings: what `recipes.complete` gives.

        Raises:
            KasuError: a stream that is none, is too short, or of a larger vocabulary.
        """
        self.settings, self.seed, self.device = settings, seed, device
        begins = word_starts(tokenizer)
        if settings["masking"] == "token":
            begins = np.ones_like(begins)
        packed, held_out = (Packed(path, settings["length"]) for path in (tokens, validation))
        self.training = MaskedRows(packed, begins, seed, settings["copies"])
        self.held_out = MaskedRows(held_out, begins, seed_of("held out"))
        for path, stream in ((tokens, packed), (validation, held_out)):
            if (largest := stream.largest()) >= len(begins):
                raise KasuError(path, f"token {largest}", f"less than {len(begins)}")
        self.most_frequent = packed.most_frequent()
        torch.manual_seed(seed_of(seed, "weights"))
        self.network = BertForMaskedLM(bert_config(len(begins), settings)).to(device)
        self.optimizer = _make_optimizer(self.network, settings)
        compiled = settings["compile"] and device.type == "cuda"
        self._encode = torch.compile(self.network.bert) if compiled else self.network.bert
        self.step, self.rows, self._loss_sum = 0, [], 0.0
        self._spent = [0.0, 0.0, 0]  # seconds in all and waiting for data, tokens
        if rank() == 0:
            size = sum(weight.numel() for weight in self.network.parameters())
            log.info(
                "%d rows of %d tokens, vocabulary %d, %d weights, on %d %s", len(packed),
                settings["length"], len(begins), size, world(), device.type,
            )  # fmt: skip

    def run(self, until: int, evaluate_at: Collection[int], work: Work, made_of: Mapping) -> None:
        """Train up to step `until`, from the state of `work` if there is one.

        Args:
            evaluate_at: the steps after which a row of the history is due.
            made_of: facts that the state is kept with.
        """
        if kept := work.load("state"):
            self.restore(kept["tensors"], kept["plain"])
            log.info("resumes at step %d", self.step)
        size = self.settings["tokens_per_batch"]
        progress = Progress("pretraining", until * size, "tokens", before=self.step * size)
        with self._batches(until) as batches:
            for passes, guesses in batches:
                began = time.monotonic()
                self._train(passes, guesses)
                self._spent[0] += time.monotonic() - began
                progress.add(size)
                if self.step in evaluate_at:
                    self._evaluate()
                if rank() == 0 and work.due():
                    tensors = training_tensors(self.network, self.optimizer)
                    work.save("state", {"tensors": tensors, "plain": self.plain(made_of)})
        self._report()

    def plain(self, made_of: Mapping) -> dict:
        """The state but for the tensors."""
        return {
            "made_of": dict(made_of), "step": self.step, "loss_sum": self._loss_sum,
            "rows": self.rows,
        }  # fmt: skip

    def restore(self, tensors: Mapping[str, Tensor], plain: Mapping) -> None:
        """Go on from a state."""
        restore_training(self.network, self.optimizer, tensors)
        self.step, self._loss_sum = plain["step"], plain["loss_sum"]
        self.rows = [dict(row) for row in plain["rows"]]

    @contextmanager
    def _batches(self, until: int) -> Iterator[Iterator[tuple[list[tuple[int, Pass]], int]]]:
        """The batches of the steps to come, each made while the one before is trained on."""
        with ThreadPoolExecutor(1) as thread:

            def batches() -> Iterator[tuple[list[tuple[int, Pass]], int]]:
                following = thread.submit(self._batch, self.step)
                while self.step < until:
                    ready = _timed(following, self._spent)
                    if self.step + 1 < until:
                        following = thread.submit(self._batch, self.step + 1)
                    yield ready

            yield batches()

    def _batch(self, step: int) -> tuple[list[tuple[int, Pass]], int]:
        """The passes of this process, numbered, and the guesses of all in the batch."""
        rows = self.settings["tokens_per_batch"] // self.settings["length"]
        taken = self.training.take(step * rows, rows)
        size = self.settings["tokens_per_pass"] // self.settings["length"]
        passes = [
            (number, self._make_pass(*(values[start : start + size] for values in taken)))
            for number, start in enumerate(range(0, rows, size))
            if number % world() == rank()
        ]
        return passes, int(taken[2].sum())

    def _make_pass(self, read: np.ndarray, gold: np.ndarray, hidden: np.ndarray) -> Pass:
        at, gold = np.flatnonzero(hidden), gold[hidden]
        fill = (0, -len(at) % PLACES)
        filled = np.pad(at, fill), np.pad(gold, fill, constant_values=NO_GUESS)
        tensors = map(torch.from_numpy, (read, *filled))
        if self.device.type == "cuda":
            tensors = (t.pin_memory().to(self.device, non_blocking=True) for t in tensors)
        return Pass(*tensors)

    def _train(self, passes: list[tuple[int, Pass]], guesses: int) -> None:
        rate = learning_rate(self.step, self.settings)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.network.train()
        self.optimizer.zero_grad()
        total = torch.zeros(1, device=self.device)
        for number, part in passes:
            torch.manual_seed(seed_of(self.seed, "dropout", self.step, number))
            logits = self._guess(part)
            # Over the guesses of the whole batch, so that passes add up to it
            loss = functional.cross_entropy(logits, part.gold, reduction="sum") / max(guesses, 1)
            loss.backward()
            total += loss.detach()
        weights = list(self.network.parameters())
        for weight in weights:
            if weight.grad is None:
                weight.grad = torch.zeros_like(weight)
        add_up([total, *(weight.grad for weight in weights)])
        value = total.item()
        self.step += 1
        if not np.isfinite(value):
            expected = "a finite loss (a lower learning_rate may help)"
            raise KasuError(f"pretraining, step {self.step}", f"loss {value}", expected)
        torch.nn.utils.clip_grad_norm_(weights, CLIP)
        self.optimizer.step()
        self._loss_sum += value
        self._spent[2] += self.settings["tokens_per_batch"]

    def _guess(self, part: Pass) -> Tensor:
        """(places, vocabulary): the vocabulary is wide, so only hidden places are asked."""
        narrow = self.settings["precision"] == "bfloat16"
        with torch.autocast(self.device.type, torch.bfloat16, enabled=narrow):
            states = self._encode(input_ids=part.read).last_hidden_state
            return self.network.cls(states.flatten(0, 1).index_select(0, part.at)).float()

    @torch.no_grad()
    def _evaluate(self) -> None:
        self.network.eval()
        loss = right = majority = count = 0
        size = self.settings["tokens_per_pass"] // self.settings["length"]
        asked = -(-self.settings["validation_tokens"] // self.settings["length"])
        for start in range(0, min(asked, len(self.held_out.packed)), size):
            part = self._make_pass(*self.held_out.in_order(start, size))
            logits = self._guess(part)
            loss += functional.cross_entropy(logits, part.gold, reduction="sum").item()
            right += (logits.argmax(1) == part.gold).sum().item()
            majority += (part.gold == self.most_frequent).sum().item()
            count += (part.gold != NO_GUESS).sum().item()
        done = self.step - (self.rows[-1]["step"] if self.rows else 0)
        count = max(count, 1)
        values = self.step, self._loss_sum / done, loss / count, right / count, majority / count
        self.rows.append(dict(zip(HISTORY, values, strict=True)))
        self._loss_sum = 0.0
        if rank() == 0:
            row = self.rows[-1].items()
            log.info("%s", ", ".join(f"{key} {value:.5g}" for key, value in row))

    def _report(self) -> None:
        """Speed, the share of the time spent waiting for data, and of the GPU's bfloat16 peak."""
        seconds, waited, tokens = self._spent
        if rank() or not tokens:
            return
        rate = tokens / (seconds + waited)
        line = f"{rate:.0f} tokens/s, {waited / (seconds + waited):.1%} of the time without data"
        if self.device.type == "cuda" and self.settings["precision"] == "bfloat16":
            name = torch.cuda.get_device_name(self.device)
            peak = next((peak for key, peak in PEAKS.items() if key in name), None)
            cost = operations(self.settings, self.network.config.vocab_size, MASKED_SHARE)
            if peak:
                line += f", {rate * cost / peak / world():.1%} of the operations of {name}"
        log.info("%s", line)


def _timed(following: Future, spent: list[float]) -> tuple[list[tuple[int, Pass]], int]:
    began = time.monotonic()
    ready = following.result()
    spent[1] += time.monotonic() - began
    return ready


def _make_optimizer(network: torch.nn.Module, settings: Mapping) -> torch.optim.AdamW:
    decayed = [weight for weight in network.parameters() if weight.ndim > 1]
    others = [weight for weight in network.parameters() if weight.ndim <= 1]
    groups = [
        {"params": decayed, "weight_decay": settings["weight_decay"]},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, betas=(BETA1, settings["beta2"]), eps=EPSILON, fused=True)
