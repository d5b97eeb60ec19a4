"""Write the Georgian treebank and text of the demo: `python tools/demo/georgian/generate.py`.

Nouns are chosen for the roles they have filled least often, so that the treebank has every noun in
every case; the text is drawn at random. The output is the same every time.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

import words as lexicon
from clauses import FRAMES, Word, argument, clause, conllu, joined, text
from words import Adjective, Noun, Pronoun, Use

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "demo" / "georgian"
SEED = 2026
SENTENCES = 6_000
# Treebank sentences by frame, and the role whose noun is chosen first
PLAN = {
    "intransitive_nom": (60, "subject"),
    "nom_dat": (80, "object"),
    "erg_nom": (84, "subject"),
    "dat_nom": (64, "subject"),
}
PRONOUNS = 3  # sentences per frame and number
PAIRS = 2  # sentences of two clauses per frame
ORDERS = {"SOV": 6, "SVO": 3, "OSV": 2}

Filler = Noun | Pronoun


class Writer:
    """Draws sentences, none of them twice."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.used: Counter[tuple[str, ...]] = Counter()
        self.texts: set[str] = set()

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return self.random.random() < share

    def sentence(
        self, use: Use, subject: Filler, object: Noun | None, modified: float
    ) -> list[Word]:
        """A clause with these words; each kind of modifier has the probability `modified`."""
        case, other = FRAMES[use.verb.frame]
        number = use.verb.feature("Number[subj]")
        parts = self.phrase(subject, case, number, modified)
        objects = []
        if object:
            several = object.plural and self.chance(modified / 2)
            objects = self.phrase(object, other, "Plur" if several else "Sing", modified)
        adverb = place = None
        if self.chance(modified):
            adverb = self.random.choice([a for a in lexicon.ADVERBS if a.suits(use.verb)])
        if use.needs_place or (use.places and self.chance(modified * 1.5)):
            place = self.random.choice([p for p in lexicon.PLACES if p.classes & use.places])
        return clause(use.verb, self.order(objects), parts, objects, adverb, place)

    def phrase(self, noun: Filler, case: str, number: str, modified: float) -> list[Word]:
        """A noun phrase, sometimes with an adjective or an owner."""
        if isinstance(noun, Pronoun):
            return argument(noun, case, number)
        adjective, owner = None, None
        if number == "Sing" and self.chance(modified * 0.6):
            adjective = self.random.choice(suiting(noun) or [None])
        elif "thing" in noun.classes and self.chance(modified):
            owner = self.random.choice(lexicon.nouns(frozenset({"owner"})))
        return argument(noun, case, number, adjective, owner)

    def order(self, objects: list[Word]) -> str:
        """An order of the parts, with the places of adverb (A) and place (P)."""
        order = self.random.choices([*ORDERS], [*ORDERS.values()])[0] if objects else "SV"
        order = "A" + order if self.chance(0.5) else order.replace("V", "AV")
        return order.replace("V", "PV") if self.chance(0.7) else order.replace("S", "SP")

    def least_used(self, pairs: list[tuple[Use, Filler]], case: str) -> tuple[Use, Filler]:
        """The pair with the noun least used in this case and number, then the verb least used."""

        def key(pair: tuple[Use, Filler]) -> tuple[int, int, float]:
            use, noun = pair
            seen = self.used[noun.lemma, case, number_of(use, case)]
            return seen, self.used[(use.verb.form,)], self.random.random()

        return min(pairs, key=key)

    def balanced(self, frame: str, lead: str) -> list[Word]:
        """A sentence with the nouns least used in its roles; that of `lead` is chosen first."""
        cases = dict(zip(("subject", "object"), FRAMES[frame], strict=True))
        uses = [use for use in lexicon.USES if use.verb.frame == frame]
        pairs = [(use, noun) for use in uses for noun in fillers(use, lead)]
        use, first = self.least_used(pairs, cases[lead])
        other = "object" if lead == "subject" else "subject"
        chosen: dict[str, Noun | None] = {lead: first, other: None}
        if cases[other]:
            rest = [(use, noun) for noun in fillers(use, other) if noun is not first]
            chosen[other] = self.least_used(rest, cases[other])[1]
        words = self.sentence(use, chosen["subject"], chosen["object"], modified=0.4)
        self.note(words)
        return words

    def note(self, words: list[Word]) -> None:
        """Count the verbs and nouns of a sentence."""
        for word in words:
            if word.upos == "VERB":
                self.used[(word.form,)] += 1
            elif word.deprel in ("nsubj", "obj"):
                features = dict(part.split("=") for part in word.features.split("|"))
                self.used[word.lemma, features["Case"], features["Number"]] += 1

    def any(self, uses: list[Use], pronouns: float = 0.0, modified: float = 0.4) -> list[Word]:
        """A sentence with a use and nouns drawn at random."""
        use = self.random.choice(uses)
        subjects: tuple[Filler, ...] = fillers(use, "subject")
        if "human" in use.subjects and self.chance(pronouns):
            subjects = tuple(personal(use))
        subject = self.random.choice(subjects)
        objects = [noun for noun in fillers(use, "object") if noun is not subject]
        chosen = self.random.choice(objects) if objects else None
        return self.sentence(use, subject, chosen, modified)

    def pair(self, uses: list[Use]) -> list[Word]:
        """Two clauses of different uses, without modifiers."""
        first, second = self.random.sample(uses, 2)
        return joined(self.any([first], modified=0), self.any([second], modified=0))

    def fresh(self, draw: Callable[[], list[Word]]) -> list[Word]:
        """Draw until the text is new."""
        while text(words := draw()) in self.texts:
            pass
        self.texts.add(text(words))
        return words


