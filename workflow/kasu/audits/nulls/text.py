"""What a text gives away of a benchmark: nulls that learn from it, and options that stand in it."""

from collections import Counter
from pathlib import Path

import numpy as np

from kasu.audits.data.copies import Copies
from kasu.audits.data.items import Benchmark
from kasu.audits.nulls.plain import Scores, measure
from kasu.audits.nulls.trigram import Tokenised, Trigram
from kasu.corpora.texts.tokens import mean_frequency, tokenise
from kasu.files.parts import temporary
from kasu.job.run import Progress
from kasu.lm.pretraining.texts import read_texts


def read_text_once(corpus: Path, copies: Copies) -> Counter[str]:
    """Count the words of a text, a line at a time, and look for copies in it.

    Raises:
        KasuError: as `kasu.lm.pretraining.texts.read_texts`.
    """
    counts: Counter[str] = Counter()
    progress = Progress(corpus.name, unit="lines")
    for text in read_texts(corpus):
        counts.update(tokenise(text))
        copies.see(text)
        progress.add()
    return counts


def text_nulls(
    benchmark: Benchmark, corpus: Path, counts: Counter[str], out: Path
) -> dict[str, Scores]:
    """Return the scores of the nulls that learn from a text, by name.

    Args:
        counts: the words of the text.
        out: where temporary files lie beside.
    """
    options = [[tokenise(text) for text in each] for each in benchmark.options]
    wanted = [words for each in options for words in each]
    with temporary(out, folder=True) as scratch:
        model = Trigram(Tokenised(corpus), wanted=wanted, scratch=scratch, counts=counts)
    frequent = measure(benchmark.options, lambda text: mean_frequency(tokenise(text), counts))
    likely = [[float(model.log_probabilities(words).sum()) for words in each] for each in options]
    # Sums of equal numbers in another order differ in their last bits; ties must stay ties
    found = {"more frequent words": frequent, "word trigram": np.array(likely)}
    return {name: scores.round(9) for name, scores in found.items()}
