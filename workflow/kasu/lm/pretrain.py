"""A small masked language model of Kasu's own, for machines without weights (Devlin et al. 2019).

The folder it writes has the form of Hugging Face, so whatever loads a hub's model loads it.
"""

import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import torch
import transformers
from torch import Tensor
from torch.nn import functional
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from kasu.base.errors import KasuError
from kasu.base.run import Progress, log, seed_of
from kasu.base.tables import file_hash, read_parquet, write_text, write_tsv
from kasu.corpora.text import split_of
from kasu.lm.batching import Batch, pad, token_batches
from kasu.lm.tokenizer import MASK, PAD, SPECIAL, train_tokenizer
from kasu.neural.checkpoint import Work
from kasu.neural.device import make_deterministic, pick_device

MASKED = 0.15  # of the tokens; of these 80 % become [MASK], 10 % another token, 10 % stay
HELD_OUT_TOKENS = 20_000  # the most that an evaluation reads
HISTORY = ("step", "train_loss", "validation_loss", "validation_accuracy", "majority_accuracy")


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
        settings: vocabulary, layers, hidden (a multiple of 64), length (tokens of a sentence; what
            is longer is cut), tokens_per_batch, steps, learning_rate, warmup (share of the steps),
            held_out (share of the text), evaluate_every (steps), threads, checkpoint_every (s).
        code: hash of the code; with config and data it decides whether a state may be resumed.

    Raises:
        KasuError: no such device, too little text, a vocabulary that the text does not fill, a
            loss that is no finite number.
    """
    where = pick_device(device)
    make_deterministic(settings["threads"])
    facts = {key: value for key, value in settings.items() if key != "checkpoint_every"}
    made_of = {"settings": facts, "seed": seed, "corpus": file_hash(corpus)}
    runs_on = {"code": code, "device": where.type, "torch": torch.__version__}
    state = Work(work, made_of | runs_on, settings["checkpoint_every"])
    training, held_out = _read(corpus, settings["held_out"], seed)
    tokenizer = train_tokenizer(training, settings["vocabulary"], settings["length"])
    trainer = _Trainer(tokenizer, training, held_out, settings, seed, where)
    rows = trainer.run(state)
    with _landing_folder(model) as folder:
        trainer.network.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        write_text(folder / "kasu.json", json.dumps(made_of, indent=1, sort_keys=True) + "\n")
    write_tsv(history, rows, HISTORY)
    state.remove()


def _read(corpus: str | Path, held_out: float, seed: int) -> tuple[list[str], list[str]]:
    """The sentences to train on, and those held out: near copies stay on one side."""
    table = read_parquet(corpus, ["text", "split_key"])
    shares = {"train": 1 - held_out, "validation": held_out}
    parts = {"train": [], "validation": []}
    for row in table.to_pylist():
        parts[split_of(row["split_key"], shares, seed)].append(row["text"])
    for name, part in parts.items():
        if not part:
            raise KasuError(corpus, f"no sentence for {name} of {table.num_rows}", "a longer text")
    return parts["train"], parts["validation"]


def mask_tokens(
    matrix: np.ndarray, shown: np.ndarray, vocabulary: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Hide tokens: the matrix that the network reads, and where it has to guess.

    Args:
        matrix: (rows, width) token numbers.
        shown: (rows, width) where they are no padding.

    Returns:
        Both (rows, width); one place in seven or so, at least one, none of them special.
    """
    draw = np.random.default_rng(seed)
    chance, kind = draw.random((2, *matrix.shape))
    chance[~shown | (matrix < len(SPECIAL))] = np.inf
    hidden = chance < MASKED
    hidden[np.unravel_index(chance.argmin(), chance.shape)] = True
    read = matrix.copy()
    read[hidden & (kind < 0.8)] = MASK
    other = hidden & (kind >= 0.9)
    read[other] = draw.integers(len(SPECIAL), vocabulary, other.sum())
    return read, hidden


