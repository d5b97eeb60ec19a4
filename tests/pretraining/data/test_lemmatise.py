"""The lemmatised twin: the paper's example, choice of a reading, and the real analyser."""

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.corpora.morphology.apertium import analyse_corpus
from kasu.files.tables import read_parquet, read_tsv, write_parquet, write_tsv
from kasu.pretraining.data.lemmatise import (
    SUFFIXES,
    Parts,
    Segmenter,
    learn_suffixes,
    lemmatise,
    read_suffixes,
    split_word,
)
from kasu.pretraining.data.pairs import PAIRS

TAGSET = Path(__file__).resolve().parents[3] / "resources" / "tagsets" / "eus.yaml"
PLACE, INSIDE = "+a<det><art><sg>+ko<post>", "+a<det><art><sg>+an<post>"
KNOWN = {PLACE: "ko", INSIDE: "an", "+a<det><art><sg>": "a", "+k<post>": "k", "+an<post>": "an"}
EXAMPLE = (
    "^Etxeko/etxeko<n>/etxe<n>+a<det><art><sg>+ko<post>$ "
    "^atean/ate<n>+a<det><art><sg>+an<post>$ ^dago/egon<vbsint><pri><NR_HU>$^./.<sent>$"
)
# Two inessives end in -an, one in -n
TEXTS = ["Etxeko atean dago.", "Mendian dago.", "Plazan dago.", "Neskak etxea du.", "Gizona da."]
ANALYSED = pa.schema([(name, pa.string()) for name in ("sentence_id", "text")])


def segment(output: str, split: str = "paper", known: dict[str, str] | None = None) -> str:
    return Segmenter(KNOWN if known is None else known, split).segment(output, Counter())


def test_example_of_the_paper():
    assert segment(EXAMPLE) == "Etxe ko ate an dago ."


def test_one_form_is_written_for_all_words_of_a_tag():
    # section 5.5: Aldapan -> Aldapa an
    assert segment("^Aldapan/aldapa<n>+a<det><art><sg>+an<post>$") == "Aldapa an"


@pytest.mark.parametrize(
    ("surface", "readings", "parts"),
    [
        ("Etxeko", ["etxeko<n>", f"etxe<n>{PLACE}"], Parts("Etxe", PLACE, "ko")),
        ("ETXEAN", [f"etxe<n>{INSIDE}"], Parts("ETXE", INSIDE, "AN")),
        ("zaharra", ["zahar<adj><izo>+a<det><art><sg>"], Parts("zahar", "+a<det><art><sg>", "ra")),
        # a reading with an article is preferred
        ("neskak", ["neska<n>+k<post>", "neska<n>+a<det><art><pl>"],
         Parts("neska", "+a<det><art><pl>", "k")),
        ("neska", ["neska<n>", "neska<n>+a<det><art><sg>"], Parts("neska", "+a<det><art><sg>", "")),
        ("eguraldi", ["eguraldi<n>"], None),
        # may also be a verb
        ("hartzen", ["hartz<n>+a<det><art><pl>+en<post>", "hartu<vblex><ger>"], None),
        ("batean", ["bat<num><sg>+an<post>"], None),
        ("Bilbon", ["Bilbo<np><loc>+an<post>"], None),
        ("xyz", ["*xyz"], None),
    ],
)  # fmt: skip
def test_reading_and_parts(surface, readings, parts):
    assert split_word(surface, readings, "paper") == parts


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        ("^J++n/J++<np>+an<post>$", "J++ an"),
        ("^*nixean/*nix<np>+an<post>$", "*nix an"),
        (r"^a\/ban/a\/b<n>+an<post>$", "a/b an"),
        ("^F#n/F#<np>+an<post>$", "F# an"),
        ("^F# majorn/F# major<np>+an<post>$", "F# major an"),
        ("^courts of law/court<n>+an<post># of law$", "court of law an"),
        ("^Heads of state/head<n># of state+an<post>$", "Head of state an"),
        ("^mothers-in-law/mother<np># in law+an<post>$", "mother in law an"),
    ],
)
def test_marks_of_the_stream_in_a_lemma(unit, text):
    assert Segmenter(KNOWN, "released").unit(unit) == (text, "units with suffix")


