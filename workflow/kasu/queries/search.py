"""The tables of `kasu query`: matches of a request, in context, by features, or counted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError
from kasu.corpora.treebanks.treebank import feature_name, read_treebank
from kasu.job.run import Progress, log, seed_of
from kasu.queries.graph import Graph
from kasu.queries.labels import EDGE_FEATURES
from kasu.queries.match import Match, Matcher
from kasu.queries.parsing import read_request
from kasu.queries.request import Request
from kasu.queries.unseen import Unseen

WIDTH = 40  # characters of context on either side
COUNTED = ("treebank", "sentences", "matches")


class NumberedMatch(NamedTuple):
    """A match, and its number in the sentence."""

    treebank: str
    graph: Graph
    number: int
    match: Match


class Table(NamedTuple):
    """The names of columns, and rows, which are searched for as they are asked for."""

    header: Sequence[str]
    rows: Iterable[Sequence[object]]


class Search:
    """A search for the matches of a request in treebanks, to be run once.

    Args:
        request: a request, or a file with one.
        shown: names whose values are shown, `S.Case` or `meta.speaker`: see `groups`.
        sample: draw so many of the matches, by `seed`.

    Raises:
        KasuError: the request is invalid; once it runs, a treebank.
    """

    def __init__(
        self,
        request: str | Path,
        treebanks: Sequence[str | Path],
        shown: Sequence[str] = (),
        sample: int | None = None,
        seed: int = 1,
    ) -> None:
        self.request: Request = read_request(request)
        self.treebanks = [str(treebank) for treebank in treebanks]
        self._shown, self._sample, self._seed = shown, sample, seed
        self._seen = Unseen(self.request, shown)

    def found(self) -> Iterator[NumberedMatch]:
        """Yield the matches in the order of the treebanks; then warn of what no sentence has."""
        yield from self._drawn() if self._sample is not None else self._all()
        self._note()

    def matches(self) -> Table:
        """Return one row per match: its nodes as `position:form`, the labels of its edges."""
        header = ["sentence_id", "match", *self.request.nodes, *self.request.edges, "text"]
        return Table(header, map(_as_row, self.found()))

    def context(self, node: str, *, aligned: bool = False) -> Table:
        """Return a node of each match between what is left and right of it.

        Args:
            aligned: fill up what is left with blanks.

        Raises:
            KasuError: the request has no such node.
        """
        if node not in self.request.nodes:
            raise KasuError("--context", f"no node {node!r}", " or ".join(self.request.nodes))

        def row(each: NumberedMatch) -> list[object]:
            at, forms = each.match.nodes[node], each.graph.column("form")
            left, right = (" ".join(map(str, part)) for part in (forms[1:at], forms[at + 1 :]))
            left = f"{left[-WIDTH:]:>{WIDTH}}" if aligned else left[-WIDTH:]
            return [each.graph.sentence.sentence_id, left, forms[at], right[:WIDTH]]

        return Table(["sentence_id", "left", node, "right"], map(row, self.found()))

    def groups(self) -> Table:
        """Return the number of matches with each value of what is shown, most frequent first.

        Raises:
            KasuError: a name is no feature of a node or an edge, and no comment.
        """
        request = self.request
        for name in self._shown:
            owner, dot, feature = name.partition(".")
            bound = (*request.nodes, *request.pattern.edges)
            if not (dot and feature and owner in (*bound, "meta")):
                expected = f"{' or '.join(bound)}, a dot and a feature"
                raise KasuError("--by", f"found {name!r}", expected)
            if owner in request.pattern.edges and feature not in EDGE_FEATURES:
                expected = f"{owner}. and {', '.join(EDGE_FEATURES)}"
                raise KasuError("--by", f"found {name!r}", expected)
        counts = Counter(tuple(_value(each, name) for name in self._shown) for each in self.found())
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return Table([*self._shown, "matches"], [[*values, count] for values, count in ranked])

    def counts(self) -> Table:
        """Return the numbers of sentences with a match and of matches; of several, the totals."""
        matcher = Matcher(self.request)
        rows: list[tuple[str, int, int]] = []
        for treebank in self.treebanks:
            counts = [len(matcher.matches(graph)) for graph in self._graphs(treebank)]
            rows.append((treebank, len(counts) - counts.count(0), sum(counts)))
        if len(rows) > 1:
            rows.append(("total", sum(row[1] for row in rows), sum(row[2] for row in rows)))
        self._note()
        return Table(COUNTED, rows)

    def _graphs(self, treebank: str) -> Iterator[Graph]:
        progress = Progress(Path(treebank).name, unit="sentences")
        for sentence in read_treebank(treebank):
            graph = Graph(sentence)
            yield graph
            # After the search, which has built the indexes
            self._seen.see(graph)
            progress.add()

    def _all(self) -> Iterator[NumberedMatch]:
        matcher = Matcher(self.request)
        for treebank in self.treebanks:
            for graph in self._graphs(treebank):
                for number, match in enumerate(matcher.matches(graph), 1):
                    yield NumberedMatch(treebank, graph, number, match)

    def _drawn(self) -> Iterator[NumberedMatch]:
        """Draw matches, each as likely as any other, and give them in their order."""
        size = self._sample or 0
        draw = np.random.default_rng(seed_of(self._seed))
        kept: dict[int, tuple[int, NumberedMatch]] = {}
        for position, each in enumerate(self._all()):
            # A reservoir: match number n + 1 takes a place with probability size / (n + 1)
            place = position if position < size else int(draw.integers(position + 1))
            if place < size:
                kept[place] = position, each
        yield from (each for _, each in sorted(kept.values(), key=lambda pair: pair[0]))

    def _note(self) -> None:
        for note in self._seen.notes():
            log.warning("note: %s", note)


def _as_row(found: NumberedMatch) -> list[object]:
    """Return a match as cells of the table."""
    _, graph, number, match = found
    forms = graph.column("form")
    nodes = (f"{position}:{forms[position]}" for position in match.nodes.values())
    labels = (graph.labels[target] for target in match.edges.values())
    return [graph.sentence.sentence_id, number, *nodes, *labels, graph.sentence.surface()]


def _value(found: NumberedMatch, name: str) -> str:
    """Return a feature of a node or of an edge, or a comment; `_` where it is missing."""
    owner, _, feature = name.partition(".")
    if feature == "__id__" and owner in found.match.nodes:
        return str(found.match.nodes[owner])
    value: str | int | None
    if owner in found.match.nodes:
        value = found.graph.column(feature_name(feature))[found.match.nodes[owner]]
    elif owner in found.match.edges:
        value = found.graph.edge_feature(found.match.edges[owner], feature)
    else:
        value = found.graph.metadata.get(feature)
    return "_" if value is None else str(value)
