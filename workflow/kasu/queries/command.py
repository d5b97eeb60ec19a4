"""`kasu query REQUEST TREEBANK...`: matches of a Grew request as a table, in context, counted."""

import argparse
import json
from collections.abc import Iterable, Sequence

from kasu.base.arguments import size
from kasu.base.errors import KasuError
from kasu.corpora.treebanks.treebank import format_sentence
from kasu.queries.search import WIDTH, NumberedMatch, Search, Table

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
        help="count matches by a feature of a node (S.Case, S.Number[psor], S.lemma), the label of"
        " an edge or a part of it (e.label, e.1, e.deep), its length or delta, or a comment"
        " (meta.speaker); may be repeated",
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
    search = Search(
        arguments.request, arguments.treebanks, arguments.by or (), arguments.sample, arguments.seed
    )
    return 0 if _print(search, arguments) else 1


def _print(search: Search, arguments: argparse.Namespace) -> bool:
    """Print what is asked for; return whether there is a match."""
    if arguments.conllu:
        return _print_sentences(search.found())
    if arguments.count:
        table = search.counts()
        _print_table(table, arguments.json)
        *_, (_, _, matches) = table.rows
        return bool(matches)
    if arguments.by:
        return _print_table(search.groups(), arguments.json)
    if arguments.context:
        table = search.context(arguments.context, aligned=not arguments.json)
        return _print_table(table, arguments.json)
    if arguments.json:
        return _print_rows([], map(_as_json, search.found()))
    return _print_table(search.matches(), as_json=False)


def _print_sentences(found: Iterable[NumberedMatch]) -> bool:
    """Print the sentences of the matches as CoNLL-U; return whether there are any."""
    last = None
    for each in found:
        # The matches of a sentence follow one another
        if each.graph is not last:
            print(format_sentence(each.graph.sentence._replace(newlines=2)), end="")
        last = each.graph
    return last is not None


def _print_table(table: Table, as_json: bool) -> bool:
    """Print rows as JSON objects, or under a header; return whether there are any."""
    header, rows = table
    if as_json:
        return _print_rows([], (_to_json(dict(zip(header, row, strict=True))) for row in rows))
    return _print_rows(header, rows)


def _print_rows(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bool:
    """Print a header, unless it is empty, and rows; return whether there are any.

    The header follows the first row's search, so that an error stands alone.
    """
    any_row = False
    for row in rows:
        if header and not any_row:
            _print_row(header)
        any_row = True
        _print_row(row)
    if header and not any_row:
        _print_row(header)
    return any_row


def _print_row(cells: Sequence[object]) -> None:
    print("\t".join(str(cell).replace("\t", " ") for cell in cells))


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
