"""Basque morphology for the demo, and sentences that know their verbs and arguments.

A sentence is written with marks; each belongs to a numbered clause (1 if there is no number):

    Okinek~E.pl ogia~A.sg egiten dute~V, oso ona delako~2V,A.s:shared.

`word~E.pl` is the head of an argument: E ergative, A absolutive or D dative, and its number.
`word~V` is a finite verb, followed by the slots that no word fills: their number and the reason.
`parse` reads the marks.
"""

import re
from dataclasses import dataclass, field

VOWELS = "aeiou"
# The mark of a head, and the number that the verb shows for it. Indefinite heads follow numerals
# and quantities; `bare` and `part` (partitive) agree as singulars; `name` is a proper name
AGREEMENT = {"sg": "s", "pl": "p", "ind": "p", "part": "s", "bare": "s", "name": "s"}

_DEFINITE = {
    "A": ("a", "ak"),
    "E": ("ak", "ek"),
    "D": ("ari", "ei"),
    "gen": ("aren", "en"),
    "com": ("arekin", "ekin"),
    "ine": ("an", "etan"),
    "abl": ("tik", "etatik"),
    "all": ("ra", "etara"),
    "gel": ("ko", "etako"),
}
_INDEFINITE = {
    # After a vowel, after a consonant
    "A": ("", ""),
    "E": ("k", "ek"),
    "D": ("ri", "i"),
    "gen": ("ren", "en"),
    "com": ("rekin", "ekin"),
    "part": ("rik", "ik"),
    "ine": ("n", "en"),
    "abl": ("tik", "etik"),
    "all": ("ra", "era"),
    "gel": ("ko", "eko"),
}
_LOCAL = ("ine", "abl", "all", "gel")


def decline(stem: str, case: str, number: str, trill: bool = False) -> str:
    """Decline a noun or adjective.

    `case`: E, A, D, gen, com, part, or a local case (ine, abl, all, gel); `number`: "s" or "p" with
    the article, "" without it. `trill`: the final r doubles before a vowel (*lur*, *lurra*).
    """
    if not number:
        return decline_name(stem, case, trill)
    suffix = _DEFINITE[case][number == "p"]
    if case in _LOCAL and number == "s":
        if stem[-1] in VOWELS:
            return stem.removesuffix("a") + "an" if case == "ine" else stem + suffix
        suffix = {"ine": "ean", "abl": "etik", "all": "era", "gel": "eko"}[case]
    return stem.removesuffix("a") + "r" * trill + suffix


def decline_name(name: str, case: str, trill: bool = False) -> str:
    """Decline a proper name, or a noun without its article (*Mikelek*, *Donostian*, *gizoni*)."""
    suffix = _INDEFINITE[case][name[-1] not in VOWELS]
    return name + ("r" if trill and suffix[:1] in [*VOWELS] else "") + suffix


def decline_year(year: int, case: str) -> str:
    """Decline a year in digits as it is read aloud: *1920an*, *1921ean*, *1911n*; *1921eko*."""
    if year % 20 == 11:  # read as hamaika, which ends in a vowel
        return f"{year}n" if case == "ine" else f"{year}ko"
    if year % 10 in (1, 5) or year % 20 == 10 or year % 100 == 0:  # bat, bost, hamar, ehun
        return f"{year}ean" if case == "ine" else f"{year}eko"
    return f"{year}an" if case == "ine" else f"{year}ko"


# Finite forms by slots and tense; each key lists the numbers of ergative, dative, absolutive
_FINITE = {
    ("A", "pres"): "s da p dira",
    ("A", "past"): "s zen p ziren",
    ("EA", "pres"): "ss du sp ditu ps dute pp dituzte",
    ("EA", "past"): "ss zuen sp zituen ps zuten pp zituzten",
    ("DA", "pres"): "ss zaio sp zaizkio ps zaie pp zaizkie",
    ("DA", "past"): "ss zitzaion sp zitzaizkion ps zitzaien pp zitzaizkien",
    ("EDA", "pres"): "sss dio ssp dizkio sps die spp dizkie pss diote psp dizkiote pps diete "
    "ppp dizkiete",
    ("EDA", "past"): "sss zion ssp zizkion sps zien spp zizkien pss zioten psp zizkioten "
    "pps zieten ppp zizkieten",
}
FINITE = {
    slots: dict(zip(forms.split()[::2], forms.split()[1::2], strict=True))
    for slots, forms in _FINITE.items()
}


def finite(tense: str, **numbers: str) -> str:
    """The auxiliary for these slots and numbers: `finite("pres", E="p", A="s")` is *dute*."""
    slots = "".join(slot for slot in "EDA" if slot in numbers)
    return FINITE[slots, tense]["".join(numbers[slot] for slot in slots)]


def subordinate(form: str, suffix: str) -> str:
    """Add -n, -la, -lako or -nean to a finite form: *du*, *duela*; *zuten*, *zutela*."""
    return _LINKING.get(form, form.removesuffix("n")) + suffix


_LINKING = {"da": "de", "dira": "dire", "du": "due", "ditu": "ditue", "dago": "dagoe"}


@dataclass(frozen=True)
class Argument:
    """The head of an overt argument: its slot (E, A, D), form and mark."""

    slot: str
    form: str
    mark: str


@dataclass
class Clause:
    """A finite verb, its overt arguments, and why its other slots are empty."""

    verb: str = ""
    arguments: list[Argument] = field(default_factory=list)
    dropped: dict[str, tuple[str, str]] = field(default_factory=dict)  # slot: number, reason

    def slots(self) -> dict[str, str]:
        """The number that the verb must show in each slot; coordinated heads are plural."""
        numbers = {slot: number for slot, (number, _) in self.dropped.items()}
        for slot in {argument.slot for argument in self.arguments}:
            heads = [AGREEMENT[a.mark] for a in self.arguments if a.slot == slot]
            numbers[slot] = heads[0] if len(heads) == 1 else "p"
        return numbers


@dataclass(frozen=True)
class Sentence:
    """Plain text and its clauses, in order of their numbers."""

    text: str
    clauses: tuple[Clause, ...]


_MARK = re.compile(
    r"([\w-]+)~(\d?)(?:V((?:,[EAD]\.[sp12]+:[\w-]+)*)|([EAD])\.(sg|pl|ind|part|bare|name))"
)


def parse(marked: str) -> Sentence:
    """Read a marked sentence; its text is capitalised and has no marks.

    Raises:
        ValueError: a mark is unreadable, a clause has no finite verb or two, or a slot is both
            filled and dropped.
    """
    clauses: dict[str, Clause] = {}
    for form, number, dropped, slot, mark in _MARK.findall(marked):
        clause = clauses.setdefault(number or "1", Clause())
        if slot:
            clause.arguments.append(Argument(slot, form, mark))
            continue
        if clause.verb:
            raise ValueError(f"{marked}: two verbs in clause {number or 1}")
        clause.verb = form
        for item in dropped.split(",")[1:]:
            name, _, reason = item.partition(":")
            clause.dropped[name[0]] = (name[2:], reason)
    text = _MARK.sub(r"\1", marked)
    for clause in clauses.values():
        filled = {argument.slot for argument in clause.arguments}
        if not clause.verb or filled & set(clause.dropped):
            raise ValueError(f"{marked}: no verb, or a slot both filled and dropped")
    if "~" in text or not clauses:
        raise ValueError(f"{marked}: a mark that cannot be read")
    return Sentence(
        text[0].upper() + text[1:], tuple(clauses[number] for number in sorted(clauses))
    )
