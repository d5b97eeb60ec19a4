"""`kasu query REQUEST TREEBANK...`: matches of a Grew request as a table, JSON lines or counts."""

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from kasu.base.run import Progress, log
from kasu.corpora.treebank import read_treebank
from kasu.query.graph import Graph
from kasu.query.match import Match, Matcher
from kasu.query.parsing import read_request
from kasu.query.request import Request
from kasu.query.unseen import unseen

HELP = "search treebanks with a Grew request"
EPILOG = """\
example:
  kasu query 'pattern { V [upos=VERB]; S [Case=Erg]; V -[nsubj]-> S }' ka_glc-ud-dev.conllu

The request language is Grew's: https://grew.fr/doc/request. Edges are those of the basic tree;
node 0 is the anchor above the root. Each line is a match: the id of the sentence, the number of the
match within it, id:form of every node, the label of every named edge, and the text.

exit status: 0 matches found, 1 none, 2 error
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Print all matches of a Grew request in treebanks."
    parser.epilog = EPILOG
    parser.add_argument("request", metavar="REQUEST", help="a request, or a file with one")
    parser.add_argument(
        "treebanks",
        metavar="TREEBANK",
        nargs="+",
        help="CoNLL-U (.conllu, also .gz, .bz2, .xz) or a treebank's .parquet",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    parser.add_argument(
        "--count", action="store_true", help="print only the numbers of sentences and matches"
    )


def run(arguments: argparse.Namespace) -> int:
    """Search and print; return the exit status, 0 if there are matches and 1 if there are none.

    Raises:
        KasuError: the request or a treebank is invalid.
    """
    request = read_request(arguments.request)
    write = _print_counts if arguments.count else _print_matches
    if write(request, arguments.treebanks, arguments.json):
        return 0
    for what in unseen(request, chain.from_iterable(map(read_treebank, arguments.treebanks))):
        log.info("note: no word has %s", what)
    return 1


def _graphs(treebank: str) -> Iterator[Graph]:
    progress = Progress(Path(treebank).name, unit="sentences")
    for sentence in read_treebank(treebank):
        yield Graph(sentence)
        progress.add()


def _print_matches(request: Request, treebanks: Sequence[str], as_json: bool) -> int:
    """Print one line per match; return the number of matches."""
    matcher, total = Matcher(request), 0
    if not as_json:
        _print_row(["sentence_id", "match", *request.nodes, *request.edges, "text"])
    for treebank in treebanks:
        for graph in _graphs(treebank):
            for number, match in enumerate(matcher.matches(graph), 1):
                if as_json:
                    print(_as_json(treebank, graph, number, match))
                else:
                    _print_row(_as_row(graph, number, match))
                total += 1
    return total


def _print_counts(request: Request, treebanks: Sequence[str], as_json: bool) -> int:
    """Print one line per treebank, and the totals of several; return the number of matches."""
    matcher = Matcher(request)
    rows: list[tuple[str, int, int]] = []
    for treebank in treebanks:
        counts = [len(matcher.matches(graph)) for graph in _graphs(treebank)]
        rows.append((treebank, len(counts) - counts.count(0), sum(counts)))
    total = ("total", sum(row[1] for row in rows), sum(row[2] for row in rows))
    if len(rows) > 1:
        rows.append(total)
    names = ("treebank", "sentences", "matches")
    if as_json:
        for row in rows:
            print(json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False))
    else:
        _print_row(names)
        for row in rows:
            _print_row(row)
    return total[2]


def _print_row(cells: Sequence[object]) -> None:
    print("\t".join(str(cell).replace("\t", " ") for cell in cells))


def _as_row(graph: Graph, number: int, match: Match) -> list[object]:
    """A match as cells of the table."""
    forms = graph.column("form")
    nodes = (f"{position}:{forms[position]}" for position in match.nodes.values())
    labels = (graph.labels[target] for target in match.edges.values())
    return [graph.sentence.sentence_id, number, *nodes, *labels, graph.sentence.surface()]


def _as_json(treebank: str, graph: Graph, number: int, match: Match) -> str:
    """A match as a JSON object."""
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
    return json.dumps(row, ensure_ascii=False)
