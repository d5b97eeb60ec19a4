"""The articles of the demo: titles, sections and sentences, all determined by SEED."""

import csv
import random
from dataclasses import dataclass, field
from typing import Any

from facts import KINDS, Kind
from grammar import Sentence, decline, decline_name, decline_year, parse
from lexicon import HERE, Word, words
from sentences import Writer

SEED = 20261121
INSTITUTIONS = {
    "eskola": 20,
    "azoka": 16,
    "museo": 12,
    "antzoki": 12,
    "ospitale": 10,
    "fabrika": 10,
    "jatetxe": 12,
    "liburu-denda": 12,
    "parke": 10,
    "errota": 8,
    "zubi": 8,
}
PERSONS = 22
JOBS = ("idazle", "musikari", "mediku", "irakasle", "artista", "ingeniari", "abeslari", "kazetari")
JOB_THEMES = {
    "idazle": "letters", "musikari": "music", "mediku": "health", "irakasle": "school",
    "artista": "museum", "ingeniari": "hall", "abeslari": "music", "kazetari": "letters",
}  # fmt: skip
MONTHS = (
    "urtarril", "otsail", "martxo", "apiril", "maiatz", "ekain",
    "uztail", "abuztu", "irail", "urri", "azaro", "abendu",
)  # fmt: skip
DAYS = ("astelehenetan", "ostegunetan", "larunbatetan", "igandeetan")
HOBBIES = ("dantza", "musika", "antzerkia", "kirola", "irakurketa")


@dataclass(frozen=True)
class Form:
    """A proper name, or a noun phrase after a genitive; its cases are attributes."""

    stem: str
    trill: bool = False
    before: str = ""
    common: bool = False

    def __getattr__(self, case: str) -> str:
        if self.common:
            return self.before + decline(self.stem, case, "s", self.trill)
        return self.before + decline_name(self.stem, case, self.trill)


class Year(int):
    """A year; its cases are attributes."""

    def __getattr__(self, case: str) -> str:
        return decline_year(self, case)


@dataclass
class Article:
    """An article: its sections are pairs of heading and sentences."""

    title: str
    kind: str
    place: str
    sections: list[tuple[str, list[Sentence]]] = field(default_factory=list)

    def sentences(self) -> list[Sentence]:
        """All sentences in order."""
        return [sentence for _, paragraph in self.sections for sentence in paragraph]


