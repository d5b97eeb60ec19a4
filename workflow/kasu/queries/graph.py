"""A sentence as Grew sees it: words at positions 1, 2, …, an anchor at 0, and the basic tree.

The anchor is the source of the `root` relation. Its only feature is the form `__0__`; like any
other node it matches `N []`. Multiword tokens and empty nodes are not nodes. No edge reaches a
word whose head nobody has annotated.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache

from kasu.base.errors import KasuError
from kasu.corpora.treebanks.conllu_rules import EMPTY
from kasu.corpora.treebanks.treebank import Sentence, Token, features
from kasu.queries.labels import SPANS, label_part

# Candidates for nodes, in one sentence: some seconds. Two free nodes in a sentence of 1,400 words,
# or three in one of 125, stay below it
MOST = 2_000_000
ANCHOR = "__0__"
CELLS = ("form", "lemma", "upos", "xpos")
MISC = "__MISC__"  # prefix of a feature in MISC whose name occurs in FEATS
RAW_MISC = "__RAW_MISC__"  # the feature that a MISC cell is which names another twice
# Names in FEATS in UD 2.16, without layers. In MISC they get a prefix, so that `!Case` does not
# depend on an annotator's notes there
NAMES = """
    Abbr Accomp AdjType AdpType AdvType Advlz Agglutination Also Analyt Animacy Aspect BasStyle
    Case Caus Cfm Clas Class Clitic Clusivity Compound Comt Conces ConjType Connegative Contrast
    Contv Corf Decl Definite Definitizer Degree Deixis DeixisRef Delib Deo Derivation Determ
    Detrans Dev Dialect Dist Dyn Echo Ego Emph Emphatic Evident Excl ExtPos Fact False Foc Focus
    FocusType Foreign Form Gender Gnq HebBinyan HebExistential Hon Htp Hum Hyph Imprs Incorp
    InfForm InflClass Int Intens Intense Intension LangId Language Link Modality Mood Morph
    Movement Mutation NCount NameType NegationType Neutral Nmzr Nomzr NonFoc NounBase NounClass
    NounType NumForm NumType NumValue Number Obl Orth PartForm PartType PartTypeQpm Pcl Person
    Polarity Polite Position Poss Possessed Pred Prefix PrepCase PrepForm Priv PronClass PronType
    Proper Prp PunctSide PunctType Purp RcpType Recip Red Redup Reflex Rel RelType Reln Report
    Shared Speech Strength Style SubGender Subcat Subord Subordinative Tense Top Trans Tv Typo
    Uninflect Valency Variant Ventive VerbClass VerbForm VerbStem VerbType Voice
