"""Grammar, sequences and answer sets of BLM-AgrF (An et al. 2023 §2.1; BLM-2 to -4, S-9)."""

import itertools
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError
from kasu.blm.generation.seeds import NUMBERS, Seed

CLAUSES = ("main", "completive", "relative")
VARIANTS = ("released", "paper")
LABELS = ("True", "agreement_error", "N1_alter", "N2_alter", "coordination", "mis_num")
FLIP = {"sg": "pl", "pl": "sg"}


class State(NamedTuple):
    """The numbers in a grammatical sentence: of subject and verb, of PP1, of PP2 (None: no PP2)."""

    subject: str
    first: str
    second: str | None

    def __str__(self) -> str:
        return f"{self.subject}|{self.first}|{self.second or 'none'}"


class Form(NamedTuple):
    """What a sentence consists of: number of the subject, attractors, number of the verb.

    An attractor is named by the column of its chunk in the seeds file, `pp1_sg` or `conjunct2_pl`.
    """

    subject: str
    attractors: tuple[str, ...]
    verb: str

    def __str__(self) -> str:
        """Write the form like a State, then what is wrong or added: `pl|sg|none;verb=sg`."""
        numbers = [attractor[-2:] for attractor in self.attractors]
        kinds = [attractor[:-3] for attractor in self.attractors]
        second = numbers[1] if "pp2" in kinds or "conjunct2" in kinds else "none"
        text = f"{self.subject}|{numbers[0]}|{second}"
        if self.verb != self.subject:
            text += f";verb={self.verb}"
        if kinds[-1].startswith("conjunct"):
            text += ";conjunct"
        if "pp3" in kinds:
            text += f";third={numbers[-1]}"
        if len(set(kinds)) < len(kinds):
            text += ";repeated"
        return text


STATES = tuple(State(*state) for state in itertools.product(NUMBERS, NUMBERS, (None, *NUMBERS)))


def _sequences() -> np.ndarray:
    rows = []
    for subject, first in itertools.product(NUMBERS, NUMBERS):
        # PP2 is the same in the first four sentences, and another in the last four
        for blocks in itertools.permutations((None, *NUMBERS), 2):
            # The subject alternates with every sentence, PP1 with every two
            rows.append(
                [
                    STATES.index((s, a, second))
                    for second in blocks
                    for a in (first, FLIP[first])
                    for s in (subject, FLIP[subject])
                ]
            )
    return np.array(rows)


# (24 sequences, 8 sentences) of positions in STATES, in the order of the released files (BLM-3)
SEQUENCES = _sequences()


def form_of(state: State) -> Form:
    """Return the grammatical sentence of a state (BLM-2)."""
    second = () if state.second is None else (f"pp2_{state.second}",)
    return Form(state.subject, (f"pp1_{state.first}", *second), state.subject)


def sentence(seed: Seed, clause: str, form: Form) -> str:
    """Assemble a sentence by the template of its clause type (BLM-2).

    main: subject, attractors, verb; completive: the same after a prefix; relative: the same with a
    relative clause before the verb.
    """
    columns = [f"subject_{form.subject}", *form.attractors, f"verb_{form.verb}"]
    if clause == "completive":
        columns.insert(0, "prefix")
    elif clause == "relative":
        columns.insert(-1, "relative_pl" if form.subject == "pl" else "relative")
    return seed.join(columns)


def answer_set(state: State, clause: str, variant: str) -> dict[str, Form]:
    """Build the six candidates where `state` is right, by label, in the order of LABELS.

    `released` follows the released data (BLM-4). `paper` follows Figure 5, which prints an answer
    with two attractors (S-9), under the same labels: `N1_alter` is "wrong number for the first
    attractor noun", `N2_alter` for the second, `mis_num` "wrong number of attractors". For an
    answer with one attractor the two variants are the same.

    Raises:
        KasuError: unknown variant.
    """
    if variant not in VARIANTS:
        raise KasuError("variant", repr(variant), " or ".join(VARIANTS))
    if variant == "paper" and state.second is not None:
        return _printed(state, state.second)
    return _released(state, clause)


def _released(state: State, clause: str) -> dict[str, Form]:
    right = form_of(state)
    subject, attractors, _ = right
    *before, last = attractors
    number, flipped = last[-2:], FLIP[subject]
    # In the released data every completive clause repeats the last attractor instead
    one_more = last if clause == "completive" else f"pp{len(attractors) + 1}_{number}"
    conjunct = last.replace("pp", "conjunct")
    return {
        "True": right,
        "agreement_error": Form(subject, attractors, flipped),
        "N1_alter": Form(flipped, attractors, subject),
        "N2_alter": form_of(state._replace(first=FLIP[state.first])),
        "coordination": Form(subject, (*before, conjunct), "pl"),
        "mis_num": Form(subject, (*attractors, one_more), subject),
    }


def _printed(state: State, second: str) -> dict[str, Form]:
    flipped, first = FLIP[state.subject], FLIP[state.first]
    return {
        "True": form_of(state),
        "agreement_error": form_of(state)._replace(subject=flipped),
        "N1_alter": form_of(state._replace(first=first)),
        "N2_alter": form_of(state._replace(second=FLIP[second])),
        "coordination": Form(flipped, (f"pp1_{first}", f"conjunct2_{second}"), flipped),
        "mis_num": form_of(State(flipped, first, None)),
    }


# The context-free grammar of Figure 3; its terminals are columns of a seeds file
RULES: Mapping[str, tuple[str, ...]] = {
    "agreement": ("main", "completive", "relative"),
    "main": ("subject(n) attractors verb(n)",),
    "completive": ("prefix main",),
    "relative": ("subject(n) attractors relative(n) verb(n)",),
    "attractors": ("pp1(n)", "pp1(n) pp2(n)"),
}
