"""Seeds files (BLM-1): what is read, and the error for each fault."""

import re
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.blm.generation.decoding import Decoder
from kasu.blm.generation.grammar import STATES, Form, answer_set, sentence
from kasu.blm.generation.seeds import COLUMNS, read_seeds
from kasu.blm.generation.slots import find_slots
from kasu.blm.generation.substitutions import Entry, Lexicon

SEEDS = Path(__file__).resolve().parents[3] / "resources" / "seeds"
ROW = re.split(
    ",",
    "Paul pense que,la lampe,les lampes,sur le bureau,sur les bureaux,et le bureau,et les bureaux,"
    "du directeur,des directeurs,et le directeur,et les directeurs,de l'usine,des usines,"
    "et l'usine,et les usines,que Claire admire,éclaire tout,éclairent tout",
)
OTHER = ["Lucie dit que", "le banc", "les bancs", *ROW[3:]]


def write(folder: Path, *rows: list[str], header=COLUMNS, separator="\t") -> Path:
    path = folder / "seeds.tsv"
    path.write_text("\n".join(separator.join(row) for row in (header, *rows)) + "\n")
    return path


def error(path: Path) -> str:
    with pytest.raises(KasuError) as raised:
        read_seeds(path)
    return str(raised.value).replace(str(path.parent), "")


def test_shipped_seeds_are_read():
    assert [len(read_seeds(SEEDS / f"{name}.tsv")) for name in ("fra", "eng", "ita")] == [32, 8, 3]


@pytest.mark.parametrize(
    ("language", "subject", "sentence"),
    [("tr", "iyi ırmak", "İyi ırmak"), ("fr", "i̇yi irmak", "İyi irmak")],
)
def test_case_is_that_of_the_language(tmp_path, language, subject, sentence):
    (seed,) = read_seeds(write(tmp_path, [ROW[0], "İyi Irmak", *ROW[2:]]), "lower", language)
    assert seed.chunks["subject_sg"] == subject
    assert seed.join(["subject_sg"]) == f"{sentence} ."


def test_released_files_have_other_headers_and_capitals(tmp_path):
    header = re.split(
        ";",
        "Prefix1;np-s;np-p;pp1-s;pp1-p;Conj1sg;Conj1pl;pp2-s;pp2-p;Conj2sg;Conj2pl;P3sg;P3pl;"
        "Conj3sg;Conj3pl;ROC;vp-s;vp-p;.",
    )
    cells = [*ROW, "."]
    cells[1:3] = ["L’ affiche ", "Les affiches "]
    (seed,) = read_seeds(write(tmp_path, cells, header=header, separator=";"))
    assert seed.chunks["subject_sg"] == "l'affiche"
    assert seed.chunks["prefix"] == "paul pense que"
    assert seed.chunks["stop"] == "."


def test_capitals_can_be_kept(tmp_path):
    (seed,) = read_seeds(write(tmp_path, ROW), "keep")
    assert (seed.chunks["prefix"], seed.chunks["relative"]) == (ROW[0], ROW[15])


def test_brackets_mark_words(tmp_path):
    row = ["[Paul] [pense] bien que", "la [lampe] basse", *ROW[2:]]
    (seed,) = read_seeds(write(tmp_path, row))
    assert seed.chunks["prefix"] == "paul pense bien que"
    assert seed.marks["prefix"] == [(0, 4), (5, 10)]
    assert seed.chunks["subject_sg"][slice(*seed.marks["subject_sg"][0])] == "lampe"


def test_a_clause_stands_between_two_commas(tmp_path):
    """German: `… auf dem Tisch, das Peter liest, ist …`, however the file spaces the commas."""
    cells = (
        "Peter sagt , dass;das Buch;die Bücher;auf dem Tisch;auf den Tischen;und dem Tisch;"
        "und den Tischen;in dem Zimmer;in den Zimmern;und dem Zimmer;und den Zimmern;"
        "von dem Haus;von den Häusern;und dem Haus;und den Häusern;, das Peter liest ,;"
        "ist neu;sind neu;, die Peter liest ,"
    )
    path = write(tmp_path, cells.split(";"), header=(*COLUMNS, "relative_pl"))
    (seed,) = read_seeds(path, "keep")
    spelt = sentence(seed, "relative", Form("sg", ("pp1_sg",), "sg"))
    assert spelt == "Das Buch auf dem Tisch, das Peter liest, ist neu ."
    spelt = sentence(seed, "relative", Form("pl", ("pp1_sg",), "pl"))
    assert spelt == "Die Bücher auf dem Tisch, die Peter liest, sind neu ."
    spelt = sentence(seed, "completive", Form("sg", ("pp1_sg",), "sg"))
    assert spelt == "Peter sagt, dass das Buch auf dem Tisch ist neu ."
    lexicon = Lexicon(
        [
            Entry("function", "dass", "dass", "", "", ""),
            Entry("function", "das", "die", "", "", ""),
            Entry("matrix_verb", "sagt", "sagen", "", "", "that:present"),
            Entry("relative_verb", "liest", "lesen", "", "", "object:present"),
        ]
    )
    verb = {slot.name: slot for slot in find_slots(seed, "relative", lexicon)}["relative_verb"]
    assert verb.forms["relative"] == "liest"
    request = verb.requests("relative")[0]
    assert request.after == ", ist neu ."
    # Every form, also with the last attractor repeated, is read back from its spelling
    decoder = Decoder([seed], lexicon)
    for state in STATES:
        for form in answer_set(state, "relative", "released").values():
            assert decoder.read(sentence(seed, "relative", form)) == form
        for form in answer_set(state, "completive", "released").values():
            assert decoder.read(sentence(seed, "completive", form)) == form


