"""Agreement pairs by Kasu's rules: requests, the controller, the closest attested cell.

A wrong form differs from the target in one feature, has no reading that is right in the place of
the target, and its value is none that the subject may have.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.corpora.texts.spelling import canonical, capitalised, folded, lower, upper
from kasu.corpora.treebanks.treebank import WITHHELD, Token, features
from kasu.job.run import log, seed_of
from kasu.lm.scoring.items import MASK
from kasu.minimal_sets.data import validation
from kasu.minimal_sets.data.elision import ELISION, Elision, breaks_elision
from kasu.minimal_sets.data.forms import Lexicon, is_word
from kasu.minimal_sets.data.items import NO_LEMMA, NO_WORD
from kasu.minimal_sets.data.masked_sentence import GLUED, is_glued, mask_word
from kasu.minimal_sets.data.paradigms import Paradigms
from kasu.minimal_sets.data.sets import NOT_DRAWN
from kasu.minimal_sets.data.validation import fits_slot, may_be
from kasu.minimal_sets.pairs.columns import of_each, phenomenon
from kasu.minimal_sets.pairs.design import FEATURES, RIGHT, WRONG, PairDesign
from kasu.minimal_sets.pairs.sentences import Source
from kasu.minimal_sets.pairs.subjects import (
    LAYER,
    count_attractors,
    nearest_value,
    order,
    value_of,
)
from kasu.queries.graph import Graph
from kasu.queries.match import Matcher
from kasu.queries.parsing import read_request
from kasu.results.statistics import wilson

# Reasons to drop a candidate, with those of `validation`, `items` and `masked_sentence`
UNMARKED = "the target states no value"
DISAGREE = "subject and target disagree"
AMBIGUOUS = "ambiguous subject"
SLIP = "a slip, or another language"
UNAGREEMENT = "a plural noun may take another person"
EVERY_VALUE = "the target has every value"
NO_AGREEMENT = "subjects of this value do not agree"
_PERSONS = ("1", "2", "3")  # not 0, the impersonal, and 4
# What a closest cell or the target may leave out: agreement, and what Kazakh and Basque tie to it
_OF_AGREEMENT = (*FEATURES, *(name + LAYER for name in FEATURES), "Polite", "Animacy")

GERMAN = {"de", "deu", "ger"}
"""ISO 639 codes of a language whose subjunctive reports speech in main clauses, too.

