"""Solvers without a network: an oracle, and nulls that do not know the rule (names.NULLS).

Each takes problems (a table with the columns of `kasu.blm.data.problems.PROBLEMS`) and returns, for
each problem, the index of the candidate that it chooses, the first of equals. Candidates stand in
random order, so on average a tie is worth a guess, as in `kasu.results.statistics.worth`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.sparse import csr_array

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
        "oracle": partial(solve_by_rule, decoder=Decoder(seeds, lexicon)),
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
    context, candidates = _bags_of_words(problems)
    fifth, sixth, seventh = (context[at::CONTEXT] for at in (4, 5, 6))
    return _nearest("parallelogram", seventh + sixth - fifth, candidates)


def choose_medoid(problems: pa.Table) -> np.ndarray:
    """Choose the candidate most like the other five, by bags of words; the context is not read.

    All wrong candidates are made from the right one, so they resemble it most.
    """
    _, candidates = _bags_of_words(problems)
    # The cosine of a candidate with itself is 1 for all six, so the sum over all ranks as the sum
    # over the others
    targets = sum(candidates[at::CANDIDATES] for at in range(CANDIDATES))
    return _nearest("medoid", targets, candidates)


def choose_frequent(training: pa.Table, problems: pa.Table) -> np.ndarray:
    """Choose the candidate that was most often the right answer in the training problems."""
    columns = (training[name].to_pylist() for name in ("candidates", "answer"))
    right = Counter(texts[answer] for texts, answer in zip(*columns, strict=True))
    counts = [[right[text] for text in texts] for texts in problems["candidates"].to_pylist()]
    return _first_of_equals("frequency", np.array(counts))


# By name, the solvers that learn from training problems
LEARNED: Mapping[str, LearnedSolver] = {"frequency": choose_frequent}


def _bags_of_words(problems: pa.Table) -> tuple[csr_array, csr_array]:
    """Count the words of each sentence in lower case; scale the bags of candidates to length 1.

    Returns:
        Contexts (problems * 7, words) as counts; candidates (problems * 6, words) of length 1.
    """
    columns = [pc.list_flatten(problems[name]) for name in ("context", "candidates")]
    flat = pa.chunked_array([chunk for column in columns for chunk in column.chunks])
    coded = flat.combine_chunks().dictionary_encode()  # each distinct sentence is counted once
    words: dict[str, int] = {}
    cells = [
        (row, words.setdefault(word, len(words)))
        for row, text in enumerate(coded.dictionary.to_pylist())
        for word in text.lower().split()
    ]
    shape = len(coded.dictionary), len(words)
    # (distinct sentences, words): the matrix adds up the ones of a word that occurs several times
    bags = csr_array((np.ones(len(cells)), tuple(zip(*cells, strict=True))), shape)
    at = coded.indices.to_numpy()
    context, candidates = np.split(at, [len(columns[0])])
    lengths = np.sqrt(bags.multiply(bags).sum(axis=1))
    return bags[context], bags[candidates].multiply(1 / lengths[candidates][:, None]).tocsr()


def _nearest(solver: str, targets: csr_array, candidates: csr_array) -> np.ndarray:
    """Choose the candidate of highest cosine with the target of its problem: (problems,)."""
    each = targets[np.repeat(np.arange(targets.shape[0]), CANDIDATES)]
    cosines = each.multiply(candidates).sum(axis=1).reshape(-1, CANDIDATES)
    return _first_of_equals(solver, cosines.round(9))  # rounding errors must not break ties


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
