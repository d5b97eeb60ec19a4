"""Matches on random trees and requests, checked by brute force and by networkx."""

import itertools

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.isomorphism import DiGraphMatcher

from kasu.corpora.treebanks.treebank import Sentence, Token, features

FEATURES = ("_", "Case=Nom", "Case=Erg|Number=Sing", "Case=Nom|Number=Plur", "Number=Sing")
LABELS = ("nsubj", "nsubj:pass", "obj", "obl")
NODES = ("A", "B", "C", "D$")


def make_tree(heads: list[int], kinds: list[int], labels: list[str]) -> Sentence:
    tokens = [
        Token(str(i), f"f{kind}", f"k{kind}", "VERB" if kind % 2 else "NOUN", "_",
              FEATURES[kind % len(FEATURES)], str(head), label, "_", "_")
        for i, (head, kind, label) in enumerate(zip(heads, kinds, labels, strict=True), 1)
    ]  # fmt: skip
    return Sentence("s", None, 1, 2, [], tokens)


def test_crossing_edges(found):
    tree = make_tree([3, 4, 0, 3], [0, 0, 0, 0], ["a", "b", "root", "c"])
    assert found("pattern { e: X -[a]-> Y; f: Z -[b]-> W; e >< f }", tree) == [(3, 1, 4, 2)]
    assert found("pattern { N [lemma=k0] } global { is_projective }", tree) == []


@st.composite
def trees(draw) -> Sentence:
    """A random tree of up to six words below the anchor."""
    size = draw(st.integers(1, 6))
    order = draw(st.permutations(range(1, size + 1)))
    heads = [0] * size
    for place, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:place]]))
    kinds = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=size, max_size=size))
    return make_tree(heads, kinds, labels)


FEATURE_CLAUSES = (
    "upos=VERB", "Case=Nom", "Case=Nom|Erg", "Case<>Nom", "Number", "!Case", 'lemma=re"k[0-2]"',
    "form=f1", "upos",
)  # fmt: skip
LABEL_TESTS = {
    "->": lambda label: True,
    "-[nsubj]->": lambda label: label == "nsubj",
    "-[nsubj|obj]->": lambda label: label in ("nsubj", "obj"),
    "-[^obj|obl]->": lambda label: label not in ("obj", "obl"),
    "-[1=nsubj]->": lambda label: label.split(":")[0] == "nsubj",
    "-[1=nsubj, 2=pass]->": lambda label: label == "nsubj:pass",
    "-[!2]->": lambda label: ":" not in label,
    '-[re"ob.*"]->': lambda label: label.startswith("ob"),
}
NODE_TESTS = {
    "upos=VERB": lambda f: f.get("upos") == "VERB",
    "Case=Nom": lambda f: f.get("Case") == "Nom",
    "Case=Nom|Erg": lambda f: f.get("Case") in ("Nom", "Erg"),
    "Case<>Nom": lambda f: f.get("Case", "Nom") != "Nom",
    "Number": lambda f: "Number" in f,
    "!Case": lambda f: "Case" not in f,
    'lemma=re"k[0-2]"': lambda f: f.get("lemma") in ("k0", "k1", "k2"),
    "form=f1": lambda f: f.get("form") == "f1",
    "upos": lambda f: "upos" in f,
}
PAIR_TESTS = {
    "{0} < {1}": lambda t, a, b: a + 1 == b,
    "{0} << {1}": lambda t, a, b: a < b,
    "{0} >> {1}": lambda t, a, b: a > b,
    "{0} ->> {1}": lambda t, a, b: a in t.above(b),
    "{0}.Case = {1}.Case": lambda t, a, b: (
        t.get(a, "Case") is not None and t.get(a, "Case") == t.get(b, "Case")
    ),
    "{0}.lemma <> {1}.lemma": lambda t, a, b: (
        None not in (t.get(a, "lemma"), t.get(b, "lemma"))
        and t.get(a, "lemma") != t.get(b, "lemma")
    ),
    "{0}.__id__ < {1}.__id__": lambda t, a, b: a < b,
    "delta({0},{1}) >= 2": lambda t, a, b: b - a >= 2,
    "length({0},{1}) = 1": lambda t, a, b: abs(a - b) == 1,
}


class Tree:
    """The properties of a sentence that the oracle tests, computed independently."""

    def __init__(self, sentence: Sentence) -> None:
        self.heads = {int(t.id): int(t.head) for t in sentence.tokens}
        self.labels = {int(t.id): t.deprel for t in sentence.tokens}
        self.features = {0: {"form": "__0__"}} | {
            int(t.id): {"form": t.form, "lemma": t.lemma, "upos": t.upos} | features(t.feats)
            for t in sentence.tokens
        }

    def get(self, node: int, name: str) -> str | None:
        return self.features[node].get(name)

    def above(self, node: int) -> list[int]:
        return [self.heads[node], *self.above(self.heads[node])] if node else []


def holds(tree: Tree, clause: tuple, at: dict[str, int]) -> bool:
    kind, test, *names = clause
    nodes = [at[name] for name in names]
    match kind:
        case "node":
            return all(NODE_TESTS[t](tree.features[nodes[0]]) for t in test)
        case "edge":
            source, target = nodes
            return tree.heads.get(target) == source and LABEL_TESTS[test](tree.labels[target])
        case "out":
            return any(
                h == nodes[0] and LABEL_TESTS[test](tree.labels[w]) for w, h in tree.heads.items()
            )
        case "in":
            return nodes[0] in tree.heads and LABEL_TESTS[test](tree.labels[nodes[0]])
    return PAIR_TESTS[test](tree, *nodes)


