"""Subjects and the words that agree with them, as MultiBLiMP finds them (rules 1.1 and 1.3)."""

from collections.abc import Iterator
from typing import NamedTuple

from kasu.corpora.treebanks.treebank import Sentence, Token, features
from kasu.minimal_sets.multiblimp.tables import is_malformed

AGREEING = ("Number", "Person", "Gender")
LONGEST = 64  # words of a sentence
_BESIDE = ("expl", "csubj:outer", "nsubj:outer")


class Candidate(NamedTuple):
    """A subject and its target.

    words: of the sentence.
    target: place of the word that is replaced, from 0.
    form, features: of the word that agrees; not the replaced one in MB-2.
    subject: place of the subject.
    auxiliary: whether the target is an auxiliary or a copula.
    attractors: feature -> the values of the words between subject and target that have it.
    """

    sentence: Sentence
    words: list[Token]
    target: int
    form: str
    features: dict[str, str]
    subject: int
    subject_features: dict[str, str]
    auxiliary: bool
    attractors: dict[str, list[str]]

    @property
    def distance(self) -> int:
        """The place of the target less that of the subject."""
        return self.target - self.subject

    @property
    def order(self) -> str:
        """SV if the subject comes first, else VS."""
        return "SV" if self.distance > 0 else "VS"

    def text(self, form: str | None = None) -> str:
        """Return the sentence, with a form in place of the target.

        It is joined from the words, not read from the comment `text` (MB-1): *is n't*, *σ την*.
        """
        parts = []
        for at, word in enumerate(self.words):
            parts.append(form if form is not None and at == self.target else word.form)
            if features(word.misc).get("SpaceAfter") != "No":
                parts.append(" ")
        return "".join(parts).strip()


def is_left_out(sentence: Sentence) -> bool:
    """Return whether a sentence has a word that is malformed, or too many words."""
    return len(sentence.words) > LONGEST or any(map(is_malformed, sentence.tokens))


def candidates(
    sentence: Sentence, *, participles: bool, completed: bool = True
) -> Iterator[Candidate]:
    """Yield the subjects of a sentence with their targets.

    Args:
        participles: look for participles as targets (SP), not for finite verbs (SV).
        completed: complete the target's features from the subject, and drop what then differs; not
            where it is asked whether a language agrees (rules 1.5).
    """
    words = [
        token for token in sentence.tokens if "-" not in token.id and "." not in token.id
    ]  # fmt: skip
    # What is completed stays in the word's features, for later subjects and attractors
    own = [dict(features(word.feats)) for word in words]
    for at, subject in enumerate(words):
        if subject.deprel != "nsubj" or not subject.head.isdecimal():
            continue
        head = int(subject.head)
        if head == 0 or _has_dependent(words, at + 1, "conj"):
            continue
        siblings = [word for word in words if word.head == subject.head]
        if any(label in word.deprel for word in siblings for label in _BESIDE):
            continue
        verb = words[head - 1]
        if subject.upos not in ("NOUN", "PRON") or verb.upos not in ("VERB", "AUX"):
            continue
        if participles and verb.upos != "VERB":
            continue
        helper = None if participles else _auxiliary(words, subject.head)
        agreeing = head - 1 if helper is None else helper
        # An auxiliary without features has those of the verb
        told = own[agreeing] or own[head - 1]
        told["lemma"] = words[agreeing].lemma.replace("_", "")
        keeps = _complete(told, own[at]) if completed else True
        # An auxiliary at place 0 counts as none, and the main verb is replaced (MB-2)
        target = helper or head - 1
        if participles and told.get("VerbForm") != "Part":
            continue
        if keeps:
            yield Candidate(
                sentence, words, target, words[agreeing].form, dict(told), at, dict(own[at]),
                helper is not None, _attractors(own, at, target),
            )  # fmt: skip


def _has_dependent(words: list[Token], number: int, label: str) -> bool:
    return any(word.deprel == label and word.head == str(number) for word in words)


def _auxiliary(words: list[Token], head: str) -> int | None:
    found = (
        at for at, word in enumerate(words)
        if word.head == head and (word.deprel == "cop" or word.deprel.startswith("aux"))
    )  # fmt: skip
    return next(found, None)


def _complete(target: dict[str, str], subject: dict[str, str]) -> bool:
    """Add features of the subject to the target; return whether those of both agree."""
    agree = True
    for name in AGREEING:
        if name in subject:
            agree = target.setdefault(name, subject[name]) == subject[name] and agree
    return agree


def _attractors(own: list[dict[str, str]], subject: int, target: int) -> dict[str, list[str]]:
    # The last word of those between is left out (MB-3)
    first, last = sorted((subject, target))
    between = own[first + 1 : last - 1]
    return {name: [told[name] for told in between if name in told] for name in AGREEING}
