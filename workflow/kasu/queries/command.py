"""`kasu query REQUEST TREEBANK...`: matches of a Grew request as a table, in context, counted."""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.base.arguments import size
from kasu.base.errors import KasuError
from kasu.corpora.treebanks.treebank import format_sentence, read_treebank
from kasu.job.run import Progress, log, seed_of
from kasu.queries.graph import Graph
from kasu.queries.labels import EDGE_FEATURES
from kasu.queries.match import Match, Matcher
from kasu.queries.parsing import read_request
from kasu.queries.request import Request
from kasu.queries.unseen import Unseen

EPILOG = """\
examples:
  kasu query 'pattern { V [upos=VERB]; S [Case=Erg]; V -[nsubj]-> S }' ka_glc-ud-dev.conllu
  kasu query 'pattern { S [Case=Erg] }' ka_glc-ud-dev.conllu --context S --sample 20
  kasu query 'pattern { e: V -> S; S [Case] }' ka_glc-ud-dev.conllu --by S.Case --by e.label

The request language is Grew's: https://grew.fr/doc/request. Edges are those of the basic tree;
node 0 is the anchor above the root. Each line is a match: the id of the sentence, the number of the
match within it, id:form of every node, the label of every named edge, and the text.

exit status: 0 matches found, 1 none, 2 error
"""
WIDTH = 40  # characters of context on either side


class NumberedMatch(NamedTuple):
    """A match, and its number in the sentence."""

    treebank: str
    graph: Graph
    number: int
    match: Match


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Print all matches of a Grew request in treebanks."
    parser.epilog = EPILOG
    parser.add_argument("request", metavar="REQUEST", help="a request, or a file with one")
    parser.add_argument(
        "treebanks",
        metavar="TREEBANK",
        nargs="+",
        help="CoNLL-U or CoNLL-U Plus (.conllu, also .gz, .bz2, .xz) or a treebank's .parquet",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "--count", action="store_true", help="print only the numbers of sentences and matches"
    )
    shown.add_argument(
        "--by",
        metavar="NAME.FEATURE",
        action="append",
        help="count matches by a feature of a node (S.Case, S.lemma), the label of an edge or a"
        " part of it (e.label, e.1, e.deep), its length or delta, or a comment (meta.speaker); may"
        " be repeated",
    )
    shown.add_argument(
        "--context", metavar="NODE", help=f"show a node with {WIDTH} characters on either side"
    )
    shown.add_argument(
        "--conllu", action="store_true", help="print the matched sentences, each once"
    )
    parser.add_argument("--sample", metavar="N", type=size, help="draw N of the matches")
    parser.add_argument(
        "--seed", metavar="S", type=int, default=1, help="of --sample; by default 1"
    )


def run(arguments: argparse.Namespace) -> int:
    """Search and print; return the exit status, 0 if there are matches and 1 if there are none.

    Raises:
        KasuError: the request, a treebank or an option is invalid.
    """
    if arguments.json and arguments.conllu:
        raise KasuError("--json", "with --conllu", "one of them")
    if arguments.count and arguments.sample is not None:
        raise KasuError("--sample", "with --count", "one of them")
    request = read_request(arguments.request)
    seen = Unseen(request, arguments.by or ())
    matches = _print(request, arguments, seen)
    for note in seen.notes():
        log.info("note: %s", note)
    return 0 if matches else 1


def _print(request: Request, arguments: argparse.Namespace, seen: Unseen) -> int:
    """Print what is asked for; return the number of matches."""
    if arguments.count:
        return _print_counts(request, arguments.treebanks, arguments.json, seen)
    found = _search(request, arguments.treebanks, seen)
    if arguments.sample is not None:
        found = _sample(found, arguments.sample, arguments.seed)
    if arguments.by:
        return _print_groups(request, found, arguments.by, arguments.json)
    if arguments.context:
        return _print_context(request, found, arguments.context, arguments.json)
    if arguments.conllu:
        return _print_sentences(found)
    return _print_matches(request, found, arguments.json)


def _graphs(treebank: str, seen: Unseen) -> Iterator[Graph]:
    progress = Progress(Path(treebank).name, unit="sentences")
    for sentence in read_treebank(treebank):
        graph = Graph(sentence)
        yield graph
        # After the search, which has built the indexes
        seen.see(graph)
        progress.add()


def _search(request: Request, treebanks: Iterable[str], seen: Unseen) -> Iterator[NumberedMatch]:
    matcher = Matcher(request)
    for treebank in treebanks:
        for graph in _graphs(treebank, seen):
            for number, match in enumerate(matcher.matches(graph), 1):
                yield NumberedMatch(treebank, graph, number, match)


def _sample(found: Iterable[NumberedMatch], size: int, seed: int) -> Iterator[NumberedMatch]:
    """Draw `size` matches, each as likely as any other, and give them in their order."""
    draw = np.random.default_rng(seed_of(seed))
    kept: dict[int, tuple[int, NumberedMatch]] = {}
    for position, each in enumerate(found):
        # A reservoir: match number n + 1 takes a place with probability size / (n + 1)
        place = position if position < size else int(draw.integers(position + 1))
        if place < size:
            kept[place] = position, each
    yield from (each for _, each in sorted(kept.values(), key=lambda pair: pair[0]))


def _print_matches(request: Request, found: Iterable[NumberedMatch], as_json: bool) -> int:
    """Print one line per match; return the number of matches."""
    header = ["sentence_id", "match", *request.nodes, *request.edges, "text"]
    rows = map(_as_json, found) if as_json else map(_as_row, found)
    return _print_rows([] if as_json else header, rows)


