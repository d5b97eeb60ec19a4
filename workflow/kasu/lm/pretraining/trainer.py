"""Training of a masked language model; seed and number determine everything about a step.

So order, masks and dropout have no state, and a run that is interrupted or cut into jobs ends with
the same bytes (BL2MP-4).
"""

import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from kasu.base.errors import KasuError
from kasu.base.limits import hint
from kasu.job.run import Progress, log, seed_of
from kasu.lm.pretraining.batches import NO_GUESS, Batches, Pass, TrainingBatch, make_pass
from kasu.lm.pretraining.masking import MASKED_SHARE
from kasu.lm.pretraining.packing import MaskedRows, Packed
from kasu.lm.pretraining.parallel import add_up, rank, world
from kasu.lm.pretraining.recipes import HEAD, operations
from kasu.lm.pretraining.schedule import learning_rate
from kasu.lm.pretraining.tokenizer import PAD, word_starts
from kasu.lm.pretraining.training_state import restore_training, training_tensors
from kasu.neural.resume import Work

HISTORY = ("step", "train_loss", "validation_loss", "validation_accuracy", "majority_accuracy")
EPSILON, BETA1, CLIP = 1e-6, 0.9, 1.0  # BERT's own
# Dense bfloat16 operations per second, from data sheets, of GPUs whose name contains a key: the
# first one that it contains
PEAKS = {
    "H200 NVL": 835e12, "H200": 989e12, "H100 NVL": 835e12, "H100 PCIe": 756e12, "H100": 989e12,
    "A100": 312e12, "L40S": 362e12,
}  # fmt: skip


