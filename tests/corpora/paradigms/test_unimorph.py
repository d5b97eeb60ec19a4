"""Paradigm files: columns and their order, blank and broken lines, duplicates."""

import gzip
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.paradigms.unimorph import ParadigmCell, Paradigms, meets, read_paradigms


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_columns_are_lemma_form_features(tmp_path):
    path = write(tmp_path / "x", "etxe\tetxea\tN;ABS;DEF\netxe\tetxeak\tN;ERG;DEF\n")
    assert read_paradigms(path) == (
        [ParadigmCell("etxe", "etxea", "N;ABS;DEF"), ParadigmCell("etxe", "etxeak", "N;ERG;DEF")],
        {},
    )


def test_a_fourth_column_is_ignored(tmp_path):
    path = write(tmp_path / "x", "etxe\tetxeak\tN;PL\tetxe|ak\n")
    assert read_paradigms(path)[0] == [ParadigmCell("etxe", "etxeak", "N;PL")]


def test_compressed_files_are_read(tmp_path):
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(b"a\tb\tN;PL\n"))
    assert read_paradigms(path)[0] == [ParadigmCell("a", "b", "N;PL")]


def test_dropped_lines_are_counted_by_reason(tmp_path):
    good = "".join(f"a\ta{i}\tN;{i}\n" for i in range(99))
    path = write(tmp_path / "x", f"# Livvi\n\na\ta0\tN;0\r\na\t \tN;SG\nbroken  line\tN\n{good} \n")
    cells, drops = read_paradigms(path)
    assert len(cells) == 99
    assert drops == {
        "comment": 1,
        "blank line": 2,
        "the same line again": 1,
        "empty lemma, form or features": 1,
        "not three columns": 1,
    }


def test_blanks_around_columns_are_stripped_and_those_within_stay(tmp_path):
    path = write(tmp_path / "x", " look up\tlooked up \tV;PST   \n")
    assert read_paradigms(path)[0] == [ParadigmCell("look up", "looked up", "V;PST")]


def test_further_forms_of_a_cell_stay(tmp_path):
    path = write(tmp_path / "x", "dream\tdreamed\tV;PST\ndream\tdreamt\tV;PST\n")
    assert [cell.form for cell in read_paradigms(path)[0]] == ["dreamed", "dreamt"]


def test_nothing_is_normalised(tmp_path):
    path = write(tmp_path / "x", "e\u0301\t\u05d0\u202e_#\tN;SG\n")
    assert read_paradigms(path)[0] == [ParadigmCell("e\u0301", "\u05d0\u202e_#", "N;SG")]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "x: no form; expected lines of lemma, form, features"),
        ("# only\n\n", "x: no form; expected lines of lemma, form, features"),
        ("a\tb\tN\na b N\n", "x:2: 1 columns; expected lemma, form, features"),
        ("a\tb\n", "x:1: 2 columns; expected lemma, form, features"),
        (
            "a\tV;PST(SG)\tab\n",
            "x:1: features in the second column (V;PST(SG)), as in the 2023 shared task; "
            "expected lemma, form, features",
        ),
    ],
)
def test_other_files_are_refused(tmp_path, text, error):
    with pytest.raises(KasuError) as raised:
        read_paradigms(write(tmp_path / "x", text))
    assert str(raised.value) == f"{tmp_path}/{error}"


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "cells", "drops"),
    [
        ("eus/eus", 11889, {}),
        ("hin/hin.gz", 54438, {"blank line": 1}),
        ("ckt/ckt", 241, {"not three columns": 1, "the same line again": 1}),
        ("olo/olo-nekkula", 355, {"comment": 1}),
        ("kan/kan", 5551, {"blank line": 168, "the same line again": 851}),
        ("eus/eus.args", 11888, {"empty lemma, form or features": 1}),
    ],
)
def test_real_files(mirror, name, cells, drops):
    found, dropped = read_paradigms(mirror / "unimorph" / name)
    assert (len(found), dropped) == (cells, drops)


@pytest.mark.real
def test_the_files_of_the_2023_shared_task_are_refused(mirror):
    with pytest.raises(KasuError, match=r"kat\.trn:1: features in the second column"):
        read_paradigms(mirror / "unimorph-2023" / "kat.trn")


def test_the_files_of_the_2023_shared_task_with_features_second(tmp_path):
    path = write(tmp_path / "x", "a\tV;PST(SG)\tab\na\tV;PRS\tV;X\n")
    found, _ = read_paradigms(path, features_second=True)
    assert found == [ParadigmCell("a", "ab", "V;PST(SG)"), ParadigmCell("a", "V;X", "V;PRS")]
    path = write(tmp_path / "y", "a\tab\tV;PST\n")
    with pytest.raises(
        KasuError, match=r"features in the third column \(V;PST\); expected lemma, f"
    ):
        read_paradigms(path, features_second=True)