def _print_context(
    request: Request, found: Iterable[NumberedMatch], node: str, as_json: bool
) -> int:
    """Print a node of each match between what is left and right of it."""
    if node not in request.nodes:
        raise KasuError("--context", f"no node {node!r}", " or ".join(request.nodes))

    def row(each: NumberedMatch) -> list[object]:
        at, forms = each.match.nodes[node], each.graph.column("form")
        left, right = (" ".join(map(str, part)) for part in (forms[1:at], forms[at + 1 :]))
        left = left[-WIDTH:] if as_json else f"{left[-WIDTH:]:>{WIDTH}}"
        return [each.graph.sentence.sentence_id, left, forms[at], right[:WIDTH]]

    return _print_table(["sentence_id", "left", node, "right"], map(row, found), as_json)


def _print_groups(
    request: Request, found: Iterable[NumberedMatch], names: Sequence[str], as_json: bool
) -> int:
    """Print the number of matches with each value of features, the most frequent first."""
    for name in names:
        owner, dot, feature = name.partition(".")
        bound = (*request.nodes, *request.pattern.edges)
        if not (dot and feature and owner in (*bound, "meta")):
            raise KasuError("--by", f"found {name!r}", f"{' or '.join(bound)}, a dot and a feature")
        if owner in request.pattern.edges and feature not in EDGE_FEATURES:
            raise KasuError("--by", f"found {name!r}", f"{owner}. and {', '.join(EDGE_FEATURES)}")
    counts = Counter(tuple(_value(each, name) for name in names) for each in found)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    header = [*names, "matches"]
    rows = ([*values, count] for values, count in ranked)
    _print_table(header, rows, as_json)
    return counts.total()


def _value(found: NumberedMatch, name: str) -> str:
    """Return a feature of a node or of an edge, or a comment; `_` where it is missing."""
    owner, _, feature = name.partition(".")
    if feature == "__id__" and owner in found.match.nodes:
        return str(found.match.nodes[owner])
    value: str | int | None
    if owner in found.match.nodes:
        value = found.graph.column(feature)[found.match.nodes[owner]]
    elif owner in found.match.edges:
        value = found.graph.edge_feature(found.match.edges[owner], feature)
    else:
        value = found.graph.metadata.get(feature)
    return "_" if value is None else str(value)


def _print_sentences(found: Iterable[NumberedMatch]) -> int:
    """Print the sentences of the matches as CoNLL-U; return the number of matches."""
    total, last = 0, None
    for each in found:
        # The matches of a sentence follow one another
        if each.graph is not last:
            print(format_sentence(each.graph.sentence._replace(newlines=2)), end="")
        total, last = total + 1, each.graph
    return total


def _print_counts(request: Request, treebanks: Sequence[str], as_json: bool, seen: Unseen) -> int:
    """Print one line per treebank, and the totals of several; return the number of matches."""
    matcher = Matcher(request)
    rows: list[tuple[str, int, int]] = []
    for treebank in treebanks:
        counts = [len(matcher.matches(graph)) for graph in _graphs(treebank, seen)]
        rows.append((treebank, len(counts) - counts.count(0), sum(counts)))
    total = ("total", sum(row[1] for row in rows), sum(row[2] for row in rows))
    if len(rows) > 1:
        rows.append(total)
    names = ("treebank", "sentences", "matches")
    _print_table(names, rows, as_json)
    return total[2]


def _print_table(header: Sequence[str], rows: Iterable[Sequence[object]], as_json: bool) -> int:
    """Print rows as JSON objects, or under a header; return the number of rows."""
    if as_json:
        return _print_rows([], (_to_json(dict(zip(header, row, strict=True))) for row in rows))
    return _print_rows(header, rows)


def _print_rows(header: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    """Print a header, unless it is empty, and rows; return the number of rows.

    The header follows the first row's search, so that an error stands alone.
    """
    count = 0
    for count, row in enumerate(rows, 1):
        if count == 1 and header:
            _print_row(header)
        _print_row(row)
    if not count and header:
        _print_row(header)
    return count


def _print_row(cells: Sequence[object]) -> None:
    print("\t".join(str(cell).replace("\t", " ") for cell in cells))


def _as_row(found: NumberedMatch) -> list[object]:
    """Return a match as cells of the table."""
    _, graph, number, match = found
    forms = graph.column("form")
    nodes = (f"{position}:{forms[position]}" for position in match.nodes.values())
    labels = (graph.labels[target] for target in match.edges.values())
    return [graph.sentence.sentence_id, number, *nodes, *labels, graph.sentence.surface()]


def _as_json(found: NumberedMatch) -> list[object]:
    """Return a match as the only cell of a row, a JSON object."""
    treebank, graph, number, match = found
    names = ("form", "lemma", "upos")
    row = {
        "treebank": treebank,
        "sentence_id": graph.sentence.sentence_id,
        "match": number,
        "nodes": {
            node: {"id": position} | {name: graph.column(name)[position] for name in names}
            for node, position in match.nodes.items()
        },
        "edges": {
            edge: {"source": graph.heads[at], "label": graph.labels[at], "target": at}
            for edge, at in match.edges.items()
        },
        "text": graph.sentence.surface(),
    }
    return _to_json(row)


def _to_json(row: object) -> list[object]:
    return [json.dumps(row, ensure_ascii=False)]