def write(clause: tuple) -> str:
    kind, test, *names = clause
    match kind:
        case "node":
            return f"{names[0]} [{', '.join(test)}]"
        case "edge":
            return f"{names[0]} {test} {names[1]}"
        case "out":
            return f"{names[0]} {test} *"
        case "in":
            return f"* {test} {names[0]}"
    return test.format(*names)


def clauses_over(names: tuple[str, ...]) -> st.SearchStrategy:
    name = st.sampled_from(names)
    conditions = st.lists(st.sampled_from(FEATURE_CLAUSES), min_size=1, max_size=2)
    labels = st.sampled_from(list(LABEL_TESTS))
    pairs = st.permutations(names).map(lambda order: order[:2])
    node = st.tuples(st.just("node"), conditions.map(tuple), name)
    edge = st.builds(lambda test, ends: ("edge", test, *ends), labels, pairs)
    half = st.tuples(st.sampled_from(["out", "in"]), labels, name)
    pair = st.builds(
        lambda test, ends: ("pair", test, *ends), st.sampled_from(list(PAIR_TESTS)), pairs
    )
    return st.one_of(node, edge, edge, half, pair)


def names_of(clauses: list[tuple]) -> list[str]:
    return list(dict.fromkeys(name for clause in clauses for name in clause[2:]))


def block(clauses: list[tuple], declared: list[str]) -> str:
    """A block of clauses; nodes that occur only in comparisons are declared first."""
    return "{ " + "; ".join([*(f"{name} []" for name in declared), *map(write, clauses)]) + " }"


def extensions(tree: Tree, clauses: list[tuple], bound: dict[str, int]) -> list[dict[str, int]]:
    """Every binding of the remaining nodes, found by trying every tuple."""
    new = [name for name in names_of(clauses) if name not in bound]
    kept = []
    for positions in itertools.product(range(len(tree.features)), repeat=len(new)):
        at = bound | dict(zip(new, positions, strict=True))
        strict = [position for name, position in at.items() if not name.endswith("$")]
        if len(set(strict)) == len(strict) and all(holds(tree, c, at) for c in clauses):
            kept.append(at)
    return kept


@settings(max_examples=300)
@given(
    tree=trees(),
    pattern=st.lists(clauses_over(NODES[:3]), min_size=1, max_size=4)
    | st.lists(clauses_over(NODES[1:]), min_size=1, max_size=4),
    filters=st.lists(
        st.tuples(
            st.booleans(),
            st.lists(clauses_over(("A", "B", "X", "Y$")), min_size=1, max_size=3),
        ),
        max_size=2,
    ),
)  # fmt: skip
def test_matches_equal_those_of_brute_force(found, tree, pattern, filters):
    plain = Tree(tree)
    nodes = names_of(pattern)
    text = "pattern " + block(pattern, nodes)
    for positive, clauses in filters:
        further = [name for name in names_of(clauses) if name not in nodes]
        text += (" with " if positive else " without ") + block(clauses, further)
    expected = [
        at
        for at in extensions(plain, pattern, {})
        if all(bool(extensions(plain, clauses, at)) == positive for positive, clauses in filters)
    ]
    assert found(text, tree) == sorted(tuple(at[name] for name in nodes) for at in expected)


@settings(max_examples=200)
@given(tree=trees(), shape=trees(), data=st.data())
def test_matches_are_the_subgraph_monomorphisms_of_networkx(found, tree, shape, data):
    plain = Tree(tree)
    host = nx.DiGraph()
    host.add_nodes_from((node, {"f": f}) for node, f in plain.features.items())
    host.add_edges_from((h, w, {"label": plain.labels[w]}) for w, h in plain.heads.items())
    # Search for the shape of a tree without its anchor, a forest
    size = min(len(shape.tokens), 4)
    pattern = nx.DiGraph()
    for node in range(1, size + 1):
        test = data.draw(st.sampled_from(FEATURE_CLAUSES))
        pattern.add_node(f"N{node}", test=test)
    for token in shape.tokens[:size]:
        if 0 < int(token.head) <= size:
            label = data.draw(st.sampled_from(list(LABEL_TESTS)))
            pattern.add_edge(f"N{token.head}", f"N{token.id}", test=label)
    clauses = [f"{node} [{test}]" for node, test in pattern.nodes(data="test")]
    clauses += [f"{s} {test} {t}" for s, t, test in pattern.edges(data="test")]
    matcher = DiGraphMatcher(
        host, pattern,
        node_match=lambda word, node: NODE_TESTS[node["test"]](word["f"]),
        edge_match=lambda edge, wanted: LABEL_TESTS[wanted["test"]](edge["label"]),
    )  # fmt: skip
    expected = [
        tuple(at[node] for node in pattern.nodes)
        for at in (
            {node: word for word, node in mapping.items()}
            for mapping in matcher.subgraph_monomorphisms_iter()
        )
    ]
    assert found(f"pattern {{ {'; '.join(clauses)} }}", tree) == sorted(expected)
