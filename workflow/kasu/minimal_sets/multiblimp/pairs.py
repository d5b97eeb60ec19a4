"""Pairs by MultiBLiMP's rules: wrong forms, whether a language agrees, conditions (1.4-1.6)."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kasu.corpora.treebanks.treebank import Sentence
from kasu.job.run import seed_of
from kasu.minimal_sets.multiblimp.candidates import Candidate, candidates, is_left_out
from kasu.minimal_sets.multiblimp.tables import (
    NOUNS,
    NUMBERS,
    UNKNOWN,
    VERBS,
    Row,
    Table,
    to_unimorph,
)

CAP = 100  # pairs of a condition
LEAST = 5  # pairs of a file
SHARE, ALPHA = 0.9, 0.05
LETTERS = {"Number": "#", "Person": "P", "Gender": "G"}
EXCLUDED = "excluded"
_NOMINATIVE = {"Case": "Nom"}


class Pair(NamedTuple):
    """A candidate and a wrong form; the values of both forms."""

    candidate: Candidate
    wrong: str
    right_values: tuple[str, ...]
    wrong_values: tuple[str, ...]

    @property
    def key(self) -> str:
        """The values as the authors write them: `1|3 -> 2`."""
        return f"{'|'.join(self.right_values)} -> {'|'.join(self.wrong_values)}"

    def wrong_form(self) -> str:
        """Return the wrong form, capitalised if the replaced word is."""
        upper = self.candidate.words[self.candidate.target].form[:1].isupper()
        return self.wrong.capitalize() if upper else self.wrong


class Condition(NamedTuple):
    """A right and a wrong value, an order, and the kind of target (verb, aux, ptcp).

    certainty: whether the language agrees there: + ~ ? or EXCLUDED.
    agree, of: how many targets of subjects with the right value have it, in that order.
    """

    right: str
    wrong: str
    order: str
    item: str
    certainty: str
    agree: int
    of: int


@dataclass
class Phenomenon:
    """One feature and one kind of target: all pairs, and those of each condition.

    Attributes:
        drops: candidates and forms left out, by reason.
    """

    name: str
    feature: str
    pairs: list[Pair] = field(default_factory=list)
    conditions: dict[Condition, list[Pair]] = field(default_factory=dict)
    drops: Counter[str] = field(default_factory=Counter)
    agreement: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """(value of the subject, value of the target, order) -> subjects."""


class Tables(NamedTuple):
    """UniMorph and the second lexicon: those of some parts of speech."""

    unimorph: Table
    words: Table

    def others(
        self, form: str, told: Mapping[str, str], features: tuple[str | None, str | None]
    ) -> tuple[set[str], set[str]] | None:
        """Return the forms with another value, and the values of the form, or None.

        The second lexicon is asked if UniMorph does not give exactly one form.
        """
        found = self.unimorph.others(form, told, features[0])
        if found and len(found[0]) == 1:
            return found
        more = self.words.others(form, told, features[1])
        if found and more:
            return found[0] | more[0], found[1] | more[1]
        return found or more

    def readings(
        self,
        form: str,
        told: Mapping[str, str],
        features: tuple[str | None, str | None],
        *,
        first_alone: bool = False,
    ) -> set[str]:
        """Return the values of a form in both lexicons, or in the first that has any.

        Args:
            features: of which the values are asked, in each lexicon.
        """
        found = self.unimorph.readings(form, told, features[0])
        if first_alone and found:
            return found
        return found | self.words.readings(form, told, features[1])


class Maker:
    """What the pairs of a language are made of: its sentences and lexicons.

    Args of `make`: the feature, and whether targets are participles.
    """

    def __init__(
        self,
        sentences: Iterable[Sentence],
        unimorph: Sequence[Row],
        words: Sequence[Row],
        language: str,
        seed: int = 0,
    ) -> None:
        self.language, self.seed = language, seed
        self.sentences = [sentence for sentence in sentences if not is_left_out(sentence)]
        self._rows = unimorph, words
        self._tables: dict[str, Tables] = {}

    def tables(self, kind: str) -> Tables:
        """Return the lexicons of verbs, participles or nouns."""
        if kind not in self._tables:
            parts = NOUNS if kind == "nouns" else VERBS
            ptcp = "Part" if kind == "participles" else ""
            unimorph, words = self._rows
            self._tables[kind] = Tables(
                Table(unimorph, parts, to_unimorph, to_unimorph(ptcp)),
                Table(words, parts, participles=ptcp),
            )
        return self._tables[kind]

    def make(self, feature: str, *, participles: bool) -> Phenomenon:
        """Return the pairs of a feature, by condition."""
        kind = "participles" if participles else "verbs"
        made = Phenomenon(f"S{'P' if participles else 'V'}-{LETTERS[feature]}", feature)
        tables, nouns = self.tables(kind), self.tables("nouns")
        names = _feature_of(tables, feature)
        if not any(names) or len(_values(tables, names)) < 2:
            return made
        for sentence in self.sentences:
            for each in candidates(sentence, participles=participles):
                if self._is_asked_for(each, feature, participles):
                    self._add(made, each, tables, nouns, names)
        if len(made.pairs) >= LEAST:
            self._measure(made, tables, nouns, participles)
            self._divide(made, participles)
        return made

    def _is_asked_for(self, each: Candidate, feature: str, participles: bool) -> bool:
        """Return whether a target is in the present and third person, which English number is."""
        if self.language != "en" or feature != "Number" or participles:
            return True
        return (each.features.get("Tense"), each.features.get("Person")) == ("Pres", "3")

    def _add(
        self, made: Phenomenon, each: Candidate, tables: Tables, nouns: Tables, names: tuple
    ) -> None:
        # The form is looked up as it stands, so that no verb at the head of a sentence has a
        # pair, and none of a lemma in upper case (MB-14)
        found = tables.others(each.form, each.features, names)
        if found is None:
            made.drops["the form is in no lexicon"] += 1
            return
        wrongs, right = found
        same = names[1] or names[0]  # where the lexicons differ, that of the second
        if not wrongs:
            made.drops["no other form"] += 1
        # Several forms of one value are several pairs (MB-12)
        for wrong in sorted(wrongs):
            if wrong == each.form:
                made.drops["the same form"] += 1
                continue
            values = tables.readings(wrong, each.features, (same, same))
            if right & values:
                made.drops["a value in common"] += 1
            elif not values or not right or UNKNOWN in values:
                made.drops["an unknown value"] += 1
            # The subject's form alone is looked up, in one lexicon, and not by analogy (MB-8)
            elif values & nouns.readings(
                each.words[each.subject].form, _NOMINATIVE, (same, same), first_alone=True
            ):
                made.drops["ambiguous subject"] += 1
            else:
                pair = Pair(each, wrong, tuple(sorted(right)), tuple(sorted(values)))
                made.pairs.append(pair)

    def _measure(self, made: Phenomenon, tables: Tables, nouns: Tables, participles: bool) -> None:
        names, of_nouns = _feature_of(tables, made.feature), _feature_of(nouns, made.feature)
        told = {} if participles else {"Mood": "Ind"}
        for sentence in self.sentences:
            for each in candidates(sentence, participles=participles, completed=False):
                if not self._is_asked_for(each, made.feature, participles):
                    continue
                target = tables.readings(each.form, told, names)
                form = each.words[each.subject].form
                subject = nouns.readings(form, _NOMINATIVE, of_nouns)
                target, subject = target - {UNKNOWN}, subject - {UNKNOWN}
                if len(subject) == len(target) == 1:
                    made.agreement[min(subject), min(target), each.order] += 1
                elif (len(target) == 1 and target <= subject) or (
                    len(subject) == 1 and subject <= target
                ):
                    (value,) = target & subject
                    made.agreement[value, value, each.order] += 1

    def _divide(self, made: Phenomenon, participles: bool) -> None:
        kinds = ("ptcp",) if participles else ("verb", "aux")
        for kind in kinds:
            pairs = [
                p for p in made.pairs if participles or p.candidate.auxiliary == (kind == "aux")
            ]
            for key in dict.fromkeys(pair.key for pair in pairs):
                if "|" in key:
                    continue
                right, wrong = key.split(" -> ")
                for order in ("SV", "VS"):
                    # A pair of several values is in several conditions (MB-4)
                    members = [
                        pair for pair in pairs
                        if right in "|".join(pair.right_values)
                        and wrong in "|".join(pair.wrong_values)
                        and pair.candidate.order == order
                    ]  # fmt: skip
                    if members:
                        agree = made.agreement[right, right, order]
                        of = sum(
                            count for (subject, _, where), count in made.agreement.items()
                            if (subject, where) == (right, order)
                        )  # fmt: skip
                        condition = Condition(
                            right, wrong, order, kind, certainty(agree, of), agree, of
                        )
                        made.conditions[condition] = members

    def draw(self, made: Phenomenon, condition: Condition) -> list[Pair]:
        """Return the pairs of a condition: none if it is excluded, else at most CAP, drawn.

        The weight of a pair is the product of inverse shares of its subject, target, distance,
        sentence and three flags of attractors. The draw is by a hash: the authors' has no seed
        (MB-13, mended).
        """
        pairs = made.conditions[condition]
        if condition.certainty == EXCLUDED:
            return []
        if len(pairs) <= CAP:
            return pairs
        traits = [_traits(pair, made.feature, condition.right) for pair in pairs]
        shares = [Counter(column) for column in zip(*traits, strict=True)]
        keys = []
        for number, (pair, own) in enumerate(zip(pairs, traits, strict=True)):
            weight = math.prod(len(pairs) / of[x] for of, x in zip(shares, own, strict=True))
            where = f"{pair.candidate.sentence.sentence_id} {pair.candidate.target} {pair.wrong}"
            drawn = seed_of("multiblimp", self.seed, made.name, *condition[:4], where)
            uniform = (drawn % (1 << 53) + 0.5) / (1 << 53)
            # Weighted sampling without replacement (Efraimidis & Spirakis 2006)
            keys.append((-math.log(uniform) / weight, number))
        return [pairs[number] for number in sorted(number for _, number in sorted(keys)[:CAP])]


def _traits(pair: Pair, feature: str, right: str) -> tuple:
    each = pair.candidate
    same = [to_unimorph(value) == right for value in each.attractors[feature]]
    return (
        each.words[each.subject].form, each.form, each.distance, bool(same),
        bool(same) and all(same), bool(same) and not any(same), each.text(),
    )  # fmt: skip


def _feature_of(tables: Tables, feature: str) -> tuple[str | None, str | None]:
    """Return the feature in each lexicon: of numbers, that of the subject may be another."""
    if feature == "Number":
        return tables.unimorph.feature(NUMBERS), tables.words.feature(NUMBERS)
    return feature, feature


def _values(tables: Tables, names: tuple[str | None, str | None]) -> set[str]:
    feature = names[1] or names[0]
    return tables.unimorph.values(feature) | tables.words.values(feature)


def certainty(agree: int, of: int) -> str:
    """Return whether a language agrees: + surely, ~ probably, ? unknown, or EXCLUDED.

    Args:
        agree: subjects whose target has their value.
        of: all subjects with that value.
    """
    if not agree:
        return "?"
    if _binomial(range(agree, of + 1), of) <= ALPHA:
        return "+"
    if agree > LEAST and agree / of > SHARE:
        return "~"
    return EXCLUDED if _binomial(range(agree + 1), of) <= ALPHA else "?"


def _binomial(counts: range, of: int) -> float:
    """Return the probability of these counts of successes, each of which has SHARE."""
    logs = (
        math.lgamma(of + 1) - math.lgamma(count + 1) - math.lgamma(of - count + 1)
        + count * math.log(SHARE) + (of - count) * math.log(1 - SHARE)
        for count in counts
    )  # fmt: skip
    return min(1.0, math.fsum(map(math.exp, logs)))
