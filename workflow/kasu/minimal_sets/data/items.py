"""One item of a minimal set from one match: a masked sentence and a form for each value."""

from collections.abc import Mapping
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.corpora.texts.spelling import canonical
from kasu.corpora.treebanks.treebank import Token
from kasu.minimal_sets.data import validation
from kasu.minimal_sets.data.design import Design
from kasu.minimal_sets.data.elision import ELISION, breaks_elision
from kasu.minimal_sets.data.forms import Lexicon, is_word
from kasu.minimal_sets.data.masked_sentence import GLUED, is_glued, mask_word
from kasu.minimal_sets.data.paradigms import Paradigms
from kasu.queries.graph import Graph

# Reasons to drop a match, with those of `masked_sentence` and `validation`
OTHER_VALUE = "the target has another value"
NO_LEMMA = "the target has no lemma"
NO_WORD = "the target is no whole word"

Item = dict[str, object]
"""A row of `kasu.minimal_sets.data.columns.schema`."""


class Form(NamedTuple):
    """A form and its source: `sentence` (the right form), `treebank` or `unimorph`."""

    text: str
    source: str


class ItemBuilder:
    """A builder of items, which remembers them: no two may have the same masked sentence."""

    def __init__(
        self, design: Design, lexicon: Lexicon, paradigms: Paradigms | None, files: str
    ) -> None:
        self.design, self.lexicon, self.paradigms, self.files = design, lexicon, paradigms, files
        self._masked: set[str] = set()
        self._ids: set[str] = set()

    def build(self, graph: Graph, nodes: Mapping[str, int]) -> Item | str:
        """Return the item of a match, or the reason to drop the match.

        Its text and forms are in NFC: forms of other files may be spelt otherwise than the text.

        Args:
            nodes: node of the request -> position in the sentence.

        Raises:
            KasuError: two sentences have the same sentence_id.
        """
        design, position = self.design, nodes[self.design.target]
        right = graph.column(design.feature)[position]
        if right is None or right not in design.values:
            return OTHER_VALUE
        if graph.column("lemma")[position] is None:
            return NO_LEMMA
        word = graph.words[position - 1]
        if not is_word(word.form):
            return NO_WORD
        masked, reason = mask_word(graph.sentence, position)
        if masked is None:
            return reason
        if is_glued(masked):
            return GLUED
        masked = canonical(masked)
        forms: dict[str, Form] = {}
        for value in design.values:
            form = Form(word.form, "sentence") if value == right else self._find(word, value)
            if form is None:
                return validation.NO_CANDIDATE
            forms[value] = form._replace(text=canonical(form.text))
        if breaks_elision(masked, (form.text for form in forms.values())):
            return ELISION
        if dropped := self._reject(graph, nodes, word, right, forms):
            return dropped
        if masked in self._masked:
            return validation.DUPLICATE
        item_id = f"{design.name}:{graph.sentence.sentence_id}:{position}"
        if item_id in self._ids:
            found = f"sentence_id {graph.sentence.sentence_id} again, with another text"
            raise KasuError(self.files, found, "one of its own for every sentence of all treebanks")
        self._masked.add(masked)
        self._ids.add(item_id)
        told = {"item_id": item_id, "masked": masked, "grammatical": right.lower()}
        return told | self._describe(graph, nodes, right, forms)

    def _find(self, word: Token, value: str) -> Form | None:
        """Return the form of a word with another value: from the treebanks, else from UniMorph."""
        if (form := self.lexicon.candidate(word, value)) is not None:
            return Form(form, "treebank")
        if self.paradigms and (form := self.paradigms.candidate(word, value)) is not None:
            return Form(form, "unimorph")
        return None

    def _reject(
        self,
        graph: Graph,
        nodes: Mapping[str, int],
        word: Token,
        right: str,
        forms: Mapping[str, Form],
    ) -> str | None:
        design, clause = self.design, None
        if design.agreement and design.verb:
            clause = validation.read_clause(
                graph, nodes[design.verb], nodes[design.target], design.feature, design.agreement
            )
            if clause is None:
                return validation.NO_AGREEMENT
        wrong = {value: form.text for value, form in forms.items() if value != right}
        return validation.reject(word, wrong, self.lexicon, clause, self.paradigms)

    def _describe(
        self, graph: Graph, nodes: Mapping[str, int], right: str, forms: Mapping[str, Form]
    ) -> Item:
        """Return the columns of an item that describe its forms, its target and its verb."""
        design, position = self.design, nodes[self.design.target]
        word = graph.words[position - 1]
        # Without a verb take position 0, the anchor: it has neither aspect nor tense
        verb = nodes[design.verb] if design.verb else 0
        case = graph.column(design.feature)
        return {
            "set": design.name,
            "sentence_id": graph.sentence.sentence_id,
            **{f"form_{value.lower()}": form.text for value, form in forms.items()},
            "source_of_forms": " ".join(f"{v.lower()}={form.source}" for v, form in forms.items()),
            "target": position,
            "upos": word.upos,
            "lemma": word.lemma,
            "features": word.feats,
            "concord": sum(case[at] == right for at in graph.children[position]),
            "aspect": graph.column("Aspect")[verb],
            "tense": graph.column("Tense")[verb],
            "licence": design.licence,
            "note": None,
        }
