"""The whole audit of a benchmark."""

from collections.abc import Sequence
from dataclasses import dataclass

from kasu.audits.findings import NULL, Finding
from kasu.audits.form import check_form
from kasu.audits.items import Benchmark
from kasu.audits.nulls import judge_nulls, plain_nulls


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


def audit_benchmark(benchmark: Benchmark) -> Audit:
    """Audit a benchmark."""
    nulls = plain_nulls(benchmark)
    return Audit(benchmark, [*check_form(benchmark), *judge_nulls(benchmark, nulls)])