def test_released_splits_pronouns_and_names_too():
    place = split_word("Bilbon", ["Bilbo<np><loc>+an<post>"], "released")
    assert place == Parts("Bilbo", "+an<post>", "n")
    irregular = split_word("Hartan", ["hura<det><dem><sg>+an<post>"], "released")
    assert irregular == Parts("Hura", "+an<post>", None)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("^neska/neska<n>/neska<n>+a<det><art><sg>$", "neska"),
        ("^Xyzen/*Xyzen$, ^(/(<lpar>$^da/izan<vbsint>$^)/)<rpar>$^!/!<sent>$", "Xyzen , ( da ) !"),
        ("^ere bai/ere bai<adv>$^./.<sent>$^./.<sent>$^./.<sent>$", "ere bai ..."),
        ("^Facebook/*Facebook$-^ek/*ek$ ^8:30/8:30<num>$ x\\/y", "Facebook-ek 8:30 x / y"),
        ("^gizonez/gizon<n>+a<det><art><pl>+z<post>$[]", "gizon ez"),
        ("^nonan/<n>+an<post>$", "nonan"),
        ("", ""),
    ],
)
def test_what_is_not_split(output, text):
    assert segment(output) == text


def test_units_are_counted_by_step():
    counts = Counter()
    Segmenter({}, "released").segment(
        EXAMPLE + "^Hartan/hura<det><dem><sg>+an<post>$^x/*x$", counts
    )
    assert counts == {"units": 6, "units with suffix": 2, "other units": 2, "unknown units": 1,
                      "units with a suffix never seen": 1}  # fmt: skip


def learn(folder: Path, dictionary: Path, split: str = "paper") -> Path:
    rows = [{"sentence_id": str(i), "text": text} for i, text in enumerate(TEXTS)]
    write_parquet(folder / "corpus.parquet", rows, ANALYSED)
    analysed, counts = folder / "analysed.parquet", folder / "counts.tsv"
    analyse_corpus(
        folder / "corpus.parquet", analysed, counts,
        dictionary=dictionary, tagset=TAGSET, workers=1,
    )  # fmt: skip
    learn_suffixes(analysed, folder / "suffixes.tsv", split=split)
    return folder / "suffixes.tsv"


def run(folder: Path, table: Path, suffixes: Path, dictionary: Path, split: str = "paper"):
    twin = folder / "twin.parquet"
    lemmatise(
        table, suffixes, twin, folder / "twin_counts.tsv", folder / "drops.tsv",
        dictionary=dictionary, split=split,
    )  # fmt: skip
    return read_parquet(twin).to_pylist()


def test_example_through_the_analyser(tmp_path, dictionary):
    suffixes = learn(tmp_path, dictionary)
    assert read_suffixes(suffixes) == {
        "+a<det><art><pl>": "k", "+a<det><art><sg>": "a", INSIDE: "an", PLACE: "ko",
    }  # fmt: skip
    inside = next(row for row in read_tsv(suffixes, SUFFIXES) if row["tag"] == INSIDE)
    assert (inside["count"], inside["share"]) == ("2", "0.6667")
    rows = run(tmp_path, tmp_path / "corpus.parquet", suffixes, dictionary)
    assert [row["text"] for row in rows] == [
        "Etxe ko ate an dago .", "Mendi an dago .", "Plaza an dago .", "Neska k etxe a du .",
        "Gizon a da .",
    ]  # fmt: skip


def test_pairs_that_become_equal_are_counted(tmp_path, dictionary):
    pair = dict.fromkeys(PAIRS.names)
    halves = [("Etxean da.", "Etxea da."), ("Etxean da.", "Etxean  da.")]
    rows = [pair | {"item_id": str(n), "sentence_good": good, "sentence_bad": bad}
            for n, (good, bad) in enumerate(halves, 1)]  # fmt: skip
    write_parquet(tmp_path / "pairs.parquet", rows, PAIRS)
    suffixes = learn(tmp_path, dictionary)
    made = run(tmp_path, tmp_path / "pairs.parquet", suffixes, dictionary)
    assert [(row["item_id"], row["sentence_good"], row["sentence_bad"]) for row in made] == [
        ("1", "Etxe an da .", "Etxe a da .")
    ]
    drops = read_tsv(tmp_path / "drops.tsv")
    assert drops == [{"reason": "equal when segmented", "count": "1"}]


