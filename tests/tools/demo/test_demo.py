"""The demo dump: its contents, and its Basque checked by the analyser."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import mwparserfromhell
import pytest
from defusedxml import ElementTree

BASQUE = Path(__file__).resolve().parents[3] / "tools" / "demo" / "basque"
ANALYSER = Path("/usr/share/apertium/apertium-eu-es/eu-es.automorf.bin")
sys.path.insert(0, str(BASQUE))

import generate  # noqa: E402
import grammar  # noqa: E402
from articles import write_articles  # noqa: E402
from lexicon import words  # noqa: E402

POSTS = {"E": "k", "A": "", "D": "i", "part": "ik", "gen": "en", "com": "ekin"}
POSTS |= {"ine": "an", "abl": "tik", "all": "ra", "gel": "ko"}
ARTICLES = write_articles()
SENTENCES = [sentence for article in ARTICLES for sentence in article.sentences()]
NAMES = (BASQUE / "names.txt").read_text(encoding="utf-8").split()
WORD = re.compile(r"[\w-]+")


def analyse(forms: list[str]) -> dict[str, set[str]]:
    """The analyser's readings of each form; empty if it is unknown."""
    if not (shutil.which("lt-proc") and ANALYSER.exists()):
        pytest.skip("no Basque analyser (apt install apertium-eu-es lttoolbox)")
    stream = "".join(f"{form}[][\n]" for form in forms)
    answer = subprocess.run(
        ["lt-proc", "-w", ANALYSER], input=stream, capture_output=True, text=True, check=True
    ).stdout
    parts = answer.split("[][\n]")[:-1]
    return {
        form: {r for unit in re.findall(r"\^([^$]*)\$", part) for r in unit.split("/")[1:]}
        - {f"*{form}"}
        for form, part in zip(forms, parts, strict=True)
    }


@pytest.fixture(scope="module")
def readings() -> dict[str, set[str]]:
    """The readings of every word of the articles."""
    return analyse(sorted({form for s in SENTENCES for form in WORD.findall(s.text)}))


def named_forms() -> set[str]:
    return {
        grammar.decline_name(name, case, trill)
        for name in NAMES
        for case in ("A", "E", "D", "gen", "com", "ine", "abl", "all", "gel")
        for trill in (False, True)
    }


def slots_of(reading: str) -> dict[str, str]:
    numbers = {"NI": "s", "HI": "s", "HU": "s", "ZU": "s", "GU": "p1", "ZK": "p", "HK": "p"}
    letters = {"NR": "A", "NI": "D", "NK": "E"}
    tags = re.findall(r"<(N[RIK])_(\w\w)>", reading)
    return {letters[slot]: numbers[person] for slot, person in tags}


def fits(reading: str, case: str, mark: str) -> bool:
    """Whether the reading has this case and the number of the mark."""
    post = POSTS[case] and f"+{POSTS[case]}<post>"
    if not reading.endswith(post) or "<post>" in (body := reading.removesuffix(post)):
        return False
    return f"<{mark}>" in body if mark in ("sg", "pl") else "<art>" not in body


def test_counts():
    counts = len(ARTICLES), len(SENTENCES), len({s.text for s in SENTENCES})
    assert counts == (252, 3353, 3338)


def test_pages_by_namespace():
    root = ElementTree.parse(generate.DUMP, forbid_dtd=True).getroot()
    space = "{http://www.mediawiki.org/xml/export-0.11/}"
    pages = root.findall(f"{space}page")
    redirects = sum(page.find(f"{space}redirect") is not None for page in pages)
    assert redirects == 26
    assert Counter(int(page.find(f"{space}ns").text) for page in pages) == {
        0: 299, 1: 3, 2: 2, 3: 1, 4: 2, 6: 2, 8: 1, 10: 5, 12: 1, 14: 4, 100: 1, 828: 1,
    }  # fmt: skip


def test_the_generator_writes_the_tracked_dump_byte_for_byte():
    assert generate.dump(ARTICLES).encode() == generate.DUMP.read_bytes()


def test_markup_does_not_change_a_sentence():
    pages = {page.title: page.text for page in generate.pages(ARTICLES) if page.namespace == 0}
    for article in ARTICLES:
        plain = mwparserfromhell.parse(pages[article.title]).strip_code()
        missing = [s.text for s in article.sentences() if s.text not in plain]
        assert missing == []


def test_sentences_have_4_to_20_words():
    lengths = {len(sentence.text.split()) for sentence in SENTENCES}
    assert (min(lengths), max(lengths)) == (4, 13)


