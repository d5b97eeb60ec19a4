"""Minimal sets from treebanks: a request, a target, a feature and its values (GEO-2 to GEO-4)."""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from kasu.base.cards import write_card
from kasu.base.errors import KasuError
from kasu.base.run import Progress, seed_of
from kasu.base.tables import ParquetWriter, landing, write_counts, write_drops
from kasu.corpora.treebank import Sentence, Token, read_treebank
from kasu.minimal_sets.data import validation
from kasu.minimal_sets.data.forms import Lexicon
from kasu.minimal_sets.data.masked_sentence import mask_word
from kasu.minimal_sets.data.paradigms import Paradigms
from kasu.query.graph import Graph
from kasu.query.match import Matcher
from kasu.query.parsing import read_request
from kasu.query.unseen import unseen

CITATION = (
    "Gallagher & Heyer (2026). Targeted Syntactic Evaluation of Language Models on Georgian Case "
    "Alignment. LoResLM. "
    "Treebanks: see the sources."
)
OTHER_VALUE = "the target has another value"
NO_LEMMA = "the target has no lemma"
NOT_LAST = "not the last match of its sentence"
NOT_DRAWN = "not drawn"
MATCHES = ("all", "last")

_BEFORE = {
    "item_id": (pa.string(), "set, sentence and target, stable"),
    "set": (pa.string(), "name of the set"),
    "sentence_id": (pa.string(), "of the treebank"),
    "match": (pa.int32(), "number of the match in its sentence, from 1"),
    "matches": (pa.int32(), "how many matches the sentence has"),
    "masked": (pa.string(), "the text, [MASK] in place of the target"),
    "grammatical": (pa.string(), "the right value, lower case"),
}
_AFTER = {
    "source_of_forms": (pa.string(), "for each value, where its form is from"),
    "target": (pa.int32(), "position of the target among the words, from 1"),
    "upos": (pa.string(), "part of speech of the target"),
    "lemma": (pa.string(), "lemma of the target"),
    "features": (pa.string(), "features of the target, as in the treebank"),
    "concord": (pa.int32(), "dependents of the target that show the right value too"),
    "aspect": (pa.string(), "of the verb"),
    "tense": (pa.string(), "of the verb"),
    "licence": (pa.string(), "of the sentence"),
    "note": (pa.string(), "what is known to be wrong with the item"),
}


def columns(values: Sequence[str]) -> dict[str, tuple[pa.DataType, str]]:
    """The columns of a set, each with its type and meaning, a column `form_...` a value."""
    forms = {f"form_{v.lower()}": (pa.string(), f"the target with the value {v}") for v in values}
    return _BEFORE | forms | _AFTER


def schema(values: Sequence[str]) -> pa.Schema:
    """The schema of a set of these values."""
    return pa.schema([(name, kind) for name, (kind, _) in columns(values).items()])


class Settings(NamedTuple):
    """What a set is made of.

    name: of the set, part of every item_id.
    target: the node of the request whose form changes.
    feature, values: the feature that changes. The target's own value is the right one, each of
        the others gives a wrong form.
    matches: `all`, or `last`: the authors keep the last match of a sentence.
    verb: the node whose aspect and tense items tell (S-12), and whose agreement counts.
    agreement: for each value, the feature of the verb that marks that argument's number, as
        `{"Erg": "Number[erg]"}`; rejects wrong forms that are right with another argument
        understood (S-13).
    max_items, seed: keep so many, drawn at random; a draw changes little if the data do.
    """

    name: str
    target: str
    values: Sequence[str]
    feature: str = "Case"
    matches: str = "last"
    verb: str | None = None
    agreement: Mapping[str, str] | None = None
    max_items: int | None = None
    seed: int = 0
    licence: str = "not stated"


