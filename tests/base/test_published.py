"""The reader of published figures against what the papers print."""

import re
import shutil
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.published import PUBLISHED, file_slug, read_published, rounded, shows
from kasu.base.tables import write_tsv

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "published"

FIGURES = {
    "basque_probes_and_corpus.tsv": 23,
    "basque_table2.tsv": 20,
    "basque_table3.tsv": 21,
    "basque_table4_fn6.tsv": 48,
    "basque_table5.tsv": 18,
    "basque_table6.tsv": 18,
    "bl2mp_appendix_tables5-19.tsv": 576,
    "bl2mp_table1_and_text.tsv": 20,
    "bl2mp_table4.tsv": 12,
    "blm_counts.tsv": 10,
    "blm_figure8.tsv": 36,
    "blm_table1.tsv": 72,
    "georgian_table3.tsv": 84,
    "georgian_text_figures.tsv": 43,
    "sigmorphon2018_msu_rerun.tsv": 1164,
    "sigmorphon2018_racai_rerun.tsv": 86,
    "sigmorphon2018_table11.tsv": 96,
    "sigmorphon2018_table12.tsv": 84,
    "sigmorphon2018_table8.tsv": 192,
    "sigmorphon2018_tables13-14.tsv": 4128,
    "sigmorphon2018_tables15-16.tsv": 4692,
    "sigmorphon2018_tables17-19.tsv": 6180,
    "sigmorphon2018_tables2-3.tsv": 1236,
    "sigmorphon2018_tables4-5.tsv": 49,
    "sigmorphon2018_tables9-10.tsv": 309,
    "sigmorphon2018_task2_per_language.tsv": 317,
}


@pytest.fixture(scope="module")
def figures():
    return read_published(FOLDER)


@pytest.fixture(scope="module")
def by_key(figures):
    return {figure.key: figure for figure in figures}


def test_every_file_is_counted():
    assert {path.name for path in FOLDER.iterdir()} == set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_file_gives_its_figures(name, tmp_path):
    shutil.copy(FOLDER / name, tmp_path)
    assert len(read_published(tmp_path)) == FIGURES[name]


def test_keys_are_unique_over_all_files(figures, by_key):
    assert len(figures) == len(by_key) == 19534


@pytest.mark.parametrize(
    ("key", "value", "printed"),
    [
        (("basque2018", "Table 4", "BiLSTM", "Base|ergative", "accuracy"), 0.871, "87.1"),
        (("basque2018", "Table 4", "BiLSTM", "Base|absolutive", "recall"), 1.0, "100"),
        (("basque2018", "footnote 6", "unidirectional LSTM", "Base|dative", "recall"),
         0.601, "60.1"),
        (("basque2018", "Table 2", "BiLSTM suffix",
          "verb=da;closest_verb_correct;suffix=-ak", "recall_n_gold"), 8312, "8312"),
        (("bl2mp2024", "Table 8", "BERT8L-eu5M", "epoch=1", "train_loss"), 11.5, "11.5"),
        (("bl2mp2024", "section 5.1", "all own models", "all", "discarded_share"),
         0.33, "0.33"),
        (("blm_agrf2023", "Table 1", "FFNN", "allTrain|train=type_I|test=type_I", "f1_mean"),
         0.9957, "0.9957"),
        (("blm_agrf2023", "Table 1", "sameTrain", "train/validation", "problems"),
         None, "1658/415"),
        (("georgian2026", "section 7.1", "5 encoders", "word-level|nom",
          "mean_probability_all_three_forms"), 0.03, "0.03"),
        (("sigmorphon2018", "Table 8", "uzh-01", "low", "levenshtein"), 1.0, "1.00"),
        (("sigmorphon2018", "Table 8", "uzh-01", "low", "accuracy"), 0.5718, "57.18"),
        (("sigmorphon2018", "Table 13", "bme-02", "high|adyghe", "accuracy"), 0.979, "97.90"),
        (("sigmorphon2018", "Table 13", "oracle-e", "high|adyghe", "levenshtein"), None, ""),
        (("sigmorphon2018", "Table 2", "crimean-tatar", "low", "forms"), 100, "100"),
        (("sigmorphon2018", "Table 11", "cuboulder-1", "track1|original|high", "accuracy"),
         0.5973, "59.73"),
        (("sigmorphon2018", "by language", "copy-bl", "track1|original|low|de", "exact_accuracy"),
         0.5895, "58.95"),
        (("sigmorphon2018", "by language", "uzh", "track2|plausible|low|sv", "accuracy"),
         0.3936, "39.36"),
    ],
)  # fmt: skip
def test_a_figure_has_its_value(by_key, key, value, printed):
    assert (by_key[key].value, by_key[key].printed) == (value, printed)