class Author:
    """Writes the articles; no sentence occurs twice, apart from REPEATS."""

    def __init__(self) -> None:
        self.rng = random.Random(SEED)
        self.seen: set[str] = set()

    def name(self) -> Form:
        """A person's name: a first name and a place as surname."""
        first = self.rng.choice(words("person")).word
        return Form(self.rng.choice(words("place", of_class="town")).word, before=f"{first} ")

    def fields(self, title: Form, place: Form, kind: Kind) -> dict[str, Any]:
        """The values of the fields in an article's facts."""
        rng = self.rng
        year = rng.randrange(1810, 1930)
        adjective = rng.choice(["zabal", "estu", "garbi", "polit", "zahar", "luze"])
        job = rng.choice(JOBS)
        noun = next((w for w in words("noun") if w.word == kind.noun), None)
        return {
            "T": title,
            "P": place,
            "P2": Form(rng.choice(words("place", of_class="town")).word),
            "M": Form(rng.choice(words("place", of_class="mountain")).word),
            "R": Form(rng.choice(words("place", of_class="river")).word),
            "C": Form(rng.choice(words("place", of_class="city")).word),
            "K": decline(kind.noun, "A", "s", bool(noun and noun.trill)),
            "Y": Year(year),
            "Y2": Year(year + 18),
            "N": rng.randrange(40, 990),
            "N2": rng.randrange(8, 60),
            "num": rng.choice(["bi", "hiru", "lau", "bost", "sei", "zazpi", "zortzi", "hamar"]),
            "num2": rng.choice(["bi", "hiru", "lau"]),
            "q": rng.choice(["txiki", "handi", "zahar", "polit", "ezagun", "eder"]),
            "adj": decline(adjective, "A", "s", adjective == "zahar"),
            "adjs": decline(adjective, "A", "p", adjective == "zahar"),
            "month": Form(rng.choice(MONTHS), common=True),
            "day": rng.choice(DAYS),
            "hobby": rng.choice(HOBBIES),
            "job": job,
            "jobA": decline(job, "A", "s"),
            "who2": self.name(),
        }

    def fact(self, template: str, fields: dict[str, Any]) -> Sentence | None:
        """A sentence from a template, set some years after the last; None if it exists already."""
        fields["Y2"] = Year(fields["Y2"] + self.rng.randrange(3, 12))
        fields["who"] = self.name()
        return self.new(template.format_map(fields))

    def new(self, marked: str) -> Sentence | None:
        """The sentence with its full stop, or None if it exists already."""
        sentence = parse(marked + ".")
        if sentence.text in self.seen:
            return None
        self.seen.add(sentence.text)
        return sentence

    def text(self, writer: Writer, tense: str, count: int) -> list[Sentence]:
        """`count` new sentences of 4 to 20 words."""
        written: list[Sentence] = []
        while len(written) < count:
            marked = writer.sentence(tense)
            if 4 <= len(marked.split()) <= 20 and (sentence := self.new(marked)):
                written.append(sentence)
        return written

    def article(self, title: str, kind_name: str, subject: Form, place: Form) -> Article:
        """An article on a place, an institution or a person."""
        rng, kind = self.rng, KINDS[kind_name]
        fields = self.fields(subject, place, kind)
        themes = (JOB_THEMES[fields["job"]],) if kind_name == "person" else kind.themes
        origins = [f"{place.gel}", "herriko", "bertako"]
        writer = Writer(rng, themes, origins)
        lead = [self.fact(rng.choice(group), fields) for group in kind.facts]
        past = [self.fact(line, fields) for line in rng.sample(kind.history, 2)]
        article = Article(title, kind_name, place.stem)
        article.sections.append(("", [s for s in lead if s]))
        article.sections.append(
            ("Historia", [s for s in past if s] + self.text(writer, "past", rng.randrange(2, 4)))
        )
        habits = self.text(writer, "habitual", rng.choice([0, 0, 1]))
        article.sections[-1][1].extend(habits)
        if kind_name != "person":
            count = rng.randrange(3, 5)
            article.sections.append(("Gaur egun", self.text(writer, "pres", count)))
        tense = rng.choice(["perf", "perf", "fut"])
        heading = "Lanak" if kind_name == "person" else "Azken urteak"
        tense = "past" if kind_name == "person" else tense
        article.sections.append((heading, self.text(writer, tense, rng.randrange(1, 4))))
        return article

    def topic(self, noun: Word, theme: str, facts: list[str]) -> Article:
        """An article on a thing."""
        rng = self.rng
        title = noun.word[0].upper() + noun.word[1:]
        article = Article(title, "topic", "")
        origins = ["herri txikietako", "inguruko", "hiriko"]
        writer = Writer(rng, (theme,), origins, focus=noun.word)
        lead = [sentence for fact in facts if (sentence := self.new(fact))]
        article.sections = [
            ("", lead + self.text(writer, "pres", 2)),
            ("Erabilera", self.text(writer, "pres", 5)),
            ("Historia", self.text(writer, "past", 4)),
        ]
        return article


def topics() -> list[dict[str, str]]:
    """The lines of topics.tsv."""
    with open(HERE / "topics.tsv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", strict=True))


def write_articles() -> list[Article]:
    """All articles except bot stubs, in order of their page ids."""
    author, articles = Author(), []
    nouns = {word.word: word for word in words("noun")}
    towns = [Form(word.word) for word in words("place", of_class="town")]
    ports = [Form(word.word) for word in words("place", of_class="port")]
    for row in topics():
        articles.append(
            author.topic(nouns[row["noun"]], row["theme"], [row["fact"], row["second"]])
        )
    for kind, places in (("town", towns), ("port", ports)):
        articles += [author.article(place.stem, kind, place, place) for place in places]
    for kind, count in INSTITUTIONS.items():
        stem = KINDS[kind].noun
        for place in author.rng.sample(towns + ports, count):
            subject = Form(stem, before=f"{place.gel} ", common=True)
            articles.append(author.article(subject.A, kind, subject, place))
    for kind in ("river", "mountain"):
        for word in words("place", of_class=kind):
            place = author.rng.choice(towns)
            articles.append(author.article(word.word, kind, Form(word.word), place))
    for _ in range(PERSONS):
        place = author.rng.choice(towns)
        name = author.name()
        while name.A in {article.title for article in articles}:
            name = author.name()
        articles.append(author.article(name.A, "person", name, place))
    repeat_some(articles, author.rng)
    return articles


REPEATS = 15


def repeat_some(articles: list[Article], rng: random.Random) -> None:
    """Copy some sentences verbatim into other articles, as happens in real text."""
    for _ in range(REPEATS):
        source, target = rng.sample(articles, 2)
        target.sections[-1][1].append(source.sections[-1][1][-1])
