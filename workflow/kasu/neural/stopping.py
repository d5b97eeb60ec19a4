"""When a training ends, and which of its epochs is the best."""

import math
from dataclasses import dataclass
from typing import Literal, Protocol

History = list[dict[str, float]]
"""For each epoch `epoch`, `train_loss` (mean per item) and measures, of which `score` decides."""


def best_epoch(history: History) -> int:
    """Return the epoch with the highest score, the earliest of equals; without scores, the last."""
    best = max(history, key=lambda row: row.get("score", row["epoch"]))
    return int(best["epoch"])


class Stop(Protocol):
    """Decides after each epoch; the history is all that it knows.

    `reload` asks for the weights of the best epoch and half the rate, and then for another epoch.
    """

    def after(self, history: History) -> Literal["go", "stop", "reload"]:
        """Decide after the last epoch of `history`."""
        ...


@dataclass(frozen=True)
class Patience:
    """Stop after `patience` epochs without a better score, or after `epochs`, whatever is first.

    Attributes:
        above: the first better score must exceed this one, or the training ends after `patience`
            epochs. By default any first score will do.
        waits: count no epoch before the first score that exceeds `above`.
    """

    patience: int
    epochs: int
    above: float = -math.inf
    waits: bool = False

    def after(self, history: History) -> Literal["go", "stop"]:
        gained = any(row.get("score", math.inf) > self.above for row in history)
        # The epoch after which none was better
        last = best_epoch(history) if gained else len(history) if self.waits else 0
        idle = len(history) - last
        return "stop" if idle >= self.patience or len(history) >= self.epochs else "go"


@dataclass(frozen=True)
class Window:
    """Stop once the last `window` scores sum up to less than the `window` before them.

    It never stops before `fewest` epochs, and always after `epochs`; without scores only then.

    Source: Ács (2018).
    """

    window: int
    fewest: int
    epochs: int

    def after(self, history: History) -> Literal["go", "stop"]:
        if len(history) >= self.epochs:
            return "stop"
        scores = [row["score"] for row in history if "score" in row]
        if len(history) < self.fewest or len(scores) < 2 * self.window:
            return "go"
        last, before = scores[-self.window :], scores[-2 * self.window : -self.window]
        return "stop" if sum(last) < sum(before) else "go"


@dataclass(frozen=True)
class Extend:
    """Train for `first` epochs, and, while the best is among the last `more`, for `more` further.

    Source: Sharma, Katrapati & Sharma (2018 §3.2).
    """

    first: int
    more: int

    def after(self, history: History) -> Literal["go", "stop"]:
        limit = self.first
        while limit <= len(history):
            if best_epoch(history[:limit]) <= limit - self.more:
                return "stop"
            limit += self.more
        return "go"


@dataclass(frozen=True)
class Ratio:
    """Stop once the loss on dev exceeds `most` times that of training, or after `epochs`.

    Scores are losses on dev with a minus sign, in the unit of `train_loss`. Without scores only
    `epochs` ends a training.

    Source: the released program of Ács (2018).
    """

    most: float
    epochs: int

    def after(self, history: History) -> Literal["go", "stop"]:
        last = history[-1]
        apart = -last.get("score", math.inf) > self.most * last["train_loss"]
        return "stop" if apart or len(history) >= self.epochs else "go"


@dataclass(frozen=True)
class Halve:
    """Reload after each `patience` epochs without a better score; stop once the rate is too low.

    Epochs count from the best one or from the last reload, whichever is later. An epoch without a
    score is no better one.

    Attributes:
        rate: the first rate of the optimizers; a reload halves it.
        least: a rate below it ends the training, in place of a reload.

    Source: Kann, Lauly & Cho (2018 §3.1).
    """

    patience: int
    rate: float
    least: float

    def after(self, history: History) -> Literal["go", "stop", "reload"]:
        best, since, rate, halved = -math.inf, 0, self.rate, False
        for epoch, row in enumerate(history, 1):
            halved = False
            if row.get("score", -math.inf) > best:
                best, since = row["score"], epoch
            elif epoch - since >= self.patience:
                rate, since, halved = rate / 2, epoch, True
        if not halved:
            return "go"
        return "stop" if rate < self.least else "reload"