def number_of(use: Use, case: str) -> str:
    """The number under which a noun in this case counts: the verb's for a subject."""
    return use.verb.feature("Number[subj]") if case == FRAMES[use.verb.frame][0] else "Sing"


def fillers(use: Use, role: str) -> tuple[Noun, ...]:
    """The nouns that can be `subject` or `object` of a use."""
    if role == "object":
        return lexicon.nouns(use.objects)
    return lexicon.nouns(use.subjects, plural=use.verb.feature("Number[subj]") == "Plur")


def personal(use: Use) -> list[Pronoun]:
    """The pronouns that agree with a verb as subject."""
    wanted = FRAMES[use.verb.frame][0], use.verb.feature("Number[subj]")
    return [pronoun for pronoun in lexicon.PRONOUNS if (pronoun.case, pronoun.number) == wanted]


def suiting(noun: Noun) -> list[Adjective]:
    """The adjectives that suit a noun."""
    return [adjective for adjective in lexicon.ADJECTIVES if adjective.nouns & noun.classes]


def treebank(writer: Writer) -> Iterator[list[Word]]:
    """The sentences of the treebank: by frame, then with pronouns, then with two clauses."""
    for frame, (count, lead) in PLAN.items():
        for _ in range(count):
            yield writer.fresh(partial(writer.balanced, frame, lead))
    for frame, number in product(FRAMES, ("Sing", "Plur")):
        uses = [use for use in uses_of(frame, number) if "human" in use.subjects]
        for _ in range(PRONOUNS):
            yield writer.fresh(partial(writer.any, uses, pronouns=1))
    for frame in FRAMES:
        for _ in range(PAIRS):
            yield writer.fresh(partial(writer.pair, uses_of(frame, "Sing")))


def uses_of(frame: str, number: str) -> list[Use]:
    """The uses of a frame whose verb has this number."""
    verbs = (use for use in lexicon.USES if use.verb.frame == frame)
    return [use for use in verbs if use.verb.feature("Number[subj]") == number]


def corpus(writer: Writer) -> Iterator[list[Word]]:
    """Distinct sentences that are not in the treebank."""
    for _ in range(SENTENCES):
        yield writer.fresh(partial(writer.any, lexicon.USES, pronouns=0.1))


def write(folder: Path) -> None:
    """Write both files into a folder."""
    writer = Writer(SEED)
    blocks = [conllu(f"demo-{at}", words) for at, words in enumerate(treebank(writer), 1)]
    (folder / "ka_demo-ud.conllu").write_text("".join(blocks), encoding="utf-8", newline="")
    lines = "".join(f"{text(words)}\n" for words in corpus(writer))
    (folder / "sentences.txt").write_text(lines, encoding="utf-8", newline="")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    write(parser.parse_args().folder)