def build_set(
    treebanks: Sequence[str | Path],
    request: str | Path,
    folder: str | Path,
    *,
    settings: Settings,
    language: str,
    sources: Sequence[Mapping[str, str]],
    lexicon: Sequence[str | Path] = (),
    unimorph: str | Path | None = None,
) -> None:
    """Write a minimal set: items.parquet (`schema`), README.md, counts.tsv, drops.tsv.

    The treebanks are read twice, as streams: once for the lexicon, once for the matches.

    Args:
        treebanks: CoNLL-U or parquet; the order counts where the lexicon has several forms.
        request: a Grew request, or a file that holds one.
        language: of the treebanks, for the card.
        sources: `name`, `licence` and `citation` of each source, for the card.
        lexicon: further treebanks, whose words join the lexicon behind those of the first.
        unimorph: paradigms for the forms that the treebanks lack.

    Raises:
        KasuError: no treebank; a request without the target or the verb; treebanks without the
            feature, a value, the agreement or lemmas, or two with one sentence_id; agreement of an
            unknown value; paradigms of another tag set; no match; no item left.
    """
    build = _Build(treebanks, request, settings, lexicon, unimorph)
    folder = Path(folder)
    with landing(folder / "items.parquet") as part:
        with ParquetWriter(part, schema(settings.values)) as writer:
            for item in build.items():
                writer.write([item])
        build.need_items(writer.rows)
    write_counts(folder / "counts.tsv", build.counts | {"items": writer.rows})
    write_drops(folder / "drops.tsv", +build.drops)
    write_card(
        folder / "README.md",
        title=f"Minimal sets, {settings.name}",
        summary=f"Sentences with a mask, and a form for each {settings.feature}: "
        f"{', '.join(settings.values)}. One of them is right.",
        language=language,
        sources=sources,
        counts={"items": writer.rows},
        columns={name: meaning for name, (_, meaning) in columns(settings.values).items()},
        citation=CITATION,
    )


