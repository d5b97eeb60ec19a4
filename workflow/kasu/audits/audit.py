"""The whole audit of a benchmark."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kasu.audits.data.copies import Copies
from kasu.audits.data.findings import NULL, Finding
from kasu.audits.data.items import Benchmark, read_benchmark
from kasu.audits.form import check_form
from kasu.audits.leaks import judge_leaks, leaks_in_text, leaks_in_training
from kasu.audits.models import judge_models, model_worths
from kasu.audits.nulls.pieces import piece_counter
from kasu.audits.nulls.plain import judge_nulls, measure, most_often_right, plain_nulls, strongest
from kasu.audits.nulls.text import read_text_once, text_nulls
from kasu.audits.power import check_power
from kasu.base.errors import KasuError
from kasu.files.regular import expect_regular
from kasu.results.statistics import worth


@dataclass(frozen=True)
class Beside:
    """What an audit may read beside the benchmark.

    Attributes:
        text: a corpus: parquet with a column `text`, or a text by lines, perhaps compressed.
        training: items of the same form.
        tokenizer: the folder of a model, or a tokenizer.json.
        scores: files of `kasu score`.
        names: of their models; by default those of the files.
        scratch: where temporary files of a long text lie beside.
    """

    text: Path | None = None
    training: Path | None = None
    tokenizer: Path | None = None
    scores: Sequence[Path] = ()
    names: Sequence[str] = ()
    scratch: Path = Path("audit")

    @property
    def files(self) -> list[Path]:
        """All that is there."""
        given = (self.text, self.training, self.tokenizer, *self.scores)
        return [path for path in given if path is not None]


@dataclass(frozen=True)
class Audit:
    """A benchmark and what was found."""

    benchmark: Benchmark
    findings: Sequence[Finding]

    @property
    def best_null(self) -> Finding:
        """The null that is right most often over all items; of equals, the first."""
        nulls = (each for each in self.findings if each.check == NULL and each.group is None)
        return max(nulls, key=lambda null: null.share or 0.0)


def audit_benchmark(benchmark: Benchmark, beside: Beside | None = None) -> Audit:
    """Audit a benchmark.

    Raises:
        KasuError: a phenomenon has one item; what is beside cannot be read, or does not fit the
            benchmark.
    """
    _expect_several(benchmark)
    beside = beside or Beside()
    for path in beside.files:
        if not (path == beside.tokenizer and path.is_dir()):  # of a model
            expect_regular(path)
    # What may be wrong is read first, and a long text last
    models = model_worths(beside.scores, benchmark, beside.names)
    nulls = plain_nulls(benchmark)
    leaks: dict[str, np.ndarray] = {}
    if beside.tokenizer:
        pieces = measure(benchmark.options, piece_counter(beside.tokenizer))
        nulls |= {"more pieces": pieces, "fewer pieces": -pieces}
    if beside.training:
        training = read_benchmark(beside.training, by="", cluster="")
        if training.form != benchmark.form:
            raise KasuError(training.path, training.form, f"{benchmark.form}, as {benchmark.path}")
        right = (each[at] for each, at in zip(training.strings, training.right, strict=True))
        nulls["most often right in training"] = most_often_right(right, benchmark.strings)
        leaks |= leaks_in_training(benchmark, training)
    if beside.text:
        copies = Copies(text for each in benchmark.options for text in each)
        counts = read_text_once(beside.text, copies)
        nulls |= text_nulls(benchmark, beside.text, counts, beside.scratch)
        leaks |= leaks_in_text(benchmark, copies)
    worths = {name: worth(scores, benchmark.right) for name, scores in nulls.items()}
    best = strongest(worths)
    return Audit(
        benchmark,
        [
            *check_form(benchmark),
            *judge_nulls(benchmark, worths),
            *judge_models(benchmark, models, best, worths[best]),
            *judge_leaks(benchmark, leaks, {best: worths[best]} | models),
            *check_power(benchmark),
        ],
    )


def _expect_several(benchmark: Benchmark) -> None:
    counts = Counter(benchmark.phenomena)
    if alone := [name for name, count in counts.items() if count == 1]:
        found = f"one item of {benchmark.by} {alone[0]!r}"
        raise KasuError(benchmark.path, found, "two or more of each; or another --by, '' for none")