@pytest.mark.parametrize(
    ("word", "cell", "met"),
    [
        ("N;NOM;INDF;MASC;FEM;SG", "N;INDF;NOM;SG", True),
        ("V;IND;SG;3;PRS;FIN", "V;3;SG;PRS", True),
        ("V;IND;PRS;FIN", "V;3;SG;PRS", False),
        ("V;PST;V.PTCP", "V.PTCP;PST", True),
        ("V;PST;FIN", "V;V.PTCP;PST", False),
        ("ADJ;INDF;MASC;FEM;SG", "ADJ;INDF;MASC+FEM;SG", True),
        ("ADJ;INDF;MASC;SG", "ADJ;INDF;MASC+FEM;SG", False),
        ("ADJ;INDF;MASC;SG", "ADJ;INDF;MASC/FEM;SG", True),
        ("ADJ;INDF;NEUT;SG", "ADJ;INDF;MASC/FEM;SG", False),
        ("V;IND;PRS;SG;3", "V;IND;PRS;NOM(3,SG)", True),
        ("V;IND;PRS;PL;3", "V;IND;PRS;NOM(3,SG)", False),
        ("V;IND;PRS;SG;3", "V;IND;PRS;ERG(3,SG)", False),
    ],
)
def test_a_word_meets_a_cell_whose_tags_it_has(word, cell, met):
    assert meets(set(word.split(";")), cell) == met


def test_paradigms_are_found_in_upper_and_lower_case():
    cells = [
        ParadigmCell("Haus", "Häuser", "N;PL"),
        ParadigmCell("haus", "haus", "V"),
        ParadigmCell("dog", "dogs", "N;PL"),
    ]
    found = Paradigms(cells)
    assert found.table("HAUS") == cells[:2]
    assert found.table("cat") == []
    assert found.cells("haus", "HÄUSER") == cells[:1]
    assert found.cells("haus", "dogs") == []


def test_features_lose_the_blanks_around_a_semicolon(tmp_path):
    path = tmp_path / "x"
    path.write_text("a\tb\tN;PRIV ;SG\na\tb\tN;PRIV;SG\n")
    cells, drops = read_paradigms(path)
    assert [cell.features for cell in cells] == ["N;PRIV;SG"]
    assert drops == {"the same line again": 1}


# Which words are the same


@pytest.mark.parametrize(
    ("word", "cell", "met"),
    [
        ("N;GEN;PL", "N;{GEN/DAT};PL", True),
        ("N;ACC;PL", "N;{GEN/DAT};PL", False),
        ("N;FEM;PL", "N;PL;non{MASC}", True),
        ("N;MASC;PL", "N;PL;non{MASC}", False),
        ("N;PL", "N;PL;non{MASC}", False),
        ("N;MASC;FEM;PL", "N;PL;not{MASC}", True),
        ("V;2;SG", "V;(non)3;SG", True),
        ("V;3;PL", "V;{1;SG/3;PL}", True),
        ("V;3;SG", "V;{1;SG/3;PL}", False),
        ("N;IN;ABL", "N;{IN+ABL/ON+ABL}", True),
        ("N;SG", "N;;SG;", True),
        ("N;INS;PL", "N;INST;PL", True),
        ("N;ESS;SG", "N;LOC;SG", True),
        ("N;INDF", "N;{NDEF/DEF}", True),
        ("V;PST;SBJV", "V;SUBJ+PAST", True),
        ("V;PRS", "V;PAST", False),
    ],
)
def test_alternatives_and_negations_are_met(word, cell, met):
    assert meets(set(word.split(";")), cell) == met


def test_composed_and_decomposed_words_are_the_same():
    cells = [ParadigmCell("cafe\u0301", "cafe\u0301s", "N;PL")]
    assert Paradigms(cells).cells("CAF\u00c9", "caf\u00e9s") == cells
    assert Paradigms([ParadigmCell("\u1e69", "x", "N")]).table("s\u0307\u0323") == [
        ParadigmCell("\u1e69", "x", "N")
    ]


def test_upper_and_lower_case_are_those_of_the_language():
    cells = [ParadigmCell("ırmak", "ırmaklar", "N;PL"), ParadigmCell("iş", "işler", "N;PL")]
    assert Paradigms(cells, "tr").cells("IRMAK", "Irmaklar") == cells[:1]
    assert Paradigms(cells, "tr").cells("İŞ", "İşler") == cells[1:]
    assert Paradigms(cells, "en").cells("IRMAK", "Irmaklar") == []