def test_a_row_with_a_word_of_a_megabyte_is_counted(tmp_path, dictionary):
    write_tsv(tmp_path / "suffixes.tsv", [], SUFFIXES)
    texts = ["Gizona da.", "a" * 1_000_000, "Etxea da."]
    rows = [{"sentence_id": str(n), "text": text} for n, text in enumerate(texts)]
    write_parquet(tmp_path / "a.parquet", rows, ANALYSED)
    out = [tmp_path / name for name in ("twin.parquet", "counts.tsv", "drops.tsv")]
    lemmatise(
        tmp_path / "a.parquet",
        tmp_path / "suffixes.tsv",
        *out,
        dictionary=dictionary,
        split="paper",
    )
    assert read_parquet(out[0])["sentence_id"].to_pylist() == ["0", "2"]
    assert read_tsv(out[2]) == [{"reason": "a word of 10,000 characters", "count": "1"}]


def test_bad_settings_and_tables(tmp_path, dictionary):
    write_tsv(tmp_path / "s.tsv", [], SUFFIXES)
    with pytest.raises(KasuError, match="split: 'all'; expected paper or released"):
        run(tmp_path, tmp_path / "x.parquet", tmp_path / "s.tsv", dictionary, "all")
    with pytest.raises(KasuError, match="unreadable parquet"):
        run(tmp_path, tmp_path / "x.parquet", tmp_path / "s.tsv", dictionary)
    write_parquet(tmp_path / "x.parquet", [], pa.schema([("sentence_id", pa.string())]))
    with pytest.raises(KasuError, match="columns sentence_id; expected text, or sentence_"):
        run(tmp_path, tmp_path / "x.parquet", tmp_path / "s.tsv", dictionary)


def write_analyses(path: Path, *words: tuple[str, ...]) -> Path:
    """Each word with its readings, as the analyser of a corpus writes them."""
    schema = pa.schema([("surface", pa.string()), ("rank", pa.int32()), ("reading", pa.string())])
    rows = [
        {"surface": surface, "rank": rank, "reading": reading}
        for surface, *readings in words
        for rank, reading in enumerate(readings)
    ]
    write_parquet(path, rows, schema)
    return path


def test_the_most_frequent_form_of_a_tag_is_learnt(tmp_path):
    analyses = write_analyses(
        tmp_path / "a.parquet",
        ("mendian", f"mendi<n>{INSIDE}"),
        ("Mendian", f"mendi<n>{INSIDE}"),
        ("plazan", f"plaza<n>{INSIDE}"),
        ("gizonez", "gizon<n>+z<post>"),
        ("etxez", "etxe<n>+z<post>"),  # as often, but later in the alphabet
        ("ura", "ura<n>+a<det><art><sg>"),  # shows no form
        ("hartan", "hura<n>+x<post>"),  # does not begin with its lemma
        ("da", "izan<vbsint>"),
        ("xyz", None),
    )
    learn_suffixes(analyses, tmp_path / "s.tsv", split="paper")
    assert [tuple(row.values()) for row in read_tsv(tmp_path / "s.tsv", SUFFIXES)] == [
        (INSIDE, "an", "2", "0.6667"), ("+z<post>", "ez", "1", "0.5000"),
    ]  # fmt: skip


def test_a_text_without_suffixes_is_one_line(tmp_path):
    analyses = write_analyses(tmp_path / "a.parquet", ("da", "izan<vbsint>"))
    with pytest.raises(KasuError, match="no word to split under 'paper'; expected an analysed"):
        learn_suffixes(analyses, tmp_path / "s.tsv", split="paper")


@pytest.mark.parametrize(
    ("surface", "stem"), [("Hartan", "Hura"), ("hartan", "hura"), ("HARTAN", "Hura"), ("", "hura")]
)
def test_a_lemma_that_the_word_does_not_begin_with_takes_its_capital(surface, stem):
    found = split_word(surface, ["hura<det><dem><sg>+an<post>"], "released")
    assert found == Parts(stem, "+an<post>", None)