class _Trainer:
    """The network and its data; every step follows from its number, so little state is kept."""

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerFast,
        training: Sequence[str],
        held_out: Sequence[str],
        settings: Mapping,
        seed: int,
        device: torch.device,
    ) -> None:
        self.settings, self.seed, self.device = settings, seed, device
        self.training = _ids(tokenizer, training)
        self.lengths = np.array([len(row) for row in self.training])
        read = _ids(tokenizer, held_out)
        total = np.cumsum([len(row) for row in read])
        self.held_out = read[: max(1, int(np.searchsorted(total, HELD_OUT_TOKENS)))]
        counts = Counter(token for row in self.training for token in row if token >= len(SPECIAL))
        self.most_frequent = min(counts, key=lambda token: (-counts[token], token))
        torch.manual_seed(seed_of(seed, "weights"))
        self.network = BertForMaskedLM(_config(len(tokenizer), settings)).to(device)
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), betas=(0.9, 0.98), weight_decay=0.01, fused=True
        )
        self.rows: list[dict[str, float]] = []
        self.step, self.loss_sum = 0, 0.0
        self._plan: tuple[int, list[Batch]] = (-1, [])
        size = sum(weight.numel() for weight in self.network.parameters())
        log.info(
            "%d sentences (%d cut), %d tokens, vocabulary %d, %d weights, on %s",
            len(self.training), (self.lengths == settings["length"]).sum(), self.lengths.sum(),
            len(tokenizer), size, device,
        )  # fmt: skip

    def run(self, work: Work) -> list[dict[str, float]]:
        """Train to the last step; return the rows of the history."""
        steps, every = self.settings["steps"], self.settings["evaluate_every"]
        if state := work.load("state"):
            self._restore(state)
            log.info("resumes at step %d", self.step)
        progress = Progress("pretraining", None, "tokens")
        while self.step < steps:
            batch = self._batch()
            self._train(batch)
            progress.add(len(batch.rows) * batch.width)
            if self.step % every == 0 or self.step == steps:
                self._evaluate()
            if work.due():
                work.save("state", self._state())
        return self.rows

    def _batch(self) -> Batch:
        """The batch of the present step; every epoch has as many."""
        epoch, batches = self._plan
        count = len(batches) or len(token_batches(self.lengths, self._tokens))
        if self.step // count != epoch:
            epoch = self.step // count
            order = seed_of(self.seed, "order", epoch)
            self._plan = epoch, token_batches(self.lengths, self._tokens, order)
        return self._plan[1][self.step % count]

    @property
    def _tokens(self) -> int:
        return self.settings["tokens_per_batch"]

    def _train(self, batch: Batch) -> None:
        torch.manual_seed(seed_of(self.seed, "dropout", self.step))
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(self.step, self.settings)
        self.network.train()
        ids = [self.training[row] for row in batch.rows]
        loss, _, _ = self._guess(ids, batch.width, seed_of(self.seed, "mask", self.step))
        self.step += 1
        value = loss.item()
        if not np.isfinite(value):
            expected = "a finite loss (a lower learning_rate may help)"
            raise KasuError(f"pretraining, step {self.step}", f"loss {value}", expected)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.loss_sum += value

    def _guess(
        self, ids: Sequence[list[int]], width: int, seed: int
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The mean loss, the logits (guesses, vocabulary) and the right tokens (guesses)."""
        matrix, shown = pad(ids, width, PAD)
        read, hidden = mask_tokens(matrix, shown, self.network.config.vocab_size, seed)
        read, shown, gold = (
            torch.from_numpy(values).to(self.device) for values in (read, shown, matrix[hidden])
        )
        states = self.network.bert(input_ids=read, attention_mask=shown.long())
        # The vocabulary is wide: ask only where something is hidden
        at = torch.from_numpy(np.flatnonzero(hidden)).to(self.device)
        logits = self.network.cls(states.last_hidden_state.flatten(0, 1).index_select(0, at))
        return functional.cross_entropy(logits, gold), logits, gold

    @torch.inference_mode()
    def _evaluate(self) -> None:
        self.network.eval()
        loss = right = majority = count = 0
        lengths = np.array([len(row) for row in self.held_out])
        for at, (rows, width) in enumerate(token_batches(lengths, self._tokens)):
            ids = [self.held_out[row] for row in rows]
            mean, logits, gold = self._guess(ids, width, seed_of("held out", at))
            loss += mean.item() * len(gold)
            right += (logits.argmax(1) == gold).sum().item()
            majority += (gold == self.most_frequent).sum().item()
            count += len(gold)
        done = self.step - (self.rows[-1]["step"] if self.rows else 0)
        values = self.step, self.loss_sum / done, loss / count, right / count, majority / count
        self.rows.append(dict(zip(HISTORY, values, strict=True)))
        self.loss_sum = 0.0
        log.info("%s", ", ".join(f"{key} {value:.5g}" for key, value in self.rows[-1].items()))

    def _state(self) -> dict[str, object]:
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "plain": {"step": self.step, "loss_sum": self.loss_sum, "rows": self.rows},
        }

    def _restore(self, state: Mapping) -> None:
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        for key, value in state["plain"].items():
            setattr(self, key, value)


def learning_rate(step: int, settings: Mapping) -> float:
    """It rises linearly to its peak over the warm-up, then falls linearly to zero at the end."""
    steps = settings["steps"]
    warm = max(1, round(settings["warmup"] * steps))
    share = (step + 1) / warm if step < warm else (steps - step) / (steps - warm + 1)
    return settings["learning_rate"] * share


def _ids(tokenizer: PreTrainedTokenizerFast, sentences: Sequence[str]) -> list[list[int]]:
    return tokenizer(
        list(sentences), truncation=True, return_attention_mask=False, return_token_type_ids=False
    )["input_ids"]


def _config(vocabulary: int, settings: Mapping) -> BertConfig:
    hidden = settings["hidden"]
    if hidden % 64:
        raise KasuError("settings, hidden", str(hidden), "a multiple of 64, the width of a head")
    return BertConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=settings["layers"],
        num_attention_heads=hidden // 64,
        intermediate_size=4 * hidden,
        max_position_embeddings=settings["length"],
        pad_token_id=PAD,
        attn_implementation="sdpa",
    )


@contextmanager
def _landing_folder(path: str | Path) -> Iterator[Path]:
    """A folder beside `path` that takes its name when the block ends well."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        yield part
        part.chmod(0o755)
        shutil.rmtree(path, ignore_errors=True)
        part.replace(path)
    finally:
        shutil.rmtree(part, ignore_errors=True)
