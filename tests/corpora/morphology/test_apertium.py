"""The real analyser: whole sentences, all readings, and its failures."""

import os
import re
import shutil
import signal
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.agreement.data.sentences import make_items, read_units
from kasu.agreement.data.transforms import VERB, Sentence, Word, mask_target
from kasu.base.errors import KasuError
from kasu.corpora.morphology.apertium import (
    Analyser,
    analyse_corpus,
    analyser_version,
    tabulate,
    unit_rows,
)
from kasu.corpora.morphology.stream import UNIT, find_units
from kasu.corpora.morphology.tagset import read_tagset
from kasu.files.tables import read_parquet, read_tsv, write_parquet

DICTIONARY = Path("/usr/share/apertium/apertium-eu-es/eu-es.automorf.bin")
FILE = Path(__file__).resolve().parents[3] / "resources" / "tagsets" / "eus.yaml"
EUS = read_tagset(FILE)
SENTENCES = pa.schema([(name, pa.string()) for name in ("sentence_id", "text", "split_key")])
SETTINGS = {
    "variant": ["paper", "released"], "polite": "singular", "suffix_reading": "any",
    "suffix_source": "analysis",
    "no_article": "strip",
}  # fmt: skip
SETTINGS["seed"] = 1
# Example (1) of the paper; the dictionary does not know "kutxazain" (S-1)
KUTXAZAINEK = "^Kutxazainek/kutxazain<n>+a<det><art><pl>+k<post>$"


