"""Faults in the form of a benchmark, which need neither a text nor a model to be seen."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from unicodedata import is_normalized, normalize

import numpy as np

from kasu.audits.data.findings import FORM, Example, Finding
from kasu.audits.data.items import IN_PAIRS, Benchmark
from kasu.corpora.texts.sentences import mask

SHOWN = 3  # examples of a fault
MAIN = 0.1  # a script with this share of the letters is none of another language

Texts = Sequence[str]


def check_form(benchmark: Benchmark) -> Iterator[Finding]:
    """Yield a finding for each kind of fault, also where it is in no item."""
    kept = benchmark.options
    texts = [
        (*context, *options) for context, options in zip(benchmark.contexts, kept, strict=True)
    ]
    faults = {
        "identical texts": [len(set(options)) < len(options) for options in kept],
        "empty texts": [not all(map(str.strip, strings)) for strings in benchmark.strings],
        "duplicates": repeated(texts),
        "near copies": near_copies(texts),
        "white space alone": differ_alone(kept, lambda text: "".join(text.split())),
        "case alone": differ_alone(kept, str.casefold),
        "mixed normalisation": mixed_normalisation(texts),
        "another script": another_script(texts),
    }
    if benchmark.form == IN_PAIRS:
        faults["several loci"] = [loci(*options) > 1 for options in kept]
    for name, marks in faults.items():
        places = np.flatnonzero(marks)
        count = len(places)
        yield Finding(
            FORM, name, len(benchmark), found=count, share=count / len(benchmark), flaw=count > 0,
            examples=[Example(benchmark.names[at], kept[at]) for at in places[:SHOWN]],
        )  # fmt: skip


def repeated(texts: Iterable[Texts]) -> list[bool]:
    """Return which items have the texts of an earlier one."""
    seen: set[tuple[str, ...]] = set()
    marks = []
    for each in map(tuple, texts):
        marks.append(each in seen)
        seen.add(each)
    return marks


def near_copies(texts: Sequence[Texts]) -> list[bool]:
    """Return which items equal an earlier one but for names and digits, and not wholly."""
    masked = repeated([tuple(map(mask, each)) for each in texts])
    return [near and not same for near, same in zip(masked, repeated(texts), strict=True)]


def differ_alone(options: Iterable[Texts], key: Callable[[str], str]) -> list[bool]:
    """Return which items have different options that the key makes equal."""
    return [len(set(map(key, each))) < len(set(each)) for each in options]


def loci(one: str, other: str) -> int:
    """Return at how many places the words of two sentences differ."""
    words, others = one.split(), other.split()
    start = 0
    while start < min(len(words), len(others)) and words[start] == others[start]:
        start += 1
    while len(words) > start < len(others) and words[-1] == others[-1]:
        words.pop(), others.pop()
    if len(words) - start <= 1 or len(others) - start <= 1:
        return int(len(words) > start or len(others) > start)
    matcher = SequenceMatcher(None, words[start:], others[start:], autojunk=False)
    return sum(kind != "equal" for kind, *_ in matcher.get_opcodes())


def mixed_normalisation(texts: Sequence[Texts]) -> list[bool]:
    """Return which items have letters in parts (not NFC), if others have the same kind whole.

    A model, and a tokenizer, takes the two for different letters.
    """
    flat = {text for each in texts for text in each if not text.isascii()}
    parted = {text for text in flat if not is_normalized("NFC", text)}
    whole = any(
        any(normalize("NFD", character) != character for character in text) for text in flat
    )
    return [whole and not parted.isdisjoint(each) for each in texts]


def another_script(texts: Sequence[Texts]) -> list[bool]:
    """Return which items have a letter of a script with less than MAIN of all letters."""
    counts = Counter(character for each in texts for text in each for character in text)
    scripts = {character: script(character) for character in counts}
    of_script: Counter[str] = Counter()
    for character, count in counts.items():
        if name := scripts[character]:
            of_script[name] += count
    rare = {name for name, count in of_script.items() if count < MAIN * of_script.total()}
    foreign = {character for character, name in scripts.items() if name in rare}
    return [bool(foreign) and not all(map(foreign.isdisjoint, each)) for each in texts]


def script(character: str) -> str:
    """Return the script of a letter, by its name in Unicode; empty for what is no letter."""
    plain = normalize("NFKC", character)[:1]
    if not plain.isalpha() or unicodedata.category(plain) == "Lm":
        return ""
    return unicodedata.name(plain, "").partition(" ")[0]
