"""When a run writes checkpoints, and its learning rate at each step.

Imports no network library, since the workflow loads it whenever it is planned.
"""

from collections.abc import Mapping


def learning_rate(step: int, settings: Mapping) -> float:
    """Return the learning rate of a step: a linear warm-up to the peak, then a fall to zero."""
    steps = settings["steps"]
    warm = max(1, round(settings["warmup"] * steps))
    share = (step + 1) / warm if step < warm else (steps - step) / (steps - warm + 1)
    return settings["learning_rate"] * share


def checkpoint_epochs(epochs: int) -> list[int]:
    """Return the powers of two up to `epochs`, and `epochs` itself (BL2MP-4)."""
    powers = [1 << power for power in range(epochs.bit_length()) if 1 << power <= epochs]
    return powers if powers[-1:] == [epochs] else [*powers, epochs]
