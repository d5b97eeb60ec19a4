"""Solvers without a network: an oracle, and nulls that do not know the rule (names.NULLS).

Each takes problems (a table with the columns of `kasu.blm.data.problems.PROBLEMS`) and returns, for
each problem, the index of the candidate that it chooses, the first of equals. Candidates stand in
random order, so on average a tie is worth a guess, as in `kasu.results.statistics.worth`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.audits.nulls.bags import bags_of_words, medoid_scores, parallelogram_scores
from kasu.audits.nulls.plain import most_often_right
from kasu.blm.data.names import ORACLE
from kasu.blm.data.problems import CANDIDATES, CONTEXT
from kasu.blm.generation.decoding import Decoder
from kasu.blm.generation.grammar import SEQUENCES, STATES, Form, form_of
from kasu.blm.generation.seeds import Seed
from kasu.blm.generation.substitutions import Lexicon
from kasu.job.run import log, seed_of
from kasu.results.statistics import shared

Solver = Callable[[pa.Table], np.ndarray]
LearnedSolver = Callable[[pa.Table, pa.Table], np.ndarray]  # training problems first


def solvers(seeds: Sequence[Seed], lexicon: Lexicon, seed: int) -> Mapping[str, Solver]:
    """Return the solvers that read no training set, by name.

    Args:
        seeds, lexicon: let the oracle parse the sentences.
        seed: of the random choices, which are independent for each problem.
    """
    return {
        ORACLE: partial(solve_by_rule, decoder=Decoder(seeds, lexicon)),
        "parallelogram": complete_parallelogram,
        "medoid": choose_medoid,
        "copy_unseen": partial(choose_unseen, seed=seed),
        "random": partial(choose_any, seed=seed),
    }


def complete_parallelogram(problems: pa.Table) -> np.ndarray:
    """Choose the candidate nearest to sentence 7 + sentence 6 - sentence 5, by bags of words.

    Sentences 5 to 8 of a matrix cross the numbers of subject and first attractor. If all have the
    same words, the sum is the bag of the right answer. The nearest has the highest cosine.
    """
    context = [text for texts in problems["context"].to_pylist() for text in texts[-3:]]
    candidates = _flat(problems["candidates"])
    bags = bags_of_words([*context, *candidates])
    scores = parallelogram_scores(bags[: len(context)], bags[len(context) :], CANDIDATES)
    return _first_of_equals("parallelogram", scores)


def choose_medoid(problems: pa.Table) -> np.ndarray:
    """Choose the candidate most like the other five, by bags of words; the context is not read.

    All wrong candidates are made from the right one, so they resemble it most.
    """
    bags = bags_of_words(_flat(problems["candidates"]))
    return _first_of_equals("medoid", medoid_scores(bags, CANDIDATES))


def choose_frequent(training: pa.Table, problems: pa.Table) -> np.ndarray:
    """Choose the candidate that was most often the right answer in the training problems."""
    columns = (training[name].to_pylist() for name in ("candidates", "answer"))
    right = (texts[answer] for texts, answer in zip(*columns, strict=True))
    scores = most_often_right(right, problems["candidates"].to_pylist())
    return _first_of_equals("frequency", scores)


# By name, the solvers that learn from training problems
LEARNED: Mapping[str, LearnedSolver] = {"frequency": choose_frequent}


def _flat(texts: pa.ChunkedArray) -> list[str]:
    return pc.list_flatten(texts).to_pylist()


def _first_of_equals(solver: str, scores: np.ndarray) -> np.ndarray:
    """Choose the highest of (problems, candidates), and log how many problems tie: (problems,)."""
    if ties := int(shared(scores).sum()):
        log.info(
            "%s: %d of %d problems tie, and the first of the best candidates is chosen",
            solver, ties, len(scores),
        )  # fmt: skip
    return scores.argmax(axis=1)


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
