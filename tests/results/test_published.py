"""The reader of published figures against what the papers print."""

import re
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_tsv
from kasu.results.published import (
    PUBLISHED,
    column_digits,
    digits_in,
    file_slug,
    is_bare,
    parse,
    published_files,
    read_published,
    rounded,
    shows,
)

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
    "sigmorphon2018_msu_dev.tsv": 1736,
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
    "sigmorphon2018_waseda_dev.tsv": 1164,
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
    assert len(figures) == len(by_key) == 22434


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
        (("fam2018", "dev", "waseda-01 holistic", "low|adyghe", "accuracy"), 0.716, "71.6"),
        (("sorokin2018", "dev", "msu-02", "low|adyghe", "accuracy"), 0.798, "79.80"),
        (("sorokin2018", "dev", "msu-02", "low|adyghe", "accuracy_of_5_best"), 0.969, "96.90"),
    ],
)  # fmt: skip
def test_a_figure_has_its_value(by_key, key, value, printed):
    assert (by_key[key].value, by_key[key].printed) == (value, printed)


@pytest.mark.parametrize(
    ("system", "means"),
    [
        # Their Table 2 prints the means of their Table 3
        ("waseda-01 baseline", ["39.3", "63.4", "77.1"]),
        ("waseda-01 holistic", ["39.6", "64.5", "77.3"]),
        ("waseda-01 seq2seq", ["13.1", "71.3", "90.9"]),
        ("waseda-01 augmented", ["36.9", "78.5", "89.1"]),
        ("msu-02", ["41.2", "69.6", "84.1"]),
        ("rerun msu-04", ["39.0", "79.4", "94.4"]),
        ("rerun msu-03", ["39.6", "79.4", "94.6"]),
    ],
)
def test_the_mean_accuracy_on_dev(figures, system, means):
    found = defaultdict(list)
    for figure in figures:
        if (figure.table, figure.system, figure.metric) == ("dev", system, "accuracy"):
            found[figure.condition.partition("|")[0]].append(figure.value)
    assert [
        str(rounded(sum(found[setting]) / len(found[setting]), 1, percent=True))
        for setting in ("low", "medium", "high")
    ] == means


def test_the_right_form_is_among_the_five_best_where_it_is_the_best(by_key):
    on_dev = {key: figure.value for key, figure in by_key.items() if key[1] == "dev"}
    # In Crimean Tatar at high, say, all of dev is right, so both are 100
    for (*where, metric), value in on_dev.items():
        if metric == "accuracy_of_5_best":
            assert value >= on_dev[*where, "accuracy"]


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
    by_paper = defaultdict(list)
    for figure in figures:
        row = {**vars(figure), "value": figure.printed}
        by_paper[figure.paper].append({name: row[name] for name in PUBLISHED})
    for number, rows in enumerate(by_paper.values()):
        write_tsv(tmp_path / f"{number}.tsv", rows, PUBLISHED)
    assert read_published(tmp_path) == figures


def test_files_are_named_by_the_paper_of_their_figures(figures):
    """A study runs again for a figure of its own paper alone."""
    files = published_files("basque2018")
    assert [Path(file).name for file in files] == [
        "basque_probes_and_corpus.tsv",
        "basque_table2.tsv",
        "basque_table3.tsv",
        "basque_table4_fn6.tsv",
        "basque_table5.tsv",
        "basque_table6.tsv",
    ]
    assert read_published(files) == [each for each in figures if each.paper == "basque2018"]
    assert published_files("none") == []


def test_a_file_of_two_papers_is_refused(tmp_path):
    lines = [f"{paper}\tTable 1\ts\tc\taccuracy\tpercent\t1\t\n" for paper in "pq"]
    (tmp_path / "x.tsv").write_text("".join(["\t".join(PUBLISHED) + "\n", *lines]))
    with pytest.raises(KasuError, match=r"x\.tsv:3: the paper 'q'; expected p"):
        read_published(tmp_path)


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


# How exactly a figure is printed