def test_labels_of_first_verbs():
    numbers = [sentence.clauses[0].slots() for sentence in SENTENCES]
    counts = {slot: Counter(n.get(slot, "none") for n in numbers) for slot in "EAD"}
    assert counts == {
        "E": {"s": 1381, "p": 1014, "none": 950, "p1": 8},
        "A": {"s": 2021, "p": 1332},
        "D": {"none": 2820, "s": 286, "p": 247},
    }


def test_dropped_arguments_by_reason():
    reasons = Counter(
        reason for s in SENTENCES for c in s.clauses for _, reason in c.dropped.values()
    )
    assert reasons == {
        "shared": 610,
        "pro-drop": 383,
        "relative-head": 272,
        "complement": 159,
        "impersonal": 144,
        "unexpressed": 41,
        "weather": 1,
    }


def test_every_word_is_known_to_the_analyser_or_a_listed_name(readings):
    allowed = named_forms()
    assert [form for form, found in readings.items() if not found and form not in allowed] == []


def test_every_listed_name_is_unknown_to_the_analyser_somewhere(readings):
    unknown = [form for form, found in readings.items() if not found]
    assert [name for name in NAMES if not any(form.startswith(name) for form in unknown)] == []


def test_every_slot_of_a_verb_has_its_argument_or_is_listed_as_dropped(readings):
    wrong = [
        (sentence.text, clause.verb, clause.slots())
        for sentence in SENTENCES
        for clause in sentence.clauses
        if not any(
            "<vbsint>" in reading and slots_of(reading) == clause.slots()
            for reading in readings[_known(clause.verb, readings)]
        )
    ]
    assert wrong == []


def test_every_argument_has_its_case_and_number(readings):
    wrong = {
        (argument.form, argument.slot, argument.mark)
        for sentence in SENTENCES
        for clause in sentence.clauses
        for argument in clause.arguments
        if (found := readings[_known(argument.form, readings)])
        and not any(fits(reading, case_of(argument), argument.mark) for reading in found)
    }
    assert wrong == set()


def case_of(argument: grammar.Argument) -> str:
    return "part" if argument.mark == "part" else argument.slot


def test_every_noun_and_adjective_declines_as_the_analyser_has_it():
    wanted = {
        (grammar.decline(word.word, case, number, word.trill), case, mark)
        for word in [*words("noun"), *words("adjective")]
        for case in POSTS
        for number, mark in ([("", "ind")] if case == "part" else [("s", "sg"), ("p", "pl")])
        if not (number == "p" and word.only_singular)
    }
    found = analyse(sorted({form for form, _, _ in wanted}))
    wrong = {w for w in wanted if not any(fits(reading, *w[1:]) for reading in found[w[0]])}
    assert wrong == set()


def _known(form: str, readings: dict[str, set[str]]) -> str:
    """The form as found in a text: with a capital if it only starts sentences."""
    return form if form in readings else form[0].upper() + form[1:]


@pytest.mark.parametrize(
    ("stem", "case", "number", "trill", "form"),
    [
        ("eskola", "A", "s", False, "eskola"),
        ("eskola", "E", "p", False, "eskolek"),
        ("etxe", "ine", "p", False, "etxeetan"),
        ("lur", "A", "s", True, "lurra"),
        ("lur", "ine", "s", True, "lurrean"),
        ("haur", "E", "", True, "haurrek"),
        ("gizon", "D", "", False, "gizoni"),
        ("sari", "part", "", False, "saririk"),
        ("lan", "all", "s", False, "lanera"),
    ],
)
def test_declension(stem, case, number, trill, form):
    assert grammar.decline(stem, case, number, trill) == form


@pytest.mark.parametrize(
    ("year", "form"),
    [(1900, "1900ean"), (1910, "1910ean"), (1911, "1911n"), (1920, "1920an"), (1925, "1925ean")],
)
def test_years_are_declined_as_read_aloud(year, form):
    assert grammar.decline_year(year, "ine") == form


def test_coordinated_heads_make_a_plural():
    sentence = grammar.parse("Mikelek~E.name eta Jonek~E.name ogia~A.sg jan dute~V.")
    assert sentence.clauses[0].slots() == {"E": "p", "A": "s"}


def test_a_slot_both_filled_and_dropped_is_refused():
    with pytest.raises(ValueError, match="both filled and dropped"):
        grammar.parse("ogia~A.sg jan du~V,E.s:pro-drop,A.s:shared.")
