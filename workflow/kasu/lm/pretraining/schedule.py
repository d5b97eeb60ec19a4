"""When a training takes its checkpoints, and at which rate it learns; plain arithmetic.

It imports no network library, for the rules of the workflow read it each time they are planned.
"""

from collections.abc import Mapping


def learning_rate(step: int, settings: Mapping) -> float:
    """It rises linearly to its peak over the warm-up, then falls linearly to zero at the end."""
    steps = settings["steps"]
    warm = max(1, round(settings["warmup"] * steps))
    share = (step + 1) / warm if step < warm else (steps - step) / (steps - warm + 1)
    return settings["learning_rate"] * share


def checkpoint_epochs(epochs: int) -> list[int]:
    """1, 2, 4, … up to `epochs`, which is the last whether a power of two or not (BL2MP-4)."""
    powers = [1 << power for power in range(epochs.bit_length()) if 1 << power <= epochs]
    return powers if powers[-1:] == [epochs] else [*powers, epochs]
