"""Solvers without a network (spec 4.4 g): an oracle, copy unseen, and chance.

Each takes problems (a table with the columns of `kasu.blm.data.problems.PROBLEMS`) and gives for
each the index of the candidate it chooses.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pyarrow as pa

from kasu.base.run import seed_of
from kasu.blm.data.problems import CONTEXT
from kasu.blm.generation.decoding import Decoder
from kasu.blm.generation.grammar import SEQUENCES, STATES, form_of
from kasu.blm.generation.seeds import Seed
from kasu.blm.generation.substitutions import Lexicon

Solver = Callable[[pa.Table], np.ndarray]


def solvers(seeds: Sequence[Seed], lexicon: Lexicon, seed: int) -> Mapping[str, Solver]:
    """The solvers by name, in the order of tables.

    Args:
        seeds, lexicon: what the oracle reads sentences by.
        seed: of what chance decides; each problem has its own.
    """
    return {
        "oracle": partial(solve_by_rule, decoder=Decoder(seeds, lexicon)),
        "copy_unseen": partial(choose_unseen, seed=seed),
        "random": partial(choose_any, seed=seed),
    }


def choose_any(problems: pa.Table, seed: int) -> np.ndarray:
    """A candidate by chance."""
    columns = (problems[name].to_pylist() for name in ("problem_id", "candidates"))
    return np.array(
        [seed_of(seed, "random", name) % len(texts) for name, texts in zip(*columns, strict=True)]
    )


def choose_unseen(problems: pa.Table, seed: int) -> np.ndarray:
    """A candidate that the context has not, by chance among these; of none, by chance of all."""
    columns = (problems[name].to_pylist() for name in ("problem_id", "context", "candidates"))
    chosen = []
    for name, context, candidates in zip(*columns, strict=True):
        unseen = [at for at, text in enumerate(candidates) if text not in context]
        unseen = unseen or list(range(len(candidates)))
        chosen.append(unseen[seed_of(seed, "copy_unseen", name) % len(unseen)])
    return np.array(chosen)


def solve_by_rule(problems: pa.Table, decoder: Decoder) -> np.ndarray:
    """Read the states of the context off its text and continue the sequence (BLM-3).

    Returns:
        (problems,) the candidate with that form; -1 where none has it, or the context is no
        sequence.
    """
    context, candidates = (problems[name].to_pylist() for name in ("context", "candidates"))
    return np.array(
        [_continue(decoder, *problem) for problem in zip(context, candidates, strict=True)]
    )


def _continue(decoder: Decoder, context: Sequence[str], candidates: Sequence[str]) -> int:
    read = tuple(decoder.read(text) for text in context)
    if read not in _CONTINUED:
        return -1
    forms = [decoder.read(text) for text in candidates]
    right = _CONTINUED[read]
    return forms.index(right) if right in forms else -1


# The contexts of the 24 sequences, as forms, and how each goes on
_CONTINUED = {
    tuple(form_of(STATES[at]) for at in sequence[:CONTEXT]): form_of(STATES[sequence[CONTEXT]])
    for sequence in SEQUENCES
}
