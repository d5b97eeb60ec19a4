"""Vectors that show the grammatical numbers of a sentence and nothing else: no language model."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from kasu.base.errors import KasuError

# The values of each feature of a state (the text of a `kasu.blm.generation.grammar.Form`)
_FEATURES = {
    "subject": ("sg", "pl"),
    "first": ("sg", "pl"),
    "second": ("none", "sg", "pl"),
    "verb": ("sg", "pl"),
    "conjunct": ("no", "yes"),
    "third": ("none", "sg", "pl"),
    "repeated": ("no", "yes"),
}
STATE_WIDTH = sum(map(len, _FEATURES.values()))
# Features are projected to more numbers: the dead units of the last ReLU would lose too many of 16
SPREAD_WIDTH = 128

# Sentences, and what to call with the number done so far -> (sentences, width)
Encode = Callable[[Sequence[str], Callable[[int], None]], np.ndarray]


def state_features(state: str) -> np.ndarray:
    """Encode a state such as `pl|sg|none;verb=sg` as one-hot features: (STATE_WIDTH,) float32.

    Raises:
        KasuError: the text is not a state.
    """
    numbers, *marks = state.split(";")
    given = dict(zip(("subject", "first", "second"), numbers.split("|"), strict=False))
    # Start from a grammatical sentence; the marks name what differs
    given |= {"verb": given["subject"], "conjunct": "no", "third": "none", "repeated": "no"}
    for mark in marks:
        name, _, value = mark.partition("=")
        given[name] = value or "yes"
    row = []
    for name, values in _FEATURES.items():
        if given.get(name) not in values:
            raise KasuError("state", repr(state), f"{name}: {', '.join(values)}")
        row += [float(given[name] == value) for value in values]
    if len(given) > len(_FEATURES):
        raise KasuError("state", repr(state), f"marks of {', '.join(_FEATURES)}")
    return np.array(row, np.float32)


def open_states(states: Mapping[str, str]) -> tuple[Encode, int]:
    """Return an encoder by state features in a fixed random projection, and its width.

    Args:
        states: the state of each sentence.
    """
    spread = np.random.default_rng(1).normal(size=(STATE_WIDTH, SPREAD_WIDTH))
    features = {
        state: (state_features(state) @ spread).astype(np.float32) for state in set(states.values())
    }

    def encode(sentences: Sequence[str], after: Callable[[int], None]) -> np.ndarray:
        after(len(sentences))
        return np.stack([features[states[sentence]] for sentence in sentences])

    return encode, SPREAD_WIDTH
