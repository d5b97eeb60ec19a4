"""Marked sentences on a theme: verb frames filled with words of suitable classes."""

from grammar import decline, finite, subordinate
from lexicon import Frame, Word
from phrases import QUALITIES, TENSES, NoFit, Phrase, Phrases, Slot, mark_of

# Kinds of sentence, each a method of Writer, and how often each is tried
PATTERNS = {
    "transitive": 14,
    "ditransitive": 13,
    "intransitive": 7,
    "dative": 6,
    "passive": 5,
    "impersonal": 2,
    "predicate": 3,
    "seems": 2,
    "negative": 2,
    "same_object": 11,
    "same_subject": 9,
    "because": 13,
    "but_not": 7,
    "when": 15,
    "relative": 14,
    "reported": 9,
    "we": 1,
}
# Adjectives that are reasons to buy, read or visit a thing
_REASONS = {
    "berri", "eder", "polit", "merke", "on", "fresko", "gozo", "interesgarri", "garrantzitsu",
    "bikain", "berezi", "erraz", "azkar",
}  # fmt: skip
_SPEAKERS = {
    "mayor", "citizen", "teacher", "head", "researcher", "worker", "engineer", "secretary",
    "parent", "farmer", "fisher", "writer", "doctor", "trainer", "artist", "musician",
}  # fmt: skip


