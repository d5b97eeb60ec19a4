"""The Georgian requests of the study against the same search programmed in udapi.

With parsing: from the files to all matches of the four requests, in CPU seconds on one core,
without imports. Without: requests per second over trees of udapi and graphs of ours in memory; the
first turn builds our indexes. Both must find the same matches.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import udapi
from measuring import row
from udapi.core.node import Node

from kasu.corpora.treebanks.treebank import Sentence, Token, read_conllu, write_conllu
from kasu.queries.graph import Graph
from kasu.queries.match import Matcher
from kasu.queries.parsing import read_request

REQUESTS = Path(__file__).resolve().parent.parent / "resources" / "queries" / "kat"
CASES = {"intransitive_nom": ("Nom", None), "nom_dat": ("Nom", "Dat"), "erg_nom": ("Erg", "Nom"),
         "dat_nom": ("Dat", "Nom")}  # fmt: skip
GEORGIAN = "ud/UD_Georgian-GLC"
TURNS = 5


def made_up(path: Path) -> Path:
    """Write an artificial treebank of 1,200 sentences of 22 words, for use without a mirror."""
    sentences = []
    for number in range(1_200):
        tokens = []
        for at in range(1, 23):
            kind, case = (number + at) % 3, ("Nom", "Dat", "Erg", "Gen")[(number * at) % 4]
            head = 0 if at == 11 else 11 if at % 3 else max(1, at - 1) if at > 11 else at + 1
            label = "root" if at == 11 else ("nsubj", "obj", "obl")[kind]
            upos = "VERB" if at % 5 == 1 else "NOUN"
            cells = (f"f{kind}", f"l{kind}", upos, "_", f"Case={case}", str(head), label, "_", "_")
            tokens.append(Token(str(at), *cells))
        sentences.append(Sentence(f"s{number}", None, 1, 2, [f"# sent_id = s{number}"], tokens))
    write_conllu(path, sentences)
    return path


def search_tree(tree: Node, subject: str, object_: str | None) -> int:
    """Count matches in a tree of udapi: a verb with a subject and an object in these cases."""
    found = 0
    for verb in tree.descendants:
        if verb.upos != "VERB":
            continue
        subjects = [
            child for child in verb.children
            if child.deprel == "nsubj" and child.feats["Case"] == subject
        ]  # fmt: skip
        objects = [child for child in verb.children if child.deprel == "obj"]
        if object_ is None:
            found += 0 if objects else len(subjects)
        else:
            found += len(subjects) * sum(child.feats["Case"] == object_ for child in objects)
    return found


def read_udapi(paths: list[Path]) -> list[Node]:
    return [tree for path in paths for tree in udapi.Document(str(path)).trees]


def whole_udapi(paths: list[Path]) -> int:
    trees = read_udapi(paths)
    return sum(search_tree(tree, *cases) for cases in CASES.values() for tree in trees)


def whole_kasu(paths: list[Path]) -> int:
    matchers = [Matcher(read_request(REQUESTS / f"{name}.req")) for name in CASES]
    graphs = (Graph(sentence) for path in paths for sentence in read_conllu(path))
    return sum(len(matcher.matches(graph)) for graph in graphs for matcher in matchers)


def read_kasu(paths: list[Path]) -> list[Graph]:
    return [Graph(sentence) for path in paths for sentence in read_conllu(path)]


def request_kasu(graphs: list[Graph]) -> int:
    """Run all requests, one after another."""
    found = 0
    for name in CASES:
        matcher = Matcher(read_request(REQUESTS / f"{name}.req"))
        found += sum(len(matcher.matches(graph)) for graph in graphs)
    return found


def request_udapi(trees: list[Node]) -> int:
    return sum(search_tree(tree, *cases) for cases in CASES.values() for tree in trees)


def by_turns(ours: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float]:
    """Median CPU seconds of both, which must find the same number of matches."""
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(TURNS):
        found = []
        for side, run in zip(seconds, (ours, theirs), strict=True):
            began = time.process_time()
            found.append(run())
            side.append(time.process_time() - began)
        assert found[0] == found[1], f"Kasu finds {found[0]} matches, udapi {found[1]}"
    return statistics.median(seconds[0]), statistics.median(seconds[1])


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Figures on all Georgian GLC files of the mirror, else on an artificial treebank."""
    with tempfile.TemporaryDirectory() as folder:
        paths = (
            sorted((mirror / GEORGIAN).rglob("*.conllu"))
            if mirror
            else [made_up(Path(folder) / "made_up.conllu")]
        )
        mine, peer = by_turns(lambda: whole_kasu(paths), lambda: whole_udapi(paths))
        found = [row("4 requests with parsing", mine, "CPU-s", f"udapi, {peer:.2f}", peer / mine)]
        graphs, trees = read_kasu(paths), read_udapi(paths)
        mine, peer = by_turns(lambda: request_kasu(graphs), lambda: request_udapi(trees))
    number = len(CASES)
    item, unit = f"requests over {len(graphs)} sentences in memory", "requests/CPU-s"
    return [*found, row(item, number / mine, unit, f"udapi, {number / peer:.1f}", peer / mine)]
