r"""Apertium's stream format: queues, joined units, marks in lemmas, escapes, blanks.

The units are what lt-proc 3.7.1 writes for dictionaries made for these tests, and for real ones.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamparser import LexicalUnit

from kasu.corpora.morphology.apertium import Analyser, unit_rows
from kasu.corpora.morphology.stream import escape, find_units, is_unknown, read_parts, split_unit
from kasu.corpora.morphology.tagset import read_tagset
from kasu.corpora.texts.compressed import lines

ROOT = Path(__file__).resolve().parents[3]
EUS = read_tagset(ROOT / "resources" / "tagsets" / "eus.yaml")


def cells(unit: str) -> list[tuple]:
    """Surface, lemma, part of speech and tags of each reading."""
    return [(row[0], *row[2:5]) for row in unit_rows(unit, EUS)]


def parts(reading: str) -> list[tuple[str, str]]:
    return [(part.baseform, " ".join(part.tags)) for part in read_parts(reading)]


# Queues


@pytest.mark.parametrize(
    ("unit", "cell"),
    [
        (
            "^gave up/give<vblex><past># up$",
            ("gave up", "give# up", "vblex", "<vblex><past>"),
        ),
        (
            "^fell in love with/fall<vblex><past># in love with$",
            ("fell in love with", "fall# in love with", "vblex", "<vblex><past>"),
        ),
        (
            "^Courts of appeal/Court<n><pl># of appeal$",
            ("Courts of appeal", "Court# of appeal", "n", "<n><pl>"),
        ),
        (
            "^ponerse al día/poner<vblex><inf>+se<prn><enc># al día$",
            ("ponerse al día", "poner# al día", "vblex", "<vblex><inf>"),
        ),
        (
            r"^goes 24\/7/go<vblex># 24\/7$",
            ("goes 24/7", "go# 24/7", "vblex", "<vblex>"),
        ),
    ],
)
def test_a_queue_is_of_the_lemma_and_not_of_the_tags(unit, cell):
    assert cells(unit) == [cell]


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        ("poner<vblex><inf>+se<prn># al día", [("poner# al día", "vblex inf"), ("se", "prn")]),
        ("poner<vblex># al día+lo<prn>", [("poner# al día", "vblex"), ("lo", "prn")]),
        ("code<vblex># in C++", [("code# in C++", "vblex")]),
        ("code<vblex># in C+++it<prn>", [("code# in C++", "vblex"), ("it", "prn")]),
        (r"code<vblex># in \<b\>", [("code# in <b>", "vblex")]),
    ],
)
def test_a_queue_is_of_the_first_part(reading, expected):
    assert parts(reading) == expected


def test_the_reading_keeps_what_the_analyser_wrote():
    (row,) = unit_rows("^gave up/give<vblex><past># up$", EUS)
    assert row[5] == "give<vblex><past># up"


def test_words_with_and_without_a_queue_share_no_lemma():
    rows = [cells(f"^x/{lemma}<vblex># up/{lemma}<vblex>$") for lemma in ("give", "get", "give")]
    assert [[cell[1] for cell in row] for row in rows] == [
        ["give# up", "give"], ["get# up", "get"], ["give# up", "give"]
    ]  # fmt: skip


def test_the_lemma_of_a_finite_part_has_no_queue_of_another():
    assert cells("^x/ba<cnj>+egon<vbsint># hor$") == [("x", "egon", "vbsint", "<vbsint>")]


# Marks in lemmas


@pytest.mark.parametrize(
    "lemma", ["+", "J++", "A+B", "+1", "#", "F#", "x#y", "*", "*nix", "&", "~"]
)
def test_a_mark_that_joins_nothing_is_of_the_lemma(lemma):
    assert cells(f"^{lemma}/{lemma}<np>$") == [(lemma, lemma, "np", "<np>")]


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        ("will<vaux>+not<adv>", [("will", "vaux"), ("not", "adv")]),
        ("J++<np>+be<vbser>", [("J++", "np"), ("be", "vbser")]),
        ("be<vbser>+J++<np>", [("be", "vbser"), ("J++", "np")]),
        ("be<vbser>++1<num>", [("be", "vbser"), ("+1", "num")]),
        ("be<vbser>+F#<np>", [("be", "vbser"), ("F#", "np")]),
        (r"\<b\>+c<n>", [("<b>+c", "n")]),
        ("will<vaux>+not", [("will", "vaux"), ("not", "")]),
        ("bare", [("bare", "")]),
        ("bare+foot", [("bare+foot", "")]),
        ("", [("", "")]),
        ("<neg>do<vblex>", [("do", "neg vblex")]),
        ("<neg>do<vblex>+it<prn>", [("do", "neg vblex"), ("it", "prn")]),
        ("cat<n><W:0.500000>", [("cat", "n")]),
        ("give<vblex># up<W:1.5>", [("give# up", "vblex")]),
        ("x<n><a+b>+y<c#d>", [("x", "n a+b"), ("y", "c#d")]),
    ],
)
def test_parts_of_a_reading(reading, expected):
    assert parts(reading) == expected


@pytest.mark.parametrize("word", ["*+*", "*", "+#", "Zz+#z", r"a\/b", r"\<b\>", r"c\\", r"\@x"])
def test_an_unknown_word_has_its_surface_as_lemma(word):
    surface = word.replace("\\\\", "\0").replace("\\", "").replace("\0", "\\")
    assert cells(f"^{word}/*{word}$") == [(surface, surface, None, None)]


@pytest.mark.parametrize(
    ("unit", "cell"),
    [
        ("^zer/zer$", ("zer", "zer", "", "")),
        ("^nil/$", ("nil", "", "", "")),
        ("^q+/q+$", ("q+", "q+", "", "")),
    ],
)
def test_a_known_word_without_tags_has_an_empty_part_of_speech(unit, cell):
    assert cells(unit) == [cell]


def test_a_star_alone_marks_a_word_without_tags():
    assert is_unknown("*+*")
    assert not is_unknown("*nix<n>")
    assert is_unknown(r"*\<n\>")


# Escapes and blanks


@pytest.mark.parametrize(
    ("unit", "surface", "readings"),
    [
        (r"^a\/b/a\/b<n>/a\/b<adj>$", "a/b", [r"a\/b<n>", r"a\/b<adj>"]),
        (r"^c\\/c\\<n>$", "c\\", [r"c\\<n>"]),
        (r"^\\\//\\\/<n>$", "\\/", [r"\\\/<n>"]),
        (r"^d\$/d\$\^<n>$", "d$", [r"d\$\^<n>"]),
        ("^nil/$", "nil", [""]),
    ],
)
def test_a_unit_is_split_at_slashes_that_are_not_escaped(unit, surface, readings):
    assert split_unit(unit) == (surface, readings)


@pytest.mark.parametrize(
    ("reading", "lemma"),
    [(r"c\\<n>", "c\\"), (r"lt\<x\><n>", "lt<x>"), (r"\@home<n>", "@home"), (r"\[\]<n>", "[]")],
)
def test_escapes_of_a_lemma_are_removed(reading, lemma):
    assert parts(reading) == [(lemma, "n")]


@pytest.mark.parametrize(
    "output",
    [
        "^a/*a$ [<b>]^b/*b$[]",
        "[[t:b:1]]^a/*a$[[/]] ^b/*b$",
        r"[<i title='^x/*x$'>]^a/*a$[\]^y/*y$]^b/*b$",
        r"\^x\$ \[^a/*a$ \\^b/*b$\]",
        "^a/*a$ ] [ ^b/*b$",
    ],
)
def test_only_units_outside_of_blanks_are_units(output):
    assert find_units(output) == ["^a/*a$", "^b/*b$"]


@given(st.text(st.sampled_from("a+#*~&<>\\/^$[]{}@ ")))
def test_any_lemma_with_a_tag_is_read_as_it_was(lemma):
    unit = f"^{escape(lemma)}/{escape(lemma)}<n>$"
    assert find_units(f"[]{unit}.") == [unit]
    assert cells(unit) == [(lemma, lemma, "n", "<n>")]


# Where the package streamparser reads another thing, or nothing


@pytest.mark.parametrize(
    ("reading", "package"),
    [
        ("give<vblex># up", [("give", ["vblex", "# up"])]),
        ("J++<np>", [("", ["J"]), ("", []), ("", ["np"])]),
        (r"a\/b<n>", [(r"a\/b", ["n"])]),
        ("<neg>do<vblex>", [("", ["neg", "dovblex"])]),
    ],
)
def test_what_the_package_makes_of_these(reading, package):
    """When this fails the package has changed, and may do what `read_parts` does."""
    assert [tuple(part) for part in LexicalUnit(f"x/{reading}").readings[0]] == package
    assert [tuple(part) for part in read_parts(reading)] != package


@pytest.mark.parametrize(
    "reading", ["cat<n><pl>", "will<vaux>+not<adv>", "etxe<n>+a<det><art><sg>+ko<post>", "bare"]
)
def test_the_package_agrees_on_plain_readings(reading):
    assert LexicalUnit(f"x/{reading}").readings == [read_parts(reading)]


# A second reader, from the specification, one character at a time


def read_units(stream: str) -> Iterator[list[list[str]]]:
    """The fields of each unit; a field is a list of characters, with their escapes."""
    symbols = iter(stream)
    unit: list[list[str]] | None = None
    in_blank = False
    for symbol in symbols:
        if symbol == "\\":
            symbol += next(symbols)
        if unit is None:
            if in_blank or symbol == "[":
                in_blank = symbol != "]"
            elif symbol == "^":
                unit = [[]]
        elif symbol == "$":
            yield unit
            unit = None
        elif symbol == "/":
            unit.append([])
        else:
            unit[-1].append(symbol)


def read_reading(field: list[str]) -> list[tuple[str, list[str]]]:
    found: list[tuple[list[str], list[str]]] = [([], [])]
    in_tag = in_queue = False
    last = ""
    for symbol in field:
        if in_tag and symbol != ">":
            found[-1][1][-1] += symbol
        elif symbol in "<>":
            in_tag = symbol == "<"
            found[-1][1].extend([""] * in_tag)
        elif symbol == "+" and (in_queue or last == ">"):
            found.append(([], []))
            in_queue = False
        else:
            in_queue |= symbol == "#" and last == ">"
            found[0 if in_queue else -1][0].append(symbol[-1])
        last = symbol
    return [("".join(lemma), tags) for lemma, tags in found]


BASQUE, SPANISH = "eu-es.automorf.bin", "es-eu.automorf.bin"


def basque_sentences(mirror: Path) -> list[str]:
    path = mirror / "wikipedia/eu/commonvoice_wiki.eu.txt.xz"
    return [line for _, line in lines(path)][:12_000]


def spanish_sentences(mirror: Path) -> list[str]:
    files = [mirror / f"ud/UD_Spanish-GSD/es_gsd-ud-{split}.conllu" for split in ("dev", "test")]
    texts = [line.partition("# text = ") for path in files for _, line in lines(path)]
    return [text for before, mark, text in texts if mark and not before]


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "sentences", "least", "queues"),
    [(BASQUE, basque_sentences, 100_000, 0), (SPANISH, spanish_sentences, 46_000, 36)],
)
def test_real_units_are_read_as_a_second_reader_reads_them(
    mirror, dictionary, name, sentences, least, queues
):
    with closing(Analyser(dictionary.with_name(name))) as analyser:
        outputs = analyser.analyse(sentences(mirror))
    units, queues_read, seen = 0, 0, set()
    for output in outputs:
        found = find_units(output)
        for unit, (surface, *fields) in zip(found, read_units(output), strict=True):
            units += 1
            if unit in seen:
                continue
            seen.add(unit)
            text, readings = split_unit(unit)
            assert text == "".join(symbol[-1] for symbol in surface)
            ours = [[tuple(part) for part in read_parts(reading)] for reading in readings]
            assert ours == [read_reading(field) for field in fields]
            queues_read += unit.count("># ")
    assert units > least
    assert queues_read == queues