"""
FEATS = frozenset(NAMES.split())


class Graph:
    """Nodes 0 (the anchor) to n of a sentence, and its indexes, each built on first use.

    heads: the position of each node's head; -1 for the anchor and for words without a head.
    labels: the label of the edge from the head; "" where there is none.
    headless: the number of words without a head.
    """

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.words = sentence.words
        self.labels = ["", *(word.deprel for word in self.words)]
        heads = [word.head for word in self.words]
        try:
            self.heads = [-1, *map(int, heads)]
            self.headless = 0
        except ValueError:
            self.heads = [-1, *(-1 if head == EMPTY else int(head) for head in heads)]
            self.headless = heads.count(EMPTY)
        if EMPTY in self.labels:
            # As in Grew, an edge from the anchor is called root, another has no label
            names = zip(self.heads, self.labels, strict=True)
            self.labels = [
                label if label != EMPTY else "root" if head == 0 else "" for head, label in names
            ]
        self._columns: dict[str, list[str | None]] = {}
        self._indexes: dict[str | None, dict[str, set[int]]] = {}
        self._tried = 0

    def __len__(self) -> int:
        return len(self.heads)

    def spend(self, candidates: int) -> None:
        """Count candidates that a search tries.

        Raises:
            KasuError: it has tried more than MOST in this sentence.
        """
        self._tried += candidates
        if self._tried > MOST:
            found = f"the request tries over {MOST:,} words for its nodes"
            raise KasuError(self.sentence.sentence_id, found, "nodes linked by edges or order")

    def column(self, name: str) -> list[str | None]:
        """Return the named feature of every node, None where it is missing."""
        column = self._columns.get(name)
        if column is None:
            column = self._columns[name] = self._read(name)
        return column

    def index(self, name: str | None) -> dict[str, set[int]]:
        """Return the nodes by value of a feature; if it is None, by the label from their head."""
        index = self._indexes.get(name)
        if index is None:
            values = self._edges() if name is None else self.column(name)
            index = self._indexes[name] = _positions(values)
        return index

    def _edges(self) -> list[str | None]:
        """Return the label of the edge to every node, None where there is no edge."""
        if self.headless:
            return [
                label if head >= 0 else None
                for head, label in zip(self.heads, self.labels, strict=True)
            ]
        return [None, *self.labels[1:]]

    def edge_feature(self, target: int, name: str) -> str | int | None:
        """Return a feature of the edge that reaches a node: its label's, `length` or `delta`."""
        if name in SPANS:
            delta = target - self.heads[target]
            return delta if name == "delta" else abs(delta)
        return label_part(self.labels[target], name)

    @cached_property
    def positions(self) -> set[int]:
        """The positions of all nodes."""
        return set(range(len(self.heads)))

    @cached_property
    def children(self) -> list[list[int]]:
        """The dependents of every node, in order."""
        children: list[list[int]] = [[] for _ in self.heads]
        for position, head in enumerate(self.heads):
            if head >= 0:
                children[head].append(position)
        return children

    @cached_property
    def metadata(self) -> dict[str, str]:
        """The values of comments `key = value` by key."""
        pairs = (comment[1:].partition("=") for comment in self.sentence.comments)
        values = {key.strip(): value.strip() for key, equals, value in pairs if equals}
        return values | {"sent_id": self.sentence.sentence_id}

    @cached_property
    def is_projective(self) -> bool:
        """Whether no two edges cross, including the edge from the anchor."""
        spans = [sorted(span) for span in enumerate(self.heads) if span[1] >= 0]
        return not any(a < c < b < d for a, b in spans for c, d in spans)

    def dominates(self, above: int, below: int) -> bool:
        """Return whether a path of one or more edges leads from one node down to another."""
        below = self.heads[below]
        while below >= 0 and below != above:
            below = self.heads[below]
        return below == above

    def is_structure(self, name: str) -> bool:
        """Test `is_projective` and so on.

        A sentence with a word without a head is no tree, as it has another root than the anchor.
        Every sentence is a forest, and none has a cycle: `read_conllu` sees to that.
        """
        plain = name.replace("is_not_", "is_")
        match plain:
            case "is_projective":
                holds = self.is_projective
            case "is_tree":
                holds = not self.headless
            case _:
                holds = plain == "is_forest"
        return holds == (plain == name)

    def _read(self, name: str) -> list[str | None]:
        words = self.words
        if name == "form":
            return [ANCHOR, *(word.form for word in words)]
        if name == "lemma":
            # An underscore is a lemma only if the form is one too
            lemmas = (None if w.lemma == "_" != w.form else w.lemma for w in words)
            return [None, *lemmas]
        if name in CELLS:
            cells = (getattr(word, name) for word in words)
            return [None, *(None if cell == "_" else cell for cell in cells)]
        if name in ("textform", "wordform"):
            return [ANCHOR, *_forms(self.sentence.tokens, name)]
        if name.partition("__")[0] in FEATS:
            return [None, *(features(word.feats).get(name) for word in words)]
        return [None, *(_features(word.feats, word.misc).get(name) for word in words)]


@lru_cache(1 << 16)
def _features(feats: str, misc: str) -> dict[str, str]:
    """Return the features of a word in FEATS and MISC.

    As in Grew, a MISC cell that has a name twice, or one of FEATS again, is RAW_MISC as a whole.
    """
    own, noted = features(feats), features(misc)
    further = {MISC * (n.partition("__")[0] in FEATS) + n: value for n, value in noted.items()}
    names = {name.lower() for name in (*own, *further)}
    parts = sum(map(bool, misc.split("|"))) if misc != EMPTY else 0
    return own | further if len(names) == len(own) + parts else own | {RAW_MISC: misc}


def _positions(values: Sequence[str | None]) -> dict[str, set[int]]:
    positions: dict[str, set[int]] = {}
    for position, value in enumerate(values):
        if value in positions:
            positions[value].add(position)
        elif value is not None:
            positions[value] = {position}
    return positions


def _forms(tokens: list[Token], name: str) -> list[str]:
    """Return the feature `textform` or `wordform` of every word, as in Grew.

    The `textform` of a multiword token stands at its first word; the others have `_`.
    """
    forms, until, surface = [], 0, ""
    for token in tokens:
        first, dash, last = token.id.partition("-")
        if dash:
            until, surface = int(last), token.form
        elif "." not in token.id:
            form = surface if name == "textform" and int(first) <= until else token.form
            surface = "_"
            forms.append(features(token.misc).get(name, form))
    return forms