def test_missing_column(tmp_path):
    path = write(tmp_path, ROW[:-1], header=COLUMNS[:-1])
    assert error(path).startswith("/seeds.tsv:1: no column 'verb_pl'; expected prefix, ")


def test_unknown_column(tmp_path):
    path = write(tmp_path, [*ROW, "x"], header=(*COLUMNS, "verbs"))
    assert error(path).startswith("/seeds.tsv:1: unknown column 'verbs'")


def test_empty_cell(tmp_path):
    path = write(tmp_path, ROW, [*OTHER[:15], " ", *OTHER[16:]])
    assert error(path) == "/seeds.tsv:3, column relative: an empty cell; expected text"


def test_no_attractor(tmp_path):
    path = write(tmp_path, [*ROW[:3], "", *ROW[4:]])
    assert error(path) == "/seeds.tsv:2, column pp1_sg: no attractor; expected text"


def test_equal_singular_and_plural(tmp_path):
    path = write(tmp_path, [*ROW[:17], "Éclaire tout"])
    assert error(path) == (
        "/seeds.tsv:2, columns verb_sg and verb_pl: 'éclaire tout' twice; "
        "expected a singular and a plural that differ"
    )


def test_attractor_that_is_its_own_conjunct(tmp_path):
    path = write(tmp_path, [*ROW[:6], "Sur les bureaux", *ROW[7:]])
    assert error(path) == (
        "/seeds.tsv:2, columns pp1_pl and conjunct1_pl: 'sur les bureaux' twice; "
        "expected an attractor and a second subject that differ"
    )


@pytest.mark.parametrize("stop", [".", "?"])
@pytest.mark.parametrize("column", ["verb_sg", "verb_pl"])
def test_verb_with_the_stop(tmp_path, column, stop):
    row = dict(zip(COLUMNS, ROW, strict=True)) | {"stop": stop}
    row[column] += stop
    path = write(tmp_path, [*row.values()], header=(*row,))
    assert error(path) == (
        f"/seeds.tsv:2, column {column}: {row[column]!r}; "
        f"expected no {stop!r} at the end: `stop` adds it"
    )


def test_duplicate_seed(tmp_path):
    path = write(tmp_path, ROW, OTHER, ["Zoé croit que", *ROW[1:]])
    assert error(path) == (
        "/seeds.tsv:4, columns subject_sg, pp1_sg, verb_sg: the same as line 2 "
        "('la lampe sur le bureau éclaire tout'); expected each seed once"
    )


def test_other_separators_in_the_header(tmp_path):
    path = write(tmp_path, ROW, separator=",")
    assert error(path).endswith("; expected tabs or semicolons between")


def test_other_separators_in_a_row(tmp_path):
    path = write(tmp_path, ROW, [";".join(OTHER)])
    assert error(path) == "/seeds.tsv:3: 1 cells; expected 18, separated as the header"


def test_open_bracket(tmp_path):
    path = write(tmp_path, ["[Paul pense que", *ROW[1:]])
    assert error(path) == (
        "/seeds.tsv:2, column prefix: '[paul pense que'; expected brackets in pairs"
    )


def test_no_row(tmp_path):
    assert error(write(tmp_path)) == (
        "/seeds.tsv: no seeds; expected one or more rows below the header"
    )


def test_not_utf8(tmp_path):
    path = tmp_path / "seeds.tsv"
    path.write_bytes("\t".join(COLUMNS).encode() + b"\n\xff\n")
    assert "invalid UTF-8" in error(path)


def test_a_quoted_cell_is_refused(tmp_path):
    header, first = (SEEDS / "eng.tsv").read_text(encoding="utf-8").split("\n")[:2]
    path = tmp_path / "seeds.tsv"
    quoted = first.replace("that Peter likes", '", that Peter likes,"')
    path.write_text(f"{header}\n{quoted}\n", encoding="utf-8")
    with pytest.raises(KasuError, match=r"seeds\.tsv:2, column relative: .* in quotes; expected"):
        read_seeds(path, "keep", "en")
