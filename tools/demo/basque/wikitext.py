"""Articles as wikitext: markup that editors put into and around sentences, which stay the same."""

import random
import re

from articles import Article
from facts import KINDS
from grammar import decline
from lexicon import words

CATEGORIES = {
    "town": "Herriak", "port": "Herriak", "river": "Ibaiak", "mountain": "Mendiak",
    "person": "Pertsonak", "topic": "Gauzak eta animaliak",
}  # fmt: skip
_CASES = ("A", "E", "D", "gen", "com", "ine", "abl", "all", "gel")


def _link_targets() -> dict[str, str]:
    """The titles that inflected forms link to."""
    targets = {}
    for noun in words("noun"):
        for number in "sp":
            for case in _CASES:
                targets[decline(noun.word, case, number, noun.trill)] = noun.word
    for place in words("place"):
        for case in ("gel", "ine", "abl", "all"):
            targets[decline(place.word, case, "")] = place.word
    return targets


class Markup:
    """Writes articles as wikitext, with a random generator of its own."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.targets = _link_targets()

    def link(self, form: str, target: str) -> str:
        """A link with its case ending outside ([[liburu]]ak), or piped where the stem changes."""
        head = form[: len(target)]
        if head.lower() == target.lower() and form[len(target) :].isalpha():
            return f"[[{head}]]{form[len(target) :]}"
        return f"[[{target}|{form}]]"

    def sentence(self, text: str, linked: set[str]) -> str:
        """The sentence, sometimes with a link (plain, italic or bold), a reference or a comment."""
        rng = self.rng
        forms = [word for word in re.findall(r"\w+", text) if self.fits(word, linked)]
        if forms and rng.random() < 0.3:
            form = rng.choice(forms)
            target = self.targets.get(form) or self.targets[form[0].lower() + form[1:]]
            linked.add(target)
            link = self.link(form, target)
            quotes = rng.choices(["", "''", "'''"], [10, 1, 1])[0]
            text = re.sub(rf"\b{form}\b", f"{quotes}{link}{quotes}", text, count=1)
        if rng.random() < 0.06:
            year = rng.randrange(1960, 2020)
            text += rng.choice([
                f"<ref>{{{{erreferentzia|izenburua=Herrien historia|urtea={year}}}}}</ref>",
                f"<ref name=\"lib{year}\">''Lurraren liburua'', {year}.</ref>",
                "{{erreferentzia behar}}",
                "<!-- egiaztatu -->",
            ])  # fmt: skip
        return text

    def fits(self, form: str, linked: set[str]) -> bool:
        """Whether the form names something to which the article has no link yet."""
        target = self.targets.get(form) or self.targets.get(form[0].lower() + form[1:])
        return bool(target) and target not in linked

    def infobox(self, article: Article) -> str:
        """The template at the top of the page."""
        rng = self.rng
        if article.kind in ("town", "port"):
            return (
                f"{{{{Herri infotaula\n| izena = {article.title}\n| irudia = {article.title}.jpg\n"
                f"| biztanleria = {rng.randrange(40, 990)} <small>({rng.randrange(2001, 2020)})"
                f"</small>\n| azalera = {{{{unitatea|{rng.randrange(3, 60)}|km2}}}}\n}}}}\n"
            )
        if article.kind == "person":
            return f"{{{{Biografia infotaula\n| izena = {article.title}\n| irudia =\n}}}}\n"
        return ""

    def table(self) -> str:
        """A table of inhabitants by year."""
        rows = "".join(
            f"|-\n| {year} || {self.rng.randrange(50, 990)}\n" for year in (1900, 1950, 2000)
        )
        return f'{{| class="wikitable"\n|+ Biztanleak\n! Urtea !! Biztanleak\n{rows}|}}\n'

    def page(self, article: Article) -> str:
        """The wikitext of an article."""
        rng, parts, linked = self.rng, [self.infobox(article)], {article.title.lower()}
        for heading, sentences in article.sections:
            if heading:
                parts.append(f"\n== {heading} ==\n")
            lines = [self.sentence(sentence.text, linked) for sentence in sentences]
            if not heading:
                lines[0] = _bold(sentences[0].text, article.title)
            if len(lines) > 3 and rng.random() < 0.12:
                parts.append(" ".join(lines[:-2]) + "\n\n* " + "\n* ".join(lines[-2:]) + "\n")
            else:
                parts.append(" ".join(lines) + "\n")
        parts.append(self.tail(article))
        return "".join(parts).strip()

    def tail(self, article: Article) -> str:
        """Table, gallery, references, categories and links to other languages."""
        rng, parts = self.rng, []
        if article.kind in ("town", "port") and rng.random() < 0.3:
            parts.append("\n=== Biztanleria ===\n" + self.table())
        if rng.random() < 0.08:
            parts.append(
                f"\n<gallery>\nFitxategi:{article.title} 1.jpg|Argazki zaharra\n"
                f"Fitxategi:{article.title} 2.jpg|Argazki berria\n</gallery>\n"
            )
        if rng.random() < 0.1:
            parts.append(f"\n[[Fitxategi:{article.title} 3.jpg|thumb|[[Lur|Lurra]] eta ura]]\n")
        if rng.random() < 0.35:
            parts.append("\n== Erreferentziak ==\n{{erreferentzia_zerrenda}}\n")
        noun = KINDS[article.kind].noun if article.kind in KINDS else ""
        category = CATEGORIES.get(article.kind) or decline(noun, "A", "p").capitalize()
        parts.append(f"\n[[Kategoria:{category}]]\n")
        if article.kind == "topic":
            parts.append(f"[[es:{article.title}]]\n[[fr:{article.title}]]\n")
        return "".join(parts)


def _bold(text: str, title: str) -> str:
    """The first sentence with its subject in bold, including any case ending."""
    return re.sub(rf"^({re.escape(title)}\w*)", r"'''\1'''", text)
