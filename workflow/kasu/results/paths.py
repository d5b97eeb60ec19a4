"""Paths of outputs, as rules write them: `<results>/agreement/datasets/{corpus}/train.parquet`."""

from collections.abc import Mapping

RESULTS = "<results>"


class Paths:
    """The outputs of a part of the workflow.

    Args:
        patterns: the outputs of its rules by name, each the very string that its rule has: under
            RESULTS, with wildcards in braces.
        results: the folder that RESULTS stands for.
    """

    def __init__(self, patterns: Mapping[str, str], results: str) -> None:
        self.patterns, self.results = patterns, results

    def __call__(self, name: str, /, **wildcards: object) -> str:
        """The path of an output, for the values of all its wildcards."""
        path = self.patterns[name].removeprefix(RESULTS).format(**wildcards)
        return f"{self.results}{path}"
