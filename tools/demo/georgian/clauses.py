"""Clauses of the Georgian demo as trees of words, and their text and CoNLL-U.

The annotation follows UD_Georgian-GLC in part-of-speech tags, features and relations; a
postposition is a word of its own within a multiword token.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from words import Adjective, Adverb, Noun, Place, Pronoun, Verb

# Cases of subject and object by the verb's frame; a frame has the name of its request
FRAMES = {
    "intransitive_nom": ("Nom", ""),
    "nom_dat": ("Nom", "Dat"),
    "erg_nom": ("Erg", "Nom"),
    "dat_nom": ("Dat", "Nom"),
}
XPOS = {
    "NOUN": "Noun", "PRON": "Pron", "ADJ": "Adj", "VERB": "Verb", "ADV": "Adv", "ADP": "Post",
    "CCONJ": "Conj", "PUNCT": "F",
}  # fmt: skip


@dataclass(eq=False)
class Word:
    """A syntactic word with its head; if `joined`, the next word belongs to the same token."""

    form: str
    lemma: str
    upos: str
    features: str
    deprel: str
    head: "Word | None" = None
    joined: bool = False


def argument(
    noun: Noun | Pronoun,
    case: str,
    number: str,
    adjective: Adjective | None = None,
    owner: Noun | None = None,
) -> list[Word]:
    """A noun phrase, its head last; an owner precedes it in the genitive."""
    if isinstance(noun, Pronoun):
        features = f"Case={case}|Number={number}|Person=3|PronType=Prs"
        return [Word(noun.form, noun.lemma, "PRON", features, "")]
    head = _noun(noun, case, number, "")
    before = []
    if owner:
        before.append(_noun(owner, "Gen", "Sing", "nmod", head))
    if adjective:
        features = f"Case={case}|Number={number}"
        form = adjective.forms[case]
        before.append(Word(form, adjective.lemma, "ADJ", features, "amod", head))
    return [*before, head]


def _noun(noun: Noun, case: str, number: str, deprel: str, head: Word | None = None) -> Word:
    features = f"Animacy={noun.animacy}|Case={case}|Number={number}"
    return Word(noun.form(case, number), noun.lemma, "NOUN", features, deprel, head)


def location(place: Place) -> list[Word]:
    """A place with its postposition."""
    head = Word(place.form, place.lemma, "NOUN", "Animacy=Inan|Case=Dat|Number=Sing", "obl")
    head.joined = True
    post = Word(place.postposition, place.postposition, "ADP", "AdpType=Post|Case=Dat", "case")
    post.head = head
    return [head, post]


def clause(
    verb: Verb,
    order: str,
    subject: list[Word],
    object: list[Word],
    adverb: Adverb | None,
    place: Place | None,
) -> list[Word]:
    """A clause without its full stop.

    order: letters for subject (S), object (O), verb (V), adverb (A) and place (P); letters of
    missing parts are ignored.
    """
    root = Word(verb.form, verb.lemma, "VERB", verb.features, "root")
    parts = {"S": subject, "O": object, "V": [root], "A": [], "P": []}
    if adverb:
        parts["A"] = [Word(adverb.form, adverb.form, "ADV", adverb.features, "advmod")]
    if place:
        parts["P"] = location(place)
    for letter, deprel in (("S", "nsubj"), ("O", "obj")):
        if parts[letter]:
            parts[letter][-1].deprel = deprel
    words = [word for letter in order for word in parts[letter]]
    for word in words:
        if word.head is None and word is not root:
            word.head = root
    return words


def joined(first: list[Word], second: list[Word]) -> list[Word]:
    """Two clauses joined by *და* (and)."""
    root, other = (next(w for w in words if w.deprel == "root") for words in (first, second))
    other.deprel, other.head = "conj", root
    return [*first, Word("და", "და", "CCONJ", "_", "cc", other), *second]


def text(words: Iterable[Word]) -> str:
    """The sentence as text."""
    return "".join(word.form + " " * (not word.joined) for word in words).rstrip() + "."


def conllu(name: str, words: list[Word]) -> str:
    """The lines of a sentence, with its full stop and a blank line."""
    root = next(word for word in words if word.deprel == "root")
    sentence = [*words, Word(".", ".", "PUNCT", "PunctType=Peri", "punct", root)]
    number = {word: at for at, word in enumerate(sentence, 1)}
    lines = [f"# sent_id = {name}", f"# text = {text(words)}"]
    for word, at in number.items():
        tight = "SpaceAfter=No" if at == len(words) else "_"
        if word.joined:
            after = "SpaceAfter=No" if at + 1 == len(words) else "_"
            form = word.form + sentence[at].form
            lines.append("\t".join((f"{at}-{at + 1}", form, *"_______", after)))
        elif at > 1 and sentence[at - 2].joined:
            tight = "_"  # the line of the multiword token says it
        head = str(number[word.head]) if word.head else "0"
        cells = (word.form, word.lemma, word.upos, XPOS[word.upos], word.features, head)
        lines.append("\t".join((str(at), *cells, word.deprel, "_", tight)))
    return "\n".join(lines) + "\n\n"