@pytest.fixture(scope="module")
def dictionary() -> Path:
    if shutil.which("lt-proc") and DICTIONARY.exists():
        return DICTIONARY
    reason = f"no lt-proc, or no {DICTIONARY} (install apertium-eu-es and lttoolbox)"
    if os.environ.get("KASU_REQUIRE_REAL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def analyser(dictionary) -> Analyser:
    running = Analyser(dictionary)
    yield running
    running.close()


def write_sentences(path: Path, texts: list[str]) -> Path:
    rows = [{"sentence_id": f"s{i}", "text": t, "split_key": f"k{i}"} for i, t in enumerate(texts)]
    write_parquet(path, rows, SENTENCES)
    return path


def analyse(folder: Path, texts: list[str], dictionary: Path, workers: int = 1) -> Path:
    folder.mkdir(exist_ok=True)
    sentences = write_sentences(folder / "sentences.parquet", texts)
    out = folder / "analyses.parquet"
    counts = folder / "counts.tsv"
    analyse_corpus(sentences, out, counts, dictionary=dictionary, tagset=FILE, workers=workers)
    return out


def item(folder: Path, outputs: list[str]) -> dict[str, dict]:
    """The items, by variant, made from the analyser's output for one sentence."""
    folder.mkdir(exist_ok=True)
    table, _ = tabulate(["s0"], outputs, EUS, lambda unit: unit_rows(unit, EUS))
    write_parquet(folder / "analyses.parquet", table, table.schema)
    sentences = write_sentences(folder / "sentences.parquet", ["any"])
    ((sentence_id, cluster, units),) = read_units(sentences, folder / "analyses.parquet")
    return make_items(sentence_id, cluster, units, EUS, SETTINGS)


def masked(row: dict) -> list[Word]:
    return mask_target(Sentence(*(row[name] for name in Sentence._fields)))


def readings(analyser: Analyser, text: str) -> list[list[str]]:
    (output,) = analyser.analyse([text])
    return [unit[1:-1].split("/")[1:] for unit in find_units(output)]


# Output of the analyser


def test_all_readings_are_kept_in_the_order_of_the_analyser(analyser):
    assert readings(analyser, "neskak") == [
        ["neska<n>+k<post>", "neska<n>+a<det><art><pl>", "neska<n>+a<det><art><sg>+k<post>"]
    ]


@pytest.mark.parametrize("text", ["Hau da.", "Hau da...", "Hor da (hau).", "J. K. da, a.b."])
def test_a_final_full_stop_is_a_unit_like_any_other(analyser, text):
    assert readings(analyser, text)[-1] == [".<sent>"]


def test_sentences_are_answered_one_by_one(analyser):
    assert analyser.analyse(["da", "", "da"]) == [
        "^da/izan<vbsint><pri><NR_HU>$[]",
        "[]",
        "^da/izan<vbsint><pri><NR_HU>$[]",
    ]


@pytest.mark.parametrize("character", "^$/<>{}\\@[]")
def test_special_characters_leave_the_next_sentence_in_place(analyser, character):
    text = f"etxea {character}{character} da{character} {character}"
    outputs = analyser.analyse([text, "daude", character, "daude"])
    daude = "^daude/egon<vbsint><pri><NR_HK>$[]"
    assert outputs[1] == outputs[3] == daude
    surfaces = [unit_rows(unit, EUS)[0][0] for unit in find_units(outputs[0])]
    assert [surface for surface in surfaces if surface.isalpha()] == ["etxea", "da"]


@pytest.mark.parametrize("character", ["\0", "\uffff"])
def test_characters_that_end_the_input_do_not_shift_the_answers(analyser, character):
    outputs = analyser.analyse([f"etxea{character}da", "daude"])
    assert [len(find_units(output)) for output in outputs] == [2, 1]


def surface_text(output: str) -> str:
    """The text that the analyser's output stands for."""

    def written(found: re.Match[str]) -> str:
        if found[1]:
            return unit_rows(found[1], EUS)[0][0]
        return found[0][1:] if found[0] != "[]" else ""

    return UNIT.sub(written, output)


# lt-proc drops a soft hyphen; the other two end its input
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\xad\0\uffff"), max_size=40)
BASQUE = st.sampled_from(
    ["etxea", "da", "dizkiote", "lan", "egin", "hala", "ere", "ez", "ezik", ".", "...", ",", "?!",
     "A.B.", "3,5", "%", " ", "  ", "'", "-", "\\", "/", "^", "$", "[", "]", "{", "<n>", "@", "+"]
)  # fmt: skip


@settings(max_examples=200)
@given(st.one_of(TEXTS, st.lists(BASQUE, max_size=8).map(" ".join), st.lists(BASQUE).map("".join)))
def test_nothing_of_a_text_is_lost(analyser, text):
    output, last = analyser.analyse([text, "daude"])
    assert surface_text(output) == text
    assert last == "^daude/egon<vbsint><pri><NR_HK>$[]"


# Rows


def test_rows_of_an_ambiguous_verb():
    unit = "^dio/erran<vbsint><pri><NR_HU><NK_HU>/ukan<vbsint><pri><NR_HU><NI_HU><NK_HU>$"
    erran = "<vbsint><pri><NR_HU><NK_HU>"
    ukan = "<vbsint><pri><NR_HU><NI_HU><NK_HU>"
    assert unit_rows(unit, EUS) == [
        ("dio", 0, "erran", "vbsint", erran, f"erran{erran}", None, "NK_HU", "NR_HU", None),
        ("dio", 1, "ukan", "vbsint", ukan, f"ukan{ukan}", None, "NK_HU", "NR_HU", "NI_HU"),
    ]


def test_lemma_is_that_of_the_finite_part():
    ((_, _, lemma, pos, tags, reading, suffix, *slots),) = unit_rows(
        "^baluke/ba<cnjsub>+ukan<vbsint><potph><NR_HU><NK_HU>$", EUS
    )
    assert (lemma, pos, tags) == ("ukan", "vbsint", "<vbsint><potph><NR_HU><NK_HU>")
    assert reading == "ba<cnjsub>+ukan<vbsint><potph><NR_HU><NK_HU>"
    assert (suffix, *slots) == (None, "NK_HU", "NR_HU", None)


def test_a_part_that_is_not_finite_fills_no_slot():
    ((*_, suffix, ergative, absolutive, dative),) = unit_rows("^x/x<vblex><NR_HU><NK_HU>$", EUS)
    assert (suffix, ergative, absolutive, dative) == (None, None, None, None)


def test_unknown_unit_has_one_row_without_part_of_speech():
    assert unit_rows("^Kutxazainek/*Kutxazainek$", EUS) == [
        ("Kutxazainek", 0, "Kutxazainek", None, None, None, None, None, None, None)
    ]


def test_escapes_are_removed():
    assert unit_rows(r"^\[/\[<lpar>$", EUS)[0][:4] == ("[", 0, "[", "lpar")


def test_text_without_a_unit_is_counted():
    table, counts = tabulate(["a", "b"], ["[]", " » [] "], EUS, lambda unit: unit_rows(unit, EUS))
    assert table.num_rows == 0
    assert counts == {
        "sentences": 2,
        "sentences without a lexical unit": 2,
        "units": 0,
        "unknown units": 0,
        "readings": 0,
    }


def test_corpus_has_one_row_per_reading_and_counts(tmp_path, dictionary):
    path = analyse(tmp_path, ["Uda da.", "%", "Zzxq"], dictionary)
    rows = read_parquet(path, ["sentence_id", "unit", "surface", "rank", "lemma"]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("s0", 0, "Uda", 0, "uda"),
        ("s0", 0, "Uda", 1, "uda"),
        ("s0", 1, "da", 0, "izan"),
        ("s0", 2, ".", 0, "."),
        ("s2", 0, "Zzxq", 0, "Zzxq"),
    ]
    assert read_tsv(tmp_path / "counts.tsv")[:5] == [
        {"step": "sentences", "count": "3"},
        {"step": "sentences without a lexical unit", "count": "1"},
        {"step": "units", "count": "4"},
        {"step": "unknown units", "count": "1"},
        {"step": "readings", "count": "5"},
    ]


def test_bytes_do_not_depend_on_the_number_of_workers(tmp_path, dictionary, monkeypatch):
    monkeypatch.setattr("kasu.corpora.morphology.apertium.SENTENCES_A_BATCH", 7)
    texts = [f"Neskak etxea ikusi du {i}. Gizonek liburuak dituzte." for i in range(60)]
    one = analyse(tmp_path / "one", texts, dictionary, workers=1)
    two = analyse(tmp_path / "two", texts, dictionary, workers=2)
    assert one.read_bytes() == two.read_bytes()


def test_row_groups_are_large_as_each_keeps_memory_until_the_end(tmp_path, dictionary):
    out = analyse(tmp_path / "long", ["etxea mendia " * 50] * 200, dictionary)
    groups = pq.ParquetFile(out).metadata
    assert (groups.num_row_groups, groups.num_rows > 16_384) == (1, True)


# Example (1) and the labels (S-1, S-2)


def test_masked_input_of_example_1(analyser, tmp_path):
    (rest,) = analyser.analyse([" bezeroari liburuak eman dizkiote"])
    row = item(tmp_path, [KUTXAZAINEK + rest])["paper"]
    assert masked(row) == [
        Word("Kutxazainek", "kutxazain", "Kutxazainek"),
        Word("bezeroari", "bezero", "bezeroari"),
        Word("liburuak", "liburu", "liburuak"),
        Word("eman", "eman", "eman"),
        Word(VERB, "ukan", ""),
    ]
    assert row["suffixes"] == ["-ek", "-ari", "-ak", "none", "none"]
    assert (row["ergative"], row["absolutive"], row["dative"]) == ("plural", "plural", "singular")


def test_masked_input_of_a_similar_sentence_through_the_analyser(analyser, tmp_path):
    outputs = analyser.analyse(["Saltzaileek bezeroari liburuak eman dizkiote"])
    row = item(tmp_path, outputs)["paper"]
    assert [word.token for word in masked(row)] == [
        "Saltzaileek", "bezeroari", "liburuak", "eman", "⟨verb⟩"
    ]  # fmt: skip
    assert row["suffixes"] == ["-ek", "-ari", "-ak", "none", "none"]


@pytest.mark.parametrize(
    ("verb", "labels"),
    [
        ("dizkiote", ("plural", "plural", "singular")),
        ("daude", ("none", "plural", "none")),
        ("da", ("none", "singular", "none")),
    ],
)
def test_labels_of_a_verb(analyser, tmp_path, verb, labels):
    for row in item(tmp_path, analyser.analyse([f"Hor {verb}."])).values():
        assert (row["ergative"], row["absolutive"], row["dative"]) == labels


@pytest.mark.parametrize("other", ["diote", "dizkie", "ditu", "nau", "genituen"])
def test_form_of_the_target_does_not_reach_the_input(analyser, tmp_path, other):
    """Two sentences that differ only in the form of the target verb give the same input."""
    texts = [f"Saltzaileek bezeroari liburuak eman {verb}." for verb in ("dizkiote", other)]
    first, second = (
        item(tmp_path / str(i), [output]) for i, output in enumerate(analyser.analyse(texts))
    )
    assert first["released"]["tokens"] != second["released"]["tokens"]
    # under `paper` diote is a form of erran (S-5): another lemma
    variant = "released" if other == "diote" else "paper"
    assert masked(first[variant]) == masked(second[variant])


@pytest.mark.parametrize(
    ("word", "suffix"),
    [
        ("bezeroari", "-ari"),
        ("liburuak", "-ak"),
        ("ura", "-a"),
        ("uda", "none"),
        ("neska", "none"),
        ("gizonek", "-ek"),
        ("gizonei", "-ei"),
        ("Zzxqak", "masked"),
        ("Zzxq", "none"),
    ],
)
def test_nuclear_suffix_of_a_word(analyser, tmp_path, word, suffix):
    row = item(tmp_path, analyser.analyse([f"{word} da."]))["paper"]
    assert row["suffixes"] == [suffix, "none", "none"]


# Failures


def test_missing_program_is_one_line():
    with pytest.raises(KasuError, match="lt-nothing: not installed; expected the package"):
        Analyser(DICTIONARY, "lt-nothing")


def test_missing_dictionary_is_one_line(tmp_path, dictionary):
    with pytest.raises(KasuError, match=r"none\.bin: no such dictionary"):
        analyse(tmp_path, ["da"], tmp_path / "none.bin")
    assert not list(tmp_path.glob("*analyses*"))


@pytest.mark.parametrize("content", [b"", b"\0" * 300, b"no dictionary"])
def test_a_file_that_is_not_a_dictionary_is_one_line(tmp_path, dictionary, content):
    (tmp_path / "a.bin").write_bytes(content)
    with pytest.raises(KasuError, match=r"a\.bin: not an lttoolbox dictionary"):
        analyse(tmp_path, ["da"], tmp_path / "a.bin")


@pytest.mark.parametrize("length", [8, 100_000])
def test_truncated_dictionary_is_one_line_and_leaves_nothing(tmp_path, dictionary, length):
    (tmp_path / "a.bin").write_bytes(dictionary.read_bytes()[:length])
    with pytest.raises(KasuError, match="lt-proc: died at the sentence 'da'") as error:
        analyse(tmp_path / "out", ["da"], tmp_path / "a.bin")
    assert "\n" not in str(error.value)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["sentences.parquet"]


def test_dictionary_that_knows_no_word_is_one_line(tmp_path, dictionary):
    with pytest.raises(KasuError, match=r"automorf\.bin: knows none of the first 2 words"):
        analyse(tmp_path, ["Zzxq qqxz"], dictionary)
    assert not list(tmp_path.glob("*analyses*"))


def test_killed_analyser_is_one_line(dictionary):
    analyser = Analyser(dictionary)
    assert len(analyser.analyse(["da"])) == 1
    analyser._process.send_signal(signal.SIGKILL)
    line = r"lt-proc: died at the sentence 'daude' \(killed by SIGKILL, perhaps for memory\)"
    with pytest.raises(KasuError, match=line):
        analyser.analyse(["daude", "da"])
    analyser.close()


DIES = f"""#!{sys.executable}
import sys
answers = 0
for character in iter(lambda: sys.stdin.buffer.read(1), b""):
    if character == b"\\0":
        answers += 1
        if answers > 3:
            sys.exit("line one\\nline two")
        sys.stdout.buffer.write(b"^da/izan<vbsint><pri><NR_HU>$\\0")
        sys.stdout.buffer.flush()
"""


@pytest.fixture
def dying(tmp_path, monkeypatch) -> Path:
    """A dictionary, and an lt-proc on PATH that dies after three answers."""
    program = tmp_path / "bin" / "lt-proc"
    program.parent.mkdir()
    program.write_text(DIES)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "a.bin").write_bytes(b"LTTB")
    return tmp_path / "a.bin"


@pytest.mark.parametrize("workers", [1, 2])
def test_analyser_that_dies_midway_names_the_sentence_and_leaves_nothing(tmp_path, dying, workers):
    texts = [f"sentence {i}" for i in range(8)]
    with pytest.raises(KasuError) as error:
        analyse(tmp_path / "out", texts, dying, workers)
    assert str(error.value) == "lt-proc: died at the sentence 'sentence 3' (line one line two)"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["sentences.parquet"]


def test_death_over_a_long_text_does_not_hang(dying):
    analyser = Analyser(dying)
    with pytest.raises(KasuError, match="died at the sentence"):
        analyser.analyse(["x" * 1000] * 2000)  # more than a pipe holds


def test_the_version_of_the_program(dictionary, monkeypatch):
    (version,) = analyser_version().items()
    assert version[0] == "lt-proc"
    assert re.fullmatch(r"\d+(\.\d+)+", version[1])
    monkeypatch.setenv("PATH", "")
    assert analyser_version() == {}