# By file: the figures with fewer decimals than their column (table, metric, printed, decimals of
# the column, whether the figure has digits to show, how many). No other file has any.
FEWER = {
    "basque_table4_fn6.tsv": [
        ("Table 4", "recall", "100", 1, False, 7),
        ("footnote 6", "recall", "100", 1, False, 1),
    ],
    "blm_figure8.tsv": [
        ("Figure 8", "f1_mean", "0.5", 2, True, 1),
        ("Figure 8", "f1_mean", "1.0", 2, True, 1),
    ],
    "blm_table1.tsv": [
        ("Table 1", "f1_std", "0", 4, False, 24),
        ("Table 1", "f1_std", "0.005", 4, True, 1),
    ],
    "georgian_text_figures.tsv": [
        ("section 7.1", "mean_probability_all_three_forms", "0.03", 3, True, 1),
        ("section 7.4", "p_word_tokens", "0.2", 2, True, 1),
    ],
    "sigmorphon2018_task2_per_language.tsv": [
        ("by language", "accuracy", "23", 2, False, 1),
        *(
            ("by language", "accuracy", printed, 2, True, 1)
            for printed in (
                "32.4", "41.7", "41.8", "42.5", "44.2", "56.1", "56.9", "57.6", "60.9", "63.3",
                "70.8", "76.7", "85.3",
            )
        ),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_of_a_file_with_fewer_decimals_than_their_column(name, tmp_path):
    shutil.copy(FOLDER / name, tmp_path)
    found = Counter(
        (figure.table, figure.metric, figure.printed, figure.digits,
         figure.shows(figure.value) is not None)
        for figure in read_published(tmp_path)
        if figure.printed and len(figure.printed.partition(".")[2]) < figure.digits
    )  # fmt: skip
    assert sorted((*key, count) for key, count in found.items()) == FEWER.get(name, [])


@pytest.mark.parametrize("name", FIGURES)
def test_every_other_figure_shows_its_own_digits_and_no_unit_more(name, tmp_path):
    shutil.copy(FOLDER / name, tmp_path)
    for figure in read_published(tmp_path):
        if figure.value is None or (figure.digits and "." not in figure.printed):
            assert figure.shows(figure.value or 0.0) is None, figure
        else:
            assert figure.shows(figure.value), figure
            assert figure.shows(figure.value + 0.9 * figure.half), figure
            assert not figure.shows(figure.value + 1.1 * figure.half), figure
            assert not figure.shows(figure.value - 1.1 * figure.half), figure


@pytest.mark.parametrize(
    ("printed", "digits"),
    [
        (["87.1", "100", "96.04", "98.6"], 1),  # most of those with any
        (["0"] * 24 + ["0.0065", "0.0089", "0.005"], 4),
        (["0.9", "0.95"], 2),  # of equals, the more
        (["79", "100", "0"], 0),
        (["", "", "73.21"], 2),  # nothing printed says nothing
        ([""], 0),
    ],
)
def test_the_digits_of_a_column(printed, digits):
    assert column_digits(("a", each) for each in printed) == {"a": digits}
    assert column_digits(("a", each) for each in printed[::-1]) == {"a": digits}


def test_columns_are_apart():
    figures = [("a", "1"), ("b", "1.5"), ("a", "2")]
    assert column_digits(figures) == {"a": 0, "b": 1}


@pytest.mark.parametrize(
    ("printed", "column", "digits", "bare"),
    [
        ("96.04", 1, 2, False),
        ("100", 1, 1, True),
        ("100", 0, 0, False),
        ("0.5", 2, 2, False),
        ("", 1, 1, False),
    ],
)  # fmt: skip
def test_a_figure_has_at_least_the_digits_of_its_column(printed, column, digits, bare):
    assert digits_in(column, printed) == digits
    assert is_bare(printed, digits) is bare


def test_the_deviation_0_of_blm_shows_nothing(by_key):
    where = ("blm_agrf2023", "Table 1", "FFNN", "allTrain|train=type_I|test=type_I")
    assert [by_key[*where, "f1_std"].shows(value) for value in (0.0, 0.0493, 0.7)] == [None] * 3
    mean = by_key[*where, "f1_mean"]
    assert (mean.shows(0.99574), mean.shows(0.9958)) == (True, False)


def test_zeros_that_a_program_drops_count(by_key):
    figure = by_key[
        "blm_agrf2023", "Figure 8", "CNN", "allTrain|train=type_I|test=type_III", "f1_mean"
    ]
    assert (figure.printed, figure.half) == ("0.5", pytest.approx(0.005))
    # Table 1 has 0.4992
    assert (figure.shows(0.4992), figure.shows(0.52)) == (True, False)


@pytest.mark.parametrize("printed", ["nan", "NaN", "inf", "-inf", "", "–", "about 3"])
def test_what_is_printed_as_no_number_has_no_value(printed):
    assert parse(printed, "percent") is parse(printed, "number") is None
