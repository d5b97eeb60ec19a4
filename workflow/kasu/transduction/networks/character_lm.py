"""A language model of characters: how probable a word form is, given its features.

Source: Sorokin (2018) §2.2; details as in the released code.
"""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import RecurrentCell
from kasu.transduction.alphabet import END, PAD, START, Alphabet
from kasu.transduction.batch import pad
from kasu.transduction.features import ManyHot, one_hot
from kasu.transduction.items import Answer, Item
from kasu.transduction.search import TOGETHER


class CharacterLMState(NamedTuple):
    """The state of a CharacterLM.

    Attributes:
        hidden: the state of its cell, (B, size) each; the last but one is its output.
        read: (B, history), the last characters; PAD before the first.
        features: (B, F), embedded.
    """

    hidden: tuple[Tensor, ...]
    read: Tensor
    features: Tensor


class CharacterBatch(NamedTuple):
    """Strings to learn: ids of characters (B, M), from START to END, and of features (B, T)."""

    characters: Tensor
    tags: Tensor

    def __len__(self) -> int:
        """Return the number of strings."""
        return len(self.characters)


class CharacterLM(nn.Module):
    """An LSTM that reads the last characters and the features, and gives the next character.

    Characters are unit vectors, features a vector of 0 and 1. A character that the alphabet lacks
    is UNKNOWN, which is improbable, but not impossible.

    Args:
        history: how many of the last characters a step reads.
        layers, size: of the LSTM.
        feature: width of embedded features.
        dense: width of the layer before the output.
        backward: read strings from their ends.
    """

    PADDING: ClassVar = {"possible": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    def __init__(
        self,
        characters: Alphabet,
        tags: Alphabet,
        *,
        history: int,
        layers: int,
        size: int,
        feature: int,
        dense: int,
        backward: bool = False,
    ) -> None:
        super().__init__()
        self.characters, self.tags, self.history = characters, tags, history
        self.backward = backward
        self.table = one_hot(len(characters), silent=1)  # PAD: nothing was read
        self.many_hot = ManyHot(tags)
        self.features = nn.Linear(self.many_hot.width, feature, bias=False)
        width = history * len(characters) + feature
        self.cell = RecurrentCell("lstm", width, size, layers=layers)
        self.dense = nn.Linear(size, dense)
        self.output = nn.Linear(dense, len(characters))
        possible = torch.zeros(len(characters))
        possible[[PAD, START]] = -torch.inf
        self.register_buffer("possible", possible, persistent=False)

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> CharacterBatch:
        """Return the targets of items; neither the seed nor the epoch makes a difference."""
        return self._batch([item.target or "" for item in items], [item.tags for item in items])

    def _batch(
        self, strings: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
    ) -> CharacterBatch:
        step = -1 if self.backward else 1
        rows = [[START, *self.characters.encode(each[::step]), END] for each in strings]
        features = [self.tags.encode(each) or [PAD] for each in tags]
        device = self.output.weight.device
        return CharacterBatch(pad(rows, device), pad(features, device))

    def loss(self, batch: CharacterBatch) -> Tensor:
        """Return the mean loss per character, that of END too, in nats."""
        return self(*self.inputs(batch))

    def inputs(self, batch: CharacterBatch) -> list[Tensor]:
        """Return the tensors of a batch."""
        return [*batch]

    def forward(self, characters: Tensor, tags: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns."""
        right = self._right(characters, tags)
        return -right.sum() / (characters[:, 1:] != PAD).sum()

    def _right(self, characters: Tensor, tags: Tensor) -> Tensor:
        """Return the log probability of each character after START, (B, M - 1); of PAD 0."""
        log_probs = self._write(self.states(characters[:, :-1], tags))
        following = characters[:, 1:].unsqueeze(2)
        return log_probs.gather(2, following).masked_fill(following == PAD, 0).squeeze(2)

    def states(self, characters: Tensor, tags: Tensor) -> Tensor:
        """Return the output of the LSTM after each character (B, M, size); the first is START."""
        before = nn.functional.pad(characters, (self.history - 1, 0), value=PAD)
        # What each step reads, (B, M, history)
        read = before.unfold(1, self.history, 1)
        features = self._embed(tags).unsqueeze(1).expand(-1, characters.shape[1], -1)
        inputs = self._join(features, read)
        outputs, _ = self.cell.run(inputs, self.cell.zeros(len(characters)))
        return outputs

    def _join(self, features: Tensor, read: Tensor) -> Tensor:
        """Return what a step reads: features (…, F) and characters (…, history)."""
        # By character, then by place, so that a further character is a further part at the end:
        # only then can models of several alphabets be stacked
        return torch.cat([features, self.table(read).mT.flatten(-2)], -1)

    def _embed(self, tags: Tensor) -> Tensor:
        return self.features(self.many_hot(tags)).relu()

    def _write(self, outputs: Tensor) -> Tensor:
        """Return log probabilities (…, V) after outputs of the LSTM (…, size)."""
        scores = self.output(self.dense(outputs).relu())
        return (scores + self.possible).log_softmax(-1)

    def start(self, tags: Tensor) -> CharacterLMState:
        """Return the state before START, given features (B, T)."""
        read = tags.new_full((len(tags), self.history), PAD)
        return CharacterLMState(self.cell.zeros(len(tags)), read, self._embed(tags))

    def advance(self, state: CharacterLMState, previous: Tensor) -> CharacterLMState:
        """Return the state after one more character (B,)."""
        read = torch.cat([state.read[:, 1:], previous.unsqueeze(1)], 1)
        _, hidden = self.cell.step(self._join(state.features, read), state.hidden)
        return state._replace(hidden=hidden, read=read)

    def step(self, state: CharacterLMState, previous: Tensor) -> tuple[Tensor, CharacterLMState]:
        """Return log probabilities (B, V) after the characters `previous` (B,), and the state."""
        state = self.advance(state, previous)
        return self._write(state.hidden[-2]), state

    @torch.no_grad()
    def log_prob(self, strings: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> Tensor:
        """Return the log probability of each string with its end, (B,), in nats."""
        found = torch.zeros(len(strings), dtype=torch.float64)
        # Those of similar length together
        order = sorted(range(len(strings)), key=lambda place: len(strings[place]))
        for start in range(0, len(order), TOGETHER):
            places = order[start : start + TOGETHER]
            batch = self._batch([strings[at] for at in places], [tags[at] for at in places])
            found[places] = self._right(*batch).sum(1, dtype=torch.float64).cpu()
        return found

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the own target of each item, with its log probability; there is no search."""
        targets = ["".join(item.target or "") for item in items]
        scores = self.log_prob(targets, [item.tags for item in items]).tolist()
        return [Answer([form], [score]) for form, score in zip(targets, scores, strict=True)]


def rank(
    models: Sequence[CharacterLM],
    items: Sequence[Item],
    forms: Sequence[Sequence[str]],
    count: int,
) -> list[Answer]:
    """Return the `count` most probable forms of each item; of equals, the first comes first.

    Their scores are the sums of the models' log probabilities.
    """
    scores = log_probs(models, items, forms)
    return [best(*each, count) for each in zip(forms, scores, strict=True)]


def log_probs(
    models: Sequence[CharacterLM], items: Sequence[Item], forms: Sequence[Sequence[str]]
) -> list[list[float]]:
    """Return the log probability of each form of each item, summed over models."""
    strings = [form for each in forms for form in each]
    tags = [item.tags for item, each in zip(items, forms, strict=True) for _ in each]
    scores = iter(sum(model.log_prob(strings, tags) for model in models).tolist())
    return [[next(scores) for _ in each] for each in forms]


def best(forms: Sequence[str], scores: Sequence[float], count: int) -> Answer:
    """Return the forms of the highest scores; of equals, the first comes first."""
    ranked = sorted(zip(scores, forms, strict=True), key=lambda pair: -pair[0])[:count]
    return Answer([form for _, form in ranked], [score for score, _ in ranked])