*Die Post baue Stellen ab* is right beside *baut* (Fabricius-Hansen & Sæbø 2004, In a mediative
mood, Natural Language Semantics 12:213-257).
"""

_LAYERED = re.compile("__(.+)$")

Item = dict[str, object]


class Found(NamedTuple):
    """A subject with its target, of a kind."""

    source: Source
    graph: Graph
    kind: str
    subject: int
    target: int


class KasuRules:
    """The pairs of some treebanks; `drops`, `counts` and `agreement` are final after `items`."""

    def __init__(
        self,
        sources: Sequence[Source],
        requests: Mapping[str, str | Path],
        design: PairDesign,
        unimorph: Sequence[str | Path],
        conventions: str | Path | None,
    ) -> None:
        """Take treebanks and a request for each kind of target.

        Raises:
            KasuError: a request lacks a node S or T, or as `Paradigms`.
        """
        self.sources, self.design = sources, design
        self.unimorph, self.conventions = unimorph, conventions
        self.matchers = {}
        for kind, path in requests.items():
            request = read_request(path)
            for node in "ST":
                request.need_node(node, path)
            self.matchers[kind] = Matcher(request)
        self.drops: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.agreement: list[dict] = []
        self.pool: list[dict] = []

    @cached_property
    def tokens(self) -> Counter[str]:
        """How often each form occurs in the treebanks, in upper or lower case."""
        counts = Counter(w.form for source in self.sources for w in source.sentence.words)
        counts_folded: Counter[str] = Counter()
        for form, count in counts.items():
            counts_folded[folded(form, self.design.language)] += count
        return counts_folded

    @cached_property
    def elision(self) -> Elision:
        """The words of the treebanks that are elided."""
        return Elision((source.sentence for source in self.sources), self.design.language)

    def items(self) -> Iterator[Item]:
        """Yield the items of each feature, in the order of the treebanks."""
        found = list(self._matches())
        for feature in self.design.features:
            rules = FeatureRules(self, feature)
            yield from rules.items(found)
            self.drops.update(of_each(feature, rules.drops))

    def _matches(self) -> Iterator[Found]:
        for source in self.sources:
            self.counts["sentences"] += 1
            graph = Graph(source.sentence)
            for kind, matcher in self.matchers.items():
                for match in matcher.matches(graph):
                    self.counts["subjects"] += 1
                    if source.sentence.withheld:
                        self.drops[WITHHELD] += 1
                        continue
                    yield Found(source, graph, kind, match.nodes["S"], match.nodes["T"])


def with_features(word: Token, told: Mapping[str, str]) -> Token:
    """Return a word with other features; the layer of `Number__subj` in brackets."""
    named = ((_LAYERED.sub(r"[\1]", name), value) for name, value in sorted(told.items()))
    return word._replace(feats="|".join(map("=".join, named)))


class FeatureRules:
    """The pairs of one feature."""

    def __init__(self, rules: KasuRules, feature: str) -> None:
        self.rules, self.design, self.feature = rules, rules.design, feature
        self.drops: Counter[str] = Counter()
        self.name = self._layer()
        self.lexicon = self._lexicon(self.name)
        self.nouns = self.lexicon if self.name == feature else self._lexicon(feature)
        self.paradigms = (
            Paradigms(rules.unimorph, feature, (), self.design.language, rules.conventions)
            if rules.unimorph
            else None
        )
        if self.paradigms and feature == self.design.features[0]:  # all read the same files
            self.paradigms.log_drops()
        if self.paradigms and not self.paradigms.has_part("VERB"):
            raise KasuError(self.paradigms.path, "no paradigm of a verb", "verbs, which agree")
        self._seen: set[tuple[str, str, str]] = set()

    def _verbs(self) -> Iterator[dict[str, str]]:
        for source in self.rules.sources:
            for word in source.sentence.words:
                told = features(word.feats)
                if word.upos in ("VERB", "AUX") or told.get("VerbForm") == "Part":
                    yield told

    def _layer(self) -> str:
        """Return the feature of verbs: that of their subject, where they have it alone."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for told in self._verbs():
            for name in (self.feature, self.feature + LAYER):
                if name in told:
                    counts[name][told[name]] += 1
        return max(
            (self.feature, self.feature + LAYER),
            key=lambda name: (len(counts[name]) > 1, min(counts[name].values(), default=0)),
        )

    def _lexicon(self, name: str) -> Lexicon:
        sentences = (source.sentence for source in self.rules.sources)
        return Lexicon(sentences, name, language=self.design.language, verbs=True)

    @cached_property
    def values(self) -> list[str]:
        """The values that verbs may have; of several, as `Masc,Fem`, each."""
        stated = {told[self.name] for told in self._verbs() if self.name in told}
        if self.paradigms:
            stated |= self.paradigms.values(self.feature)
        values = {value for each in stated for value in each.split(",")}
        return sorted(values & {*_PERSONS} if self.feature == "Person" else values)

    def items(self, found: Sequence[Found]) -> list[Item]:
        """Return the items, without those of values whose subjects do not agree."""
        if len(self.values) < 2:
            names = {name for told in self._verbs() for name in told}
            has = ", ".join(sorted(names)) or "no features"
            log.info("%s: no verb has the feature %s; verbs have %s",
                     self.design.name, self.feature, has)  # fmt: skip
            return []
        agreeing = self._measure(found)
        made = [item for each in found for item in self._build(each, agreeing)]
        return self._draw(made)

    # Does the language agree at all?

    def _measure(self, found: Sequence[Found]) -> dict[tuple[str, str, str], bool]:
        """Return by kind, value and order whether subjects agree often enough; list them."""
        counts: dict[tuple[str, str, str], Counter[bool]] = defaultdict(Counter)
        for each in found:
            own = value_of(each.graph, each.subject, self.feature)
            target = self._stated(each)
            if own in self.values and target and not self._may_be_another(each, own):
                about = each.kind, own, order(each.subject, each.target)
                counts[about][may_be({self.feature: target}, self.feature, own)] += 1
        kept = {}
        for (kind, value, where), answers in sorted(counts.items()):
            agree, n = answers[True], answers.total()
            low, high = wilson(agree, n)
            enough = self.design.agrees is None or high >= self.design.agrees
            kept[kind, value, where] = enough
            self.rules.agreement.append(
                {
                    "set": self.design.name, "feature": self.feature, "kind": kind, "value": value,
                    "order": where, "subjects": n, "agree": agree, "share": agree / n, "low": low,
                    "high": high, "kept": enough,
                }
            )  # fmt: skip
        return kept

    def _stated(self, each: Found) -> str | None:
        return each.graph.column(self.name)[each.target]

    def subject_readings(self, each: Found) -> Iterator[dict[str, str]]:
        """Yield what the subject's form may be, in its case: attested, by analogy, in UniMorph."""
        word = each.graph.words[each.subject - 1]
        case = features(word.feats).get("Case")
        readings = self.nouns.readings(word, word.form)
        if self.paradigms:
            readings += self.paradigms.readings(word, word.form)
        for reading in readings:
            if case is None or may_be(reading, "Case", case):
                yield reading

    def _may_be_another(self, each: Found, own: str) -> bool:
        return any(
            reading.get(self.feature) not in (None, own) for reading in self.subject_readings(each)
        )

    # One item per wrong value

    def _build(self, each: Found, agreeing: Mapping[tuple[str, str, str], bool]) -> Iterator[Item]:
        word = each.graph.words[each.target - 1]
        told = self.complete(each, word)
        if isinstance(told, str):
            self.drops[told] += 1
            return
        right = told[self.name]
        where = order(each.subject, each.target)
        if not agreeing.get((each.kind, right, where), True):
            self.drops[NO_AGREEMENT] += 1
            return
        masked, reason = mask_word(each.graph.sentence, each.target)
        if masked is None or is_glued(masked):
            self.drops[GLUED if masked else reason] += 1
            return
        masked = canonical(masked)  # as its forms: those of other files may be spelt otherwise
        full = with_features(word, told)
        of_subject = self._values_of_subject(each)
        for wrong in self.values:
            if wrong in right.split(","):
                continue
            if self._may_include_us(each, told):
                self.drops[UNAGREEMENT] += 1
                continue
            if wrong in of_subject:
                self.drops[AMBIGUOUS] += 1
                continue
            form, source = self._form(word, full, wrong)
            if form is None:
                self.drops[validation.NO_CANDIDATE] += 1
            elif wrongly := self.reject(word, full, told, right, form):
                self.drops[wrongly] += 1
            elif breaks_elision(masked, (word.form, form)) or self._needs_elision(each, form):
                self.drops[ELISION] += 1
            elif (masked, self.feature, form) in self._seen:
                self.drops[validation.DUPLICATE] += 1
            else:
                self._seen.add((masked, self.feature, form))
                yield self._item(each, word, masked, right, wrong, form, source)

    def _needs_elision(self, each: Found, form: str) -> bool:
        """Return whether the word before the target would be elided before a form: *ne est*."""
        *_, word = before = each.graph.words[: each.target]
        return len(before) > 1 and self.rules.elision.needed(before[-2], word.form, form)

    def _values_of_subject(self, each: Found) -> set[str]:
        """Return the values that the subject's form may have.

        A speaker, a hearer or a name that states no gender may have any: *Я начал*, *Я начала*.
        """
        column, at = each.graph.column, each.subject
        if (
            self.feature == "Gender"
            and column("Gender")[at] is None
            and (column("Person")[at] in validation.SPEAKERS or column("upos")[at] == "PROPN")
        ):
            return set(self.values)
        stated = (reading.get(self.feature, "") for reading in self.subject_readings(each))
        return {value for values in stated for value in values.split(",")}

    def _may_include_us(self, each: Found, told: Mapping[str, str]) -> bool:
        """Return whether a subject may take another person than its own: a plural, but *they*.

        So in Greek and Spanish: *Las hembras tenemos crías*.
        """
        personal = each.graph.column("PronType")[each.subject] == "Prs"
        return self.feature == "Person" and not personal and told.get("Number") != "Sing"

    def complete(self, each: Found, word: Token) -> dict[str, str] | str:
        """Return the features of the target, completed by its subject's; or a reason to drop it.

        Where the target states no value (Amharic), it has that of its form in UniMorph.
        """
        subject = each.graph.words[each.subject - 1]
        own = value_of(each.graph, each.subject, self.feature)
        for told in (features(word.feats), features(subject.feats)):
            if {"Typo", "Foreign", "Abbr"} & told.keys():
                return SLIP
        if each.graph.column("lemma")[each.target] is None:
            return NO_LEMMA
        if not is_word(word.form):
            return NO_WORD
        told = dict(features(word.feats))
        for name in FEATURES:
            value = value_of(each.graph, each.subject, name)
            if value and name != self.feature and name + LAYER not in told:
                told.setdefault(name, value)
        if self.name not in told:
            told = self._of_unimorph(word, told | ({self.feature: own} if own else {})) | told
        if self.name not in told:
            return UNMARKED
        if own and not may_be(told, self.name, own):
            return DISAGREE
        if set(self.values) <= set(told[self.name].split(",")):
            return EVERY_VALUE
        if told[self.name] not in self.values and "," not in told[self.name]:
            return validation.NO_CANDIDATE
        return told

    def _of_unimorph(self, word: Token, told: Mapping[str, str]) -> dict[str, str]:
        """Return what all readings of a form in UniMorph say that fit its place.

        Args:
            told: the features of the target, and its subject's.
        """
        readings = self.paradigms.readings(word, word.form) if self.paradigms else []
        found = [set(each.items()) for each in readings if fits_slot(each, told, word.upos, "")]
        return dict(set.intersection(*found)) if found else {}

    def _form(self, word: Token, full: Token, wrong: str) -> tuple[str | None, str]:
        """Return the wrong form and its source; None if there is none.

        The form with all features of the target: the treebank's, else UniMorph's. Where no word of
        the treebank has all these, the closest (Faroese plurals state no person).
        """
        form = self.lexicon.most_frequent(word, wrong)
        if form is not None:
            return self._cased(form, word), "treebank"
        if self.paradigms and self.name == self.feature:
            form = self.paradigms.candidate(full, wrong)
            if form is not None:
                return form, "unimorph"
        form = self.lexicon.closest(word, wrong, _OF_AGREEMENT)
        return (self._cased(form, word), "closest") if form is not None else (None, "")

    def _cased(self, form: str, word: Token) -> str:
        """Write a form as the word is written, at the head of a sentence too."""
        language = self.design.language
        if len(word.form) > 1 and word.form.isupper():
            return upper(form, language)
        return capitalised(form, language) if word.form[:1].isupper() else lower(form, language)

    def reject(
        self, word: Token, full: Token, told: Mapping[str, str], right: str, form: str
    ) -> str | None:
        """Return why a form is not wrong: it is the same, or has a reading that is right.

        A reading that states less of number, person and gender counts as `treebank_readings`. A
        German subjunctive may stand for an indicative.

        Args:
            word, full: the target as annotated, and with `told`, its completed features.
        """
        if self.lexicon.folded(form) == self.lexicon.folded(word.form):
            return validation.EQUAL
        names = {self.name, *FEATURES}
        readings = validation.treebank_readings(self.lexicon, word, form, names, told)
        if self.paradigms and self.name == self.feature:
            readings += self.paradigms.readings(full, form)
        for reading in readings:
            reported = self.design.language in GERMAN and reading.get("Mood") == "Sub"
            place = {**told, "Mood": "Sub"} if reported else told
            fits = fits_slot(reading, place, full.upos, self.name)
            if fits and may_be(reading, self.name, right):
                return validation.SYNCRETISM
        return None

    def _item(
        self, each: Found, word: Token, masked: str, right: str, wrong: str, form: str, source: str
    ) -> Item:
        design, where = self.design, order(each.subject, each.target)
        right_form, form = canonical(word.form), canonical(form)
        about = phenomenon(each.kind, self.feature)
        sentence_id = each.source.sentence_id
        told, fold = features(word.feats), self.lexicon.folded
        return {
            "item_id": f"{design.name}:{sentence_id}:{each.target}:{about}:{wrong}:{each.subject}",
            "set": design.name,
            "treebank": each.source.file,
            "sentence_id": sentence_id,
            "phenomenon": about,
            "condition": f"{right} {wrong} {where} {each.kind}",
            "right_value": right,
            "wrong_value": wrong,
            "order": where,
            "kind": each.kind,
            "sen": masked.replace(MASK, right_form),
            "wrong_sen": masked.replace(MASK, form),
            "masked": masked,
            "grammatical": RIGHT,
            f"form_{RIGHT}": right_form,
            f"form_{WRONG}": form,
            "source_of_forms": source,
            "controller": each.graph.words[each.subject - 1].form,
            "distance": abs(each.target - each.subject),
            "attractors": count_attractors(
                each.graph, each.subject, each.target, self.feature, right
            ),
            "nearest": nearest_value(each.graph, each.target, self.feature),
            "right_tokens": self.rules.tokens[fold(word.form)],
            "wrong_tokens": self.rules.tokens[fold(form)],
            "target": each.target,
            "upos": word.upos,
            "lemma": word.lemma,
            "features": word.feats,
            "tense": told.get("Tense"),
            "aspect": told.get("Aspect"),
            "certainty": None,
            "licence": each.source.licence,
        }

    def _draw(self, items: list[Item]) -> list[Item]:
        """Return at most `per_condition` items of each condition, drawn by a hash of each."""
        most = self.design.per_condition
        if most is None:
            return items
        by_condition: dict[tuple, list[Item]] = defaultdict(list)
        for item in items:
            by_condition[item["phenomenon"], item["condition"]].append(item)
        drawn = set()
        for members in by_condition.values():
            hashed = sorted((seed_of("agreement pairs", self.design.seed, item["item_id"]),
                             item["item_id"]) for item in members)  # fmt: skip
            drawn |= {item_id for _, item_id in hashed[:most]}
        if left_out := len(items) - len(drawn):
            self.drops[NOT_DRAWN] += left_out
        return [item for item in items if item["item_id"] in drawn]
