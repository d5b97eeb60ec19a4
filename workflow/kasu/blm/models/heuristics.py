"""Solvers without a network: an oracle, copy unseen, and chance.

Each takes problems (a table with the columns of `kasu.blm.data.problems.PROBLEMS`) and returns, for
each problem, the index of the candidate that it chooses.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pyarrow as pa

from kasu.base.run import seed_of
from kasu.blm.data.problems import CONTEXT
from kasu.blm.generation.decoding import Decoder
from kasu.blm.generation.grammar import SEQUENCES, STATES, Form, form_of
from kasu.blm.generation.seeds import Seed
from kasu.blm.generation.substitutions import Lexicon

Solver = Callable[[pa.Table], np.ndarray]


def solvers(seeds: Sequence[Seed], lexicon: Lexicon, seed: int) -> Mapping[str, Solver]:
    """Return the solvers by name, in the order of the tables.

    Args:
        seeds, lexicon: let the oracle parse the sentences.
        seed: of the random choices, which are independent for each problem.
    """
    return {
        "oracle": partial(solve_by_rule, decoder=Decoder(seeds, lexicon)),
        "copy_unseen": partial(choose_unseen, seed=seed),
        "random": partial(choose_any, seed=seed),
    }


def choose_any(problems: pa.Table, seed: int) -> np.ndarray:
    """Choose a random candidate."""
    columns = (problems[name].to_pylist() for name in ("problem_id", "candidates"))
    return np.array(
        [seed_of(seed, "random", name) % len(texts) for name, texts in zip(*columns, strict=True)]
    )


def choose_unseen(problems: pa.Table, seed: int) -> np.ndarray:
    """Choose a random candidate absent from the context; if none is absent, any."""
    columns = (problems[name].to_pylist() for name in ("problem_id", "context", "candidates"))
    chosen = []
    for name, context, candidates in zip(*columns, strict=True):
        unseen = [at for at, text in enumerate(candidates) if text not in context]
        unseen = unseen or list(range(len(candidates)))
        chosen.append(unseen[seed_of(seed, "copy_unseen", name) % len(unseen)])
    return np.array(chosen)


def solve_by_rule(problems: pa.Table, decoder: Decoder) -> np.ndarray:
    """Parse the context into states and continue the sequence (BLM-3).

    Returns:
        (problems,) the candidate that continues it; -1 if none does, or the context is not one of
        the sequences.
    """
    context, candidates = (problems[name].to_pylist() for name in ("context", "candidates"))
    return np.array(
        [_continue(decoder, *problem) for problem in zip(context, candidates, strict=True)]
    )


def _continue(decoder: Decoder, context: Sequence[str], candidates: Sequence[str]) -> int:
    right = _CONTINUATIONS.get(tuple(decoder.read(text) for text in context))
    if right is None:
        return -1
    forms = [decoder.read(text) for text in candidates]
    return forms.index(right) if right in forms else -1


# The contexts of the 24 sequences as forms, and the form that continues each
_CONTINUATIONS: dict[tuple[Form | None, ...], Form] = {
    tuple(form_of(STATES[at]) for at in sequence[:CONTEXT]): form_of(STATES[sequence[CONTEXT]])
    for sequence in SEQUENCES
}