def test_percentages_become_fractions(figures):
    shares = [f.value for f in figures if f.unit == "percent" and f.value is not None]
    assert min(shares) >= 0 and max(shares) == 1


def test_languages_are_spelt_alike_in_all_tables(figures):
    def languages(tables, part):
        return {
            part(f) for f in figures if f.paper == "sigmorphon2018" and f.table in tables
        }  # fmt: skip

    named = languages(("Table 2", "Table 3"), lambda f: f.system)
    scored = languages(
        [f"Table {number}" for number in range(13, 20)], lambda f: f.condition.split("|")[1]
    )
    assert len(named) == 103
    assert named == scored


def test_systems_are_spelt_alike_in_all_tables(figures):
    def systems(tables):
        return {f.system for f in figures if f.paper == "sigmorphon2018" and f.table in tables}

    assert systems(("Table 8",)) == systems([f"Table {number}" for number in range(13, 20)])


def test_figures_written_back_read_the_same(figures, tmp_path):
    rows = [{**vars(figure), "value": figure.printed} for figure in figures]
    write_tsv(
        tmp_path / "all.tsv", [{name: row[name] for name in PUBLISHED} for row in rows], PUBLISHED
    )  # fmt: skip
    assert read_published(tmp_path) == figures


def test_a_folder_without_figures_is_refused(tmp_path):
    with pytest.raises(KasuError, match=r"no published figures; expected \*\.tsv"):
        read_published(tmp_path)


def test_another_header_is_refused(tmp_path):
    (tmp_path / "x.tsv").write_text("paper\tvalue\np\t1\n")
    with pytest.raises(KasuError, match=r"x\.tsv:1: the header 'paper value'; expected 'paper"):
        read_published(tmp_path)


def test_an_unknown_unit_is_refused(tmp_path):
    line = "p\tTable 1\ts\tc\taccuracy\tper mille\t1\t\n"
    (tmp_path / "x.tsv").write_text("\t".join(PUBLISHED) + "\n" + line)
    with pytest.raises(KasuError, match=r"x\.tsv:2: the unit 'per mille'; expected percent, frac"):
        read_published(tmp_path)


def test_names_are_spelt_as_the_config_spells_them(figures):
    names = {f.system for f in figures if f.paper == "sigmorphon2018"}
    assert [name for name in names if re.search(r"[^a-z0-9-]", name)] == []


def test_a_key_given_twice_is_refused(tmp_path):
    line = "p\tTable 1\ts\tc\taccuracy\tpercent\t1\t\n"
    (tmp_path / "x.tsv").write_text("\t".join(PUBLISHED) + "\n" + line * 2)
    with pytest.raises(KasuError, match="a second figure for p; Table 1; s; c; accuracy"):
        read_published(tmp_path)


def test_a_table_has_a_name_in_paths():
    assert [file_slug("Table 4"), file_slug("footnote 6")] == ["table_4", "footnote_6"]


@pytest.mark.parametrize(
    ("value", "digits", "percent", "near", "text"),
    [
        (0.125, 2, False, None, "0.13"),
        (0.155, 2, False, 0.15, "0.15"),
        (0.155, 2, False, 0.16, "0.16"),
        (0.155, 2, False, 0.2, "0.16"),
        (0.8855, 1, True, 0.886, "88.6"),
        (0.8855, 1, True, None, "88.6"),
        # The mean of 88, 89 and so on errs in its last digit
        (88.54999999999998, 1, False, None, "88.6"),
        (-0.0004, 1, True, None, "0.0"),
        (0.029, 0, True, None, "3"),
    ],
)
def test_rounded(value, digits, percent, near, text):
    assert str(rounded(value, digits, percent=percent, near=near)) == text


@pytest.mark.parametrize(
    ("value", "published", "expected"),
    [(0.155, 0.15, True), (0.155, 0.16, True), (0.1549, 0.16, False), (0.1451, 0.15, True)],
)
def test_a_figure_halfway_shows_both_neighbours(value, published, expected):
    assert shows(value, published, 2) is expected


def test_shows_in_percent():
    assert shows(0.7723, 0.77, 0, percent=True)
    assert not shows(0.7723, 0.78, 0, percent=True)