class Trainer:
    """A network, its optimiser and its rows.

    Attributes:
        step: the number of steps done.
        rows: the history so far, mappings of HISTORY.
    """

    @hint(change="a smaller hidden, or fewer layers")
    def __init__(
        self,
        tokens: str | Path,
        validation: str | Path,
        tokenizer: PreTrainedTokenizerFast,
        settings: Mapping,
        seed: int,
        device: torch.device,
    ) -> None:
        """Open the streams and initialise the network.

        Args:
            tokens, validation: streams that `encode_corpus` wrote.
            settings: those of `recipes.complete`.

        Raises:
            KasuError: a stream is unreadable, too short, or of a larger vocabulary, or no token of
                the validation text is masked.
        """
        self.settings, self.seed, self.device = settings, seed, device
        begins = word_starts(tokenizer)
        if settings["masking"] == "token":
            begins = np.ones_like(begins)
        packed, held_out = (Packed(path, settings["length"]) for path in (tokens, validation))
        for path, stream in ((tokens, packed), (validation, held_out)):
            if (largest := stream.largest()) >= len(begins):
                raise KasuError(path, f"token {largest}", f"less than {len(begins)}")
        rows = MaskedRows(packed, begins, seed, settings["copies"])
        self.batches = Batches(rows, settings, device)
        self.held_out = MaskedRows(held_out, begins, seed_of("held out"))
        asked = -(-settings["validation_tokens"] // settings["length"])
        self._evaluated = min(asked, len(held_out))  # rows
        *_, hidden = self.held_out.in_order(0, self._evaluated)
        if not hidden.any():
            raise KasuError(validation, "no masked token", "a longer validation text")
        self.most_frequent = packed.most_frequent()
        torch.manual_seed(seed_of(seed, "weights"))
        self.network = BertForMaskedLM(bert_config(len(begins), settings)).to(device)
        self.optimizer = _make_optimizer(self.network, settings)
        compiled = settings["compile"] and device.type == "cuda"
        # Embeddings are not compiled: a sum in fixed order would then add the gradients of equal
        # ids one by one, and all tokens have the same type
        if compiled:  # what the compiler makes is to be deterministic, too
            torch.use_deterministic_algorithms(True)
        encoder = self.network.bert.encoder
        self._encode = torch.compile(encoder) if compiled else encoder
        self.step = 0
        self.rows: list[dict[str, float]] = []
        self._loss_sum = 0.0  # since the last row of the history
        self._trained_seconds, self._trained_tokens = 0.0, 0
        if rank() == 0:
            size = sum(weight.numel() for weight in self.network.parameters())
            log.info(
                "%d rows of %d tokens, vocabulary %d, %d weights, on %d %s", len(packed),
                settings["length"], len(begins), size, world(), device.type,
            )  # fmt: skip

    @hint(change="a smaller tokens_per_pass")
    def run(self, until: int, evaluate_at: Collection[int], work: Work, made_of: Mapping) -> None:
        """Train up to step `until`, from the state of `work` if there is one.

        Args:
            evaluate_at: the steps after which a row of the history is due.
            made_of: facts that are stored with the state.
        """
        if kept := work.load("state"):
            self.restore(kept["tensors"], kept["plain"])
            log.info("resumes at step %d", self.step)
        size = self.settings["tokens_per_batch"]
        progress = Progress("pretraining", until * size, "tokens", before=self.step * size)
        with self.batches.between(self.step, until) as batches:
            for batch in batches:
                began = time.monotonic()
                self._train(batch)
                self._trained_seconds += time.monotonic() - began
                progress.add(size)
                if self.step in evaluate_at:
                    self._evaluate()
                if rank() == 0 and work.due():
                    tensors = training_tensors(self.network, self.optimizer)
                    work.save("state", {"tensors": tensors, "plain": self.plain(made_of)})
        self._report()

    def plain(self, made_of: Mapping) -> dict:
        """Return the state except for the tensors."""
        return {
            "made_of": dict(made_of), "step": self.step, "loss_sum": self._loss_sum,
            "rows": self.rows,
        }  # fmt: skip

    def restore(self, tensors: Mapping[str, Tensor], plain: Mapping) -> None:
        """Continue from a state."""
        restore_training(self.network, self.optimizer, tensors)
        self.step, self._loss_sum = plain["step"], plain["loss_sum"]
        self.rows = [dict(row) for row in plain["rows"]]

    def _train(self, batch: TrainingBatch) -> None:
        rate = learning_rate(self.step, self.settings)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.network.train()
        self.optimizer.zero_grad()
        total = torch.zeros(1, device=self.device)
        for number, part in batch.passes:
            torch.manual_seed(seed_of(self.seed, "dropout", self.step, number))
            losses = functional.cross_entropy(self._guess(part), part.gold, reduction="sum")
            # The mean over the whole batch, so that the gradients of its passes add up
            loss = losses / max(batch.guesses, 1)
            loss.backward()
            total += loss.detach()
        weights = list(self.network.parameters())
        for weight in weights:  # a process without a pass still takes part in the sum
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
        self._trained_tokens += self.settings["tokens_per_batch"]

    def _guess(self, part: Pass) -> Tensor:
        """Compute logits (places, vocabulary) only where to predict: the vocabulary is large."""
        narrow = self.settings["precision"] == "bfloat16"
        with torch.autocast(self.device.type, torch.bfloat16, enabled=narrow):
            states = self._encode(self.network.bert.embeddings(part.read)).last_hidden_state
            return self.network.cls(states.flatten(0, 1).index_select(0, part.at)).float()

    @torch.no_grad()
    def _evaluate(self) -> None:
        """Append a row to the history; losses and accuracies are means over predicted tokens."""
        self.network.eval()
        loss = right = majority = count = 0
        size = self.settings["tokens_per_pass"] // self.settings["length"]
        end = self._evaluated
        for start in range(0, end, size):
            # The last pass may be shorter
            part = make_pass(*self.held_out.in_order(start, min(size, end - start)), self.device)
            logits = self._guess(part)
            loss += functional.cross_entropy(logits, part.gold, reduction="sum").item()
            right += (logits.argmax(1) == part.gold).sum().item()
            majority += (part.gold == self.most_frequent).sum().item()
            count += (part.gold != NO_GUESS).sum().item()
        steps = self.step - (self.rows[-1]["step"] if self.rows else 0)
        values = self.step, self._loss_sum / steps, loss / count, right / count, majority / count
        self.rows.append(dict(zip(HISTORY, values, strict=True)))
        self._loss_sum = 0.0
        if rank() == 0:
            row = self.rows[-1].items()
            log.info("%s", ", ".join(f"{key} {value:.5g}" for key, value in row))

    def _report(self) -> None:
        """Log the speed, the share of time without data, and the share of the GPU's peak."""
        tokens, waited = self._trained_tokens, self.batches.waited
        if rank() or not tokens:
            return
        seconds = self._trained_seconds + waited
        rate = tokens / seconds
        line = f"{rate:.0f} tokens/s, {waited / seconds:.1%} of the time without data"
        if self.device.type == "cuda" and self.settings["precision"] == "bfloat16":
            name = torch.cuda.get_device_name(self.device)
            cost = operations(self.settings, self.network.config.vocab_size, MASKED_SHARE)
            if peak := peak_of(name):
                line += f", {rate * cost / peak / world():.1%} of the operations of {name}"
        log.info("%s", line)


def peak_of(name: str) -> float | None:
    """Return a GPU's peak in dense bfloat16 operations per second, by its name; None if unknown."""
    return next((peak for key, peak in PEAKS.items() if key in name), None)


def _make_optimizer(network: torch.nn.Module, settings: Mapping) -> torch.optim.AdamW:
    """Make AdamW as BERT has it: biases and layer norms do not decay."""
    decayed = [weight for weight in network.parameters() if weight.ndim > 1]
    others = [weight for weight in network.parameters() if weight.ndim <= 1]
    groups = [
        {"params": decayed, "weight_decay": settings["weight_decay"]},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, betas=(BETA1, settings["beta2"]), eps=EPSILON, fused=True)


def bert_config(vocabulary: int, settings: Mapping[str, Any]) -> BertConfig:
    """Return BERT as BL2MP-4 has it: heads of width 64, feed-forward layers of 4 × hidden."""
    hidden = settings["hidden"]
    return BertConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=settings["layers"],
        num_attention_heads=hidden // HEAD,
        intermediate_size=4 * hidden,
        max_position_embeddings=settings["length"],
        hidden_dropout_prob=settings["dropout"],
        attention_probs_dropout_prob=settings["dropout"],
        pad_token_id=PAD,
        attn_implementation="sdpa",
    )
