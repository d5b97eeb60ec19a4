"""The demo's minimal pairs: their contents, and their Basque checked by the analyser."""

import json
import re
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

from kasu.corpora.morphology.apertium import Analyser

BASQUE = Path(__file__).resolve().parents[3] / "tools" / "demo" / "basque"
sys.path.insert(0, str(BASQUE))

import generate  # noqa: E402
import grammar  # noqa: E402
from articles import write_articles  # noqa: E402
from pairs import PAIRS, write_pairs  # noqa: E402

ARTICLES = write_articles()
WRITTEN = list(write_pairs(ARTICLES))
ITEMS = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
GOOD = ("sentence_good", "sentence_good_reorder")
BAD = ("sentence_bad", "sentence_bad_reorder")
SLOTS = {"k": "E", "i": "D", "": "A", "ik": "A"}
NUMBERS = {"NI": "s", "HU": "s", "HK": "p"}


def words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text.lower())


@pytest.fixture(scope="module")
def readings(dictionary) -> dict[str, set[str]]:
    """The readings of every word of the pairs; empty if it is unknown."""
    forms = sorted({form for p in WRITTEN for s in p.sentences for form in s.text.split()})
    forms = sorted(
        {form.strip(".") for form in forms} | {form.strip(".").lower() for form in forms}
    )
    analyser = Analyser(dictionary)
    units = [re.findall(r"\^([^$]*)\$", answer) for answer in analyser.analyse(forms)]
    analyser.close()
    return {
        form: {r for unit in found for r in unit.split("/")[1:] if not r.startswith("*")}
        for form, found in zip(forms, units, strict=True)
    }


def named_forms() -> set[str]:
    names = (BASQUE / "names.txt").read_text(encoding="utf-8").split()
    return {grammar.decline_name(name, "gel") for name in names}


def head_slots(readings: set[str]) -> set[tuple[str, str]]:
    """The slots and numbers that a head can stand for.

    A noun without determiner has none, except in the partitive: *herritar apalek* is a plural.
    """
    slots = set()
    for reading in readings:
        body, _, post = reading.partition("<post>")[0].rpartition("+")
        if not reading.endswith("<post>"):
            body, post = reading, ""
        if post not in SLOTS or not (post == "ik" or "<det>" in body or "<num>" in body):
            continue
        number = re.search("<(sg|pl)>", body)
        slots.add((SLOTS[post], number[1][0] if number else "s"))
    return slots


def verb_slots(readings: set[str]) -> list[dict[str, str]]:
    """The number of each slot, for every reading as a finite verb; the dative's tag is NI too."""
    letters = {"NR": "A", "NI": "D", "NK": "E"}
    found = [re.findall(r"<(N[RIK])_(NI|HU|HK)>", r) for r in readings if "<vbsint>" in r]
    return [{letters[slot]: NUMBERS[person] for slot, person in tags} for tags in found]


def can_agree(clause: grammar.Clause, slots: str, readings: dict[str, set[str]]) -> bool:
    """Whether under some reading every head agrees with a slot of its own.

    Slots without a head may be unexpressed, but the verb may have no slots other than `slots`.
    """
    heads = [head_slots(readings[argument.form]) for argument in clause.arguments]
    for verb in verb_slots(readings[clause.verb]):
        if not set(verb) <= set(slots):
            continue
        for chosen in permutations(verb, len(heads)):
            if all((slot, verb[slot]) in head for slot, head in zip(chosen, heads, strict=True)):
                return True
    return False


def agrees(sentence: grammar.Sentence, good: grammar.Sentence, readings) -> bool:
    slots = ["".join(clause.slots()) for clause in good.clauses]
    return all(
        can_agree(clause, names, readings)
        for clause, names in zip(sentence.clauses, slots, strict=True)
    )


def test_counts_by_type_and_level():
    assert Counter((item["type"], item["level"]) for item in ITEMS) == {
        ("E1 declension", "A"): 14, ("E1 declension", "B"): 13, ("E1 declension", "C"): 13,
        ("E2 verb", "A"): 13, ("E2 verb", "B"): 14, ("E2 verb", "C"): 13,
        ("E3 order", "A"): 13, ("E3 order", "B"): 13, ("E3 order", "C"): 14,
    }  # fmt: skip


def test_fields():
    assert {tuple(item) for item in ITEMS} == {
        (*GOOD[:1], *BAD[:1], "type", "level", *GOOD[1:], *BAD[1:]),
    }


def test_the_generator_writes_the_tracked_pairs_byte_for_byte():
    assert generate.json_lines(WRITTEN).encode() == PAIRS.read_bytes()


def test_no_sentence_stands_twice():
    sentences = [item[name] for item in ITEMS for name in GOOD + BAD]
    assert len(set(sentences)) == len(sentences) == 480


def test_no_sentence_stands_in_the_corpus():
    dump = generate.DUMP.read_text(encoding="utf-8")
    corpus = {sentence.text for article in ARTICLES for sentence in article.sentences()}
    sentences = {item[name] for item in ITEMS for name in GOOD + BAD}
    assert [s for s in sentences if s in corpus or s.strip(".") in dump] == []


def test_lengths_by_level():
    lengths = {
        level: {len(i["sentence_good"].split()) for i in ITEMS if i["level"] == level}
        for level in "ABC"
    }
    assert {level: (min(n), max(n)) for level, n in lengths.items()} == {
        "A": (4, 5), "B": (6, 9), "C": (10, 14),
    }  # fmt: skip


def test_halves_of_equal_length():
    equal = Counter(
        item["type"]
        for item in ITEMS
        if len(item["sentence_good"].split()) == len(item["sentence_bad"].split())
    )
    assert equal == {"E1 declension": 27, "E2 verb": 40, "E3 order": 27}


def test_two_orders_have_the_same_words():
    for item in ITEMS:
        for one, other in (GOOD, BAD):
            assert sorted(words(item[one])) == sorted(words(item[other]))


@pytest.mark.parametrize(("good", "bad"), list(zip(GOOD, BAD, strict=True)))
def test_halves_differ_as_their_type_says(good, bad):
    for item in ITEMS:
        one, other = Counter(words(item[good])), Counter(words(item[bad]))
        gone, new = one - other, other - one
        if item["type"] == "E3 order":
            assert not new and gone in (Counter(), Counter(["ez"]))
        else:
            assert new.total() == 1 and gone.total() in (1, 2)


def test_every_word_of_a_good_sentence_is_known_or_a_listed_name(readings):
    forms = {form.strip(".") for item in ITEMS for name in GOOD for form in item[name].split()}
    assert sorted(f for f in forms if not readings[f] and f not in named_forms()) == []


def test_good_sentences_agree(readings):
    halves = [half for p in WRITTEN for half in ((p.good, p.good), (p.good_reorder, p.good))]
    wrong = [half.text for half, good in halves if not agrees(half, good, readings)]
    assert wrong == []


def test_no_reading_of_a_bad_sentence_agrees(readings):
    halves = [
        (half, p.good) for p in WRITTEN if p.type != "E3 order" for half in (p.bad, p.bad_reorder)
    ]
    assert [half.text for half, good in halves if agrees(half, good, readings)] == []