class Writer(Phrases):
    """Writes sentences about one subject."""

    def sentence(self, tense: str) -> str:
        """A marked sentence in the tense, without its capital and full stop."""
        while True:
            self.theme = self.rng.choice(self.themes)
            pattern = self.rng.choices(list(PATTERNS), list(PATTERNS.values()))[0]
            self.used.clear()
            self.habit = tense in ("pres", "habitual")
            try:
                marked = getattr(self, pattern)(tense)
            except NoFit:
                continue
            if all(marked.lower().count(origin.lower()) < 2 for origin in self.origins):
                return marked

    def transitive(
        self, tense: str, clause: int = 1, link: str = "", frame: Frame | None = None
    ) -> str:
        """Nor-nork: *okinek ogia egiten dute*."""
        frame = frame or self.frame("nork")
        subject = self.agent(frame, clause)
        thing = self.phrase(self.noun(frame.object), "A", clause)
        verb = self.verb(frame, tense, clause, link, E=subject, A=thing)
        time, place = ("", "") if link else self.adjuncts(frame, tense)
        if link:
            return f"{subject.text} {thing.text} {verb}"
        return self.order(time, place, subject.text, thing.text, verb)

    def ditransitive(self, tense: str) -> str:
        """Nor-nori-nork: *irakasleak ikasleei liburua eman die*."""
        frame = self.frame("norinork")
        subject = self.agent(frame)
        to = self.phrase(self.noun(frame.recipient), "D")
        time, place = self.adjuncts(frame, tense)
        if not frame.object:  # lagundu: the help itself is not expressed
            verb = self.verb(frame, tense, E=subject, D=to, A=("s", "unexpressed"))
            return self.order(time, place, subject.text, to.text, verb)
        thing = self.phrase(self.noun(frame.object), "A")
        objects = f"{to.text} {thing.text}"
        if self.rng.random() < 0.3:
            objects = f"{thing.text} {to.text}"
        verb = self.verb(frame, tense, E=subject, D=to, A=thing)
        return self.order(time, place, subject.text, objects, verb)

    def intransitive(self, tense: str) -> str:
        """Nor: *artzainak mendira joan dira*."""
        frame = self.frame("nor")
        if "t" in frame.marks and "l" not in frame.marks:
            raise NoFit
        subject = self.phrase(self.noun(frame.agent), "A")
        case = next((c for c in ("ine", "abl", "all") if c in frame.marks), "")
        place = self.place(case, frame.object) if case else ""
        if frame.participle == "elkartu":
            subject = self.phrase(subject.word, "A", number="p")
        verb = self.verb(frame, tense, A=subject)
        time = self.adverb(tense) if not case or self.rng.random() < 0.5 else ""
        return self.order(time, "", subject.text, place, verb)

    def dative(self, tense: str) -> str:
        """Nor-nori: *ikasleei ipuinak gustatzen zaizkie*."""
        frame = self.frame("nori")
        to = self.phrase(self.noun(frame.recipient), "D")
        thing = self.phrase(self.noun(frame.agent), "A")
        verb = self.verb(frame, tense, D=to, A=thing)
        time = self.adverb(tense) if self.rng.random() < 0.4 else ""
        return self.order(time, "", to.text, thing.text, verb)

    def passive(self, tense: str) -> str:
        """A transitive without agent: *azokan gaztak saltzen dira*."""
        frame = self.frame("nork", "p")
        thing = self.phrase(self.noun(frame.object), "A")
        place = self.place("ine") if "l" in frame.marks else ""
        verb = self.verb(frame, tense, A=thing)
        return self.order(self.adverb(tense), place, "", thing.text, verb)

    def impersonal(self, tense: str) -> str:
        """People in general: *1920an zubia konpondu zuten*."""
        frame = self.frame("nork", "i")
        thing = self.phrase(self.noun(frame.object), "A")
        verb = self.verb(frame, tense, E=("p", "impersonal"), A=thing)
        return self.order(self.adverb(tense), "", "", thing.text, verb)

    def we(self, tense: str) -> str:
        """The first person plural of a guide: *museoan koadroak ikusiko ditugu*."""
        classes, around = self.rng.choice(
            [("wild", {"wood", "high"}), ("picture", {"sight"}), ("sight", {"square", "road"})]
        )
        place = self.place("ine", frozenset(around))
        thing = self.phrase(self.noun(frozenset({classes})), "A")
        form = "ditugu" if thing.number == "p" else "dugu"
        verb = self.rng.choice(["ikusiko", "aurkituko"])
        return f"{place} {thing.text} {verb} {form}~V,E.p1:pro-drop"

    # Copulas

    def predicate(self, tense: str) -> str:
        """*Arbietako kaleak oso estuak dira*."""
        subject = self.noun(frozenset(QUALITIES))
        quality = self.quality(subject)
        number = "s" if subject.only_singular else self.rng.choice("sp")
        head = decline(subject.word, "A", number, subject.trill)
        said = decline(quality.word, "A", number, quality.trill)
        form = finite(TENSES[tense][1], A=number)
        origin = self.rng.choice(self.origins)
        much = self.rng.choice(["", "oso ", "nahiko "])
        return f"{origin} {head}~A.{mark_of(number)} {much}{said} {form}~V"

    def seems(self, tense: str) -> str:
        """*Bisitariei museoa polita iruditzen zaie*."""
        to = self.phrase(self.noun(frozenset({"person"})), "D")
        word = self.noun(
            frozenset({"sight", "text", "picture", "landscape", "food", "institution"})
        )
        number = "s" if word.only_singular else self.rng.choice("sp")
        quality = self.quality(word)
        thing = f"{decline(word.word, 'A', number, word.trill)}~A.{mark_of(number)}"
        said = decline(quality.word, "A", number, quality.trill)
        aspect = {"pres": "iruditzen", "habitual": "iruditzen", "fut": "irudituko"}
        form = finite(TENSES[tense][1], D=to.number, A=number)
        return f"{to.text} {thing} {said} {aspect.get(tense, 'iruditu')} {form}~V"

    # Several clauses

    def negative(self, tense: str) -> str:
        """*Dendariek ez dute arrainik saltzen*."""
        frame = self.frame("nork", "u")
        subject = self.agent(frame)
        thing = self.noun(frame.object)
        return f"{subject.text} {self._not(frame, tense, thing, 1, E=subject)}"

    def _not(self, frame: Frame, tense: str, thing: Word, clause: int, **slots: Slot) -> str:
        part = Phrase(f"{decline(thing.word, 'part', '', thing.trill)}~{clause}A.part", "s", thing)
        lexical, _, auxiliary = self.verb(frame, tense, clause, E=slots["E"], A=part).partition(" ")
        return f"ez {auxiliary} {part.text} {lexical}"

    def but_not(self, tense: str) -> str:
        """*Dendariek ogia saltzen dute, baina ez dute arrainik saltzen*."""
        frame = self.frame("nork", "u")
        subject = self.agent(frame)
        first = self.noun(frame.object)
        second = self.noun(frame.object)
        thing = self.phrase(first, "A")
        verb = self.verb(frame, tense, E=subject, A=thing)
        rest = self._not(frame, tense, second, 2, E=(subject.number, "shared"))
        return f"{subject.text} {thing.text} {verb}, baina {rest}"

    def same_object(self, tense: str) -> str:
        """*Nekazariek sagarrak biltzen dituzte eta dendariek azokan saltzen dituzte*."""
        first = self.frame("nork", "o")
        subject = self.agent(first)
        thing = self.phrase(self.noun(first.object), "A")
        second = self.frame("nork", "u", takes=thing.word)
        other = self.agent(second, 2)
        where = self.place("ine") + " " if "l" in second.marks else ""
        return (
            f"{subject.text} {thing.text} {self.verb(first, tense, E=subject, A=thing)} eta "
            f"{other.text} {where}"
            f"{self.verb(second, tense, 2, E=other, A=(thing.number, 'shared'))}"
        )

    def same_subject(self, tense: str) -> str:
        """*Ikasleek liburuak irakurtzen dituzte eta kantak ikasten dituzte*."""
        first = self.frame("nork")
        subject = self.agent(first)
        second = self.frame("nork")
        if first == second or not subject.word.classes & second.agent:
            raise NoFit
        thing = self.phrase(self.noun(first.object), "A")
        other = self.phrase(self.noun(second.object), "A", 2)
        link = self.rng.choice([" eta", " eta gero"] if tense == "past" else [" eta"])
        return (
            f"{subject.text} {thing.text} {self.verb(first, tense, E=subject, A=thing)}{link} "
            f"{other.text} "
            f"{self.verb(second, tense, 2, E=(subject.number, 'shared'), A=other)}"
        )

    def because(self, tense: str) -> str:
        """*Bezeroek gazta erosten dute, oso ona delako*."""
        frame = self.frame("nork", "w")
        subject = self.agent(frame)
        word = self.noun(frame.object)
        thing = self.phrase(word, "A")
        quality = self.quality(word)
        if quality.word not in _REASONS or quality.word in thing.text:
            raise NoFit
        said = decline(quality.word, "A", thing.number, quality.trill)
        form = subordinate(finite(TENSES[tense][1], A=thing.number), "lako")
        return (
            f"{subject.text} {thing.text} {self.verb(frame, tense, E=subject, A=thing)}, "
            f"oso {said} {form}~2V,A.{thing.number}:shared"
        )

    def when(self, tense: str) -> str:
        """*Jaiak hasten direnean, udalak kalea ixten du*."""
        if tense == "perf":
            raise NoFit
        sets = self.frame("nor", "t")
        event = self.phrase(self.noun(sets.agent), "A", 2, number=self.rng.choice("sp"))
        inner = "pres" if tense == "fut" else tense
        link = self.verb(sets, inner, 2, "nean", A=event)
        frame = self.frame("nork")
        subject = self.agent(frame, 1)
        thing = self.phrase(self.noun(frame.object), "A")
        return (
            f"{event.text} {link}, {subject.text} {thing.text} "
            f"{self.verb(frame, tense, E=subject, A=thing)}"
        )

    def relative(self, tense: str) -> str:
        """*Idazle batek idatzi zuen liburua ikasleek irakurtzen dute*."""
        inner = self.frame("nork", "o")
        author = self.agent(inner, 2)
        word = self.noun(inner.object)
        frame = self.frame("nork", "u", takes=word)
        subject = self.agent(frame, 1)
        number = "s" if word.only_singular else self.rng.choice("sp")
        thing = Phrase(
            f"{decline(word.word, 'A', number, word.trill)}~1A.{mark_of(number)}", number, word
        )
        made = self.verb(inner, tense, 2, "n", E=author, A=(number, "relative-head"))
        verb = self.verb(frame, tense, E=subject, A=thing)
        if self.rng.random() < 0.75:
            return f"{author.text} {made} {thing.text} {subject.text} {verb}"
        return f"{subject.text} {author.text} {made} {thing.text} {verb}"

    def reported(self, tense: str) -> str:
        """*Alkateak esan du udalak zubia konponduko duela*."""
        frame = self.frame("nork", "s")
        told = self.transitive("fut" if tense != "past" else "past", 2, "la", frame)
        speaker = self.phrase(self.noun(frozenset(_SPEAKERS)), "E")
        form = finite("past" if tense in ("past", "habitual") else "pres", E=speaker.number, A="s")
        if tense == "habitual":
            raise NoFit
        said = self.rng.choice(["esan", "uste"])
        return f"{speaker.text} {said} {form}~V,A.s:complement {told}"