class _Build:
    """One reading of the treebanks for a set; counts and drops are whole when it ends."""

    def __init__(
        self,
        treebanks: Sequence[str | Path],
        request: str | Path,
        settings: Settings,
        lexicon: Sequence[str | Path],
        unimorph: str | Path | None,
    ) -> None:
        self.treebanks, self.where, self.settings = treebanks, request, settings
        self.request = read_request(request)
        self._check()
        words = self.sentences("lexicon", (*treebanks, *lexicon))
        self.lexicon = Lexicon(words, settings.feature)
        self.lexicon.need([settings.feature], self.files)
        self.lexicon.need_lemmas(self.files)
        if unimorph is None:
            self._need_values()
        self._need_agreement()
        self.paradigms = (
            Paradigms(unimorph, settings.feature, settings.values) if unimorph else None
        )
        self.counts = Counter({"sentences": 0, "sentences with a match": 0, "matches": 0})
        self.drops: Counter[str] = Counter()
        self.seen: set[str] = set()

    @property
    def files(self) -> str:
        return ", ".join(map(str, self.treebanks))

    def sentences(
        self, what: str, treebanks: Sequence[str | Path] | None = None
    ) -> Iterator[Sentence]:
        """The sentences of all treebanks, or of those given, in their order."""
        progress = Progress(f"{self.settings.name}, {what}", unit="sentences")
        for sentence in chain.from_iterable(map(read_treebank, treebanks or self.treebanks)):
            yield sentence
            progress.add()

    def _check(self) -> None:
        settings = self.settings
        if not self.treebanks:
            raise KasuError(settings.name, "no treebank", "one that `licences` lets in")
        for node in filter(None, (settings.target, settings.verb)):
            self.request.need_node(node, self.where)
        if settings.matches not in MATCHES:
            raise KasuError("matches", repr(settings.matches), " or ".join(MATCHES))
        if len(set(settings.values)) < max(2, len(settings.values)):
            raise KasuError("values", repr(list(settings.values)), "two or more, all different")
        if settings.agreement and settings.verb is None:
            raise KasuError("agreement", "no verb", "the node of the request that agrees")

    def _need_values(self) -> None:
        feature, there = self.settings.feature, self.lexicon.values
        for value in self.settings.values:
            if value not in there:
                found = f"no word has {feature}={value}"
                raise KasuError(self.files, found, f"some of {', '.join(sorted(there))}")

    def _need_agreement(self) -> None:
        """Also of a value that no form of the set has: other words of a sentence may have it."""
        agreement = self.settings.agreement or {}
        known = sorted({*self.settings.values, *self.lexicon.values})
        for value in agreement:
            if value not in known:
                raise KasuError("agreement", repr(value), f"some of {', '.join(known)}")
        self.lexicon.need(map(validation.feature_name, agreement.values()), self.files)

    def need_items(self, rows: int) -> None:
        """Say so if nothing is left, and why."""
        if rows:
            return
        if not self.counts["matches"]:
            reasons = unseen(self.request, self.sentences("why nothing matches"))
            why = "".join(f"; no word has {what}" for what in reasons)
            raise KasuError(self.where, f"no match in {self.files}{why}", "one or more")
        why = ", ".join(f"{reason}: {count}" for reason, count in (+self.drops).most_common())
        raise KasuError(self.where, f"no item left of the matches ({why})", "one or more")

    def items(self) -> Iterable[dict[str, object]]:
        """The items in order of the treebanks, all or those that are drawn."""
        size = self.settings.max_items
        if size is None:
            return self._valid()
        # By a number of its own for each item: what is drawn does not depend on the others' order
        numbered = enumerate(self._valid())
        drawn = heapq.nsmallest(size, numbered, lambda at: self._draw(at[1]["item_id"]))
        if left_out := self.counts["valid items"] - len(drawn):
            self.drops[NOT_DRAWN] = left_out
        return [item for _, item in sorted(drawn, key=lambda at: at[0])]

    def _draw(self, item_id: str) -> int:
        return seed_of("minimal sets", self.settings.seed, item_id)

    def _valid(self) -> Iterator[dict[str, object]]:
        matcher = Matcher(self.request)
        for sentence in self.sentences("matches"):
            graph = Graph(sentence)
            matches = matcher.matches(graph)
            self.counts["sentences"] += 1
            self.counts["sentences with a match"] += bool(matches)
            self.counts["matches"] += len(matches)
            numbers = range(1, len(matches) + 1)
            if matches and self.settings.matches == "last":
                self.drops[NOT_LAST] += len(matches) - 1
                numbers = numbers[-1:]
            for number in numbers:
                item = self._item(graph, matches[number - 1].nodes)
                if isinstance(item, str):
                    self.drops[item] += 1
                    continue
                self.counts["valid items"] += 1
                yield item | {"match": number, "matches": len(matches)}

    def _item(self, graph: Graph, nodes: Mapping[str, int]) -> dict[str, object] | str:
        """An item, or the reason why there is none."""
        settings, position = self.settings, nodes[self.settings.target]
        right = graph.column(settings.feature)[position]
        if right not in settings.values:
            return OTHER_VALUE
        if graph.column("lemma")[position] is None:
            return NO_LEMMA
        word = graph.words[position - 1]
        masked, reason = mask_word(graph.sentence, position)
        if masked is None:
            return reason
        forms = {value: self._form(word, value, value == right) for value in settings.values}
        wrong = {value: form for value, (form, _) in forms.items() if value != right}
        if None in wrong.values():
            return validation.NO_CANDIDATE
        clause = None
        if settings.agreement:
            clause = validation.read_clause(
                graph, nodes[settings.verb], position, settings.feature, settings.agreement
            )
            if clause is None:
                return validation.NO_AGREEMENT
        if reason := validation.reject(word, wrong, self.lexicon, clause):
            return reason
        if masked in self.seen:
            return validation.DUPLICATE
        item = self._row(graph, nodes, masked, right, forms)
        if item["item_id"] in self.seen:
            found = f"sentence_id {item['sentence_id']} again, with another text"
            raise KasuError(self.files, found, "one of its own for every sentence of all treebanks")
        self.seen |= {masked, item["item_id"]}
        return item

    def _form(self, word: Token, value: str, right: bool) -> tuple[str | None, str]:
        """The form of a value, and where it is from."""
        if right:
            return word.form, "sentence"
        form = self.lexicon.candidate(word, value)
        if form is not None or self.paradigms is None:
            return form, "treebank"
        return self.paradigms.candidate(word, value), "unimorph"

    def _row(
        self,
        graph: Graph,
        nodes: Mapping[str, int],
        masked: str,
        right: str,
        forms: Mapping[str, tuple[str, str]],
    ) -> dict[str, object]:
        settings, position = self.settings, nodes[self.settings.target]
        word, sentence_id = graph.words[position - 1], graph.sentence.sentence_id
        shown = graph.column(settings.feature)
        verb = nodes[settings.verb] if settings.verb else 0
        return {
            "item_id": f"{settings.name}:{sentence_id}:{position}",
            "set": settings.name,
            "sentence_id": sentence_id,
            "masked": masked,
            "grammatical": right.lower(),
            **{f"form_{value.lower()}": form for value, (form, _) in forms.items()},
            "source_of_forms": " ".join(f"{v.lower()}={place}" for v, (_, place) in forms.items()),
            "target": position,
            "upos": word.upos,
            "lemma": word.lemma,
            "features": word.feats,
            "concord": sum(shown[at] == right for at in graph.children[position]),
            "aspect": graph.column("Aspect")[verb],
            "tense": graph.column("Tense")[verb],
            "licence": settings.licence,
            "note": None,
        }
