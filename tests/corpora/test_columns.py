"""What the columns of paradigm files and triples hold, and what is no cell."""

import logging
from itertools import islice, permutations

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.paradigms.unimorph import Columns, ParadigmCell, read_listed, read_paradigms
from kasu.corpora.texts.compressed import lines


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


RIGHT = [("gato", "gatos", "N;PL"), ("gato", "gato", "N;SG"), ("ir", "voy", "V;1;SG;PRS")]


def rows(lines, *order):
    return "".join("\t".join(line[at] for at in order) + "\n" for line in lines)


@pytest.mark.parametrize("read", [read_paradigms, read_listed])
@pytest.mark.parametrize(
    ("order", "found"),
    [
        ((0, 2, 1), "features in the second column (N;PL), as in the 2023 shared task"),
        ((2, 0, 1), "features in the first column (N;PL)"),
        ((0, 1, 1, 2), "features in the fourth column (N;PL)"),
    ],
)
def test_features_in_another_column_are_refused(tmp_path, read, order, found):
    with pytest.raises(KasuError) as raised:
        read(write(tmp_path / "x", rows(RIGHT, *order)))
    assert str(raised.value) == f"{tmp_path}/x:1: {found}; expected lemma, form, features"


@pytest.mark.parametrize("features", ["pos=V,tense=PST", "LGSPEC1;PL", "1;SG", "{SG/PL};DAT"])
def test_odd_features_are_features(tmp_path, features):
    right = write(tmp_path / "x", f"ir\tfui\t{features}\n")
    assert (
        read_paradigms(right)[0] == read_listed(right)[0] == [ParadigmCell("ir", "fui", features)]
    )
    with pytest.raises(KasuError, match="features in the second column"):
        read_listed(write(tmp_path / "y", f"ir\t{features}\tfui\n"))


def test_the_whole_file_decides_the_order(tmp_path):
    odd = "ir\tV;PRS\tvoy\n"
    path = write(tmp_path / "x", odd + rows(RIGHT * 3, 0, 1, 2))
    cells, drops = read_listed(path)
    assert (len(cells), drops) == (9, {"features in another column": 1})
    path = write(tmp_path / "y", odd + odd + rows(RIGHT * 3, 0, 1, 2))
    with pytest.raises(KasuError, match="y:1: features in the second column"):
        read_listed(path)


def test_a_released_file_keeps_every_line(tmp_path):
    lines = "ir\tV;PRS\tvoy\nir\t-\tV;PST\nir\tX\tN;{GEN\nlemma\tform\tfeatures\n"
    path = write(tmp_path / "x", lines + rows(RIGHT * 4, 0, 1, 2))
    assert len(read_listed(path, released=True)[0]) == 16
    assert read_listed(path)[1] == {
        "features in another column": 1, "no form": 1, "features that cannot be read": 1,
        "header": 1,
    }  # fmt: skip


@pytest.mark.parametrize("read", [read_paradigms, read_listed])
def test_a_word_that_looks_like_features_is_a_form(tmp_path, read):
    path = write(tmp_path / "x", "n\tN\tN;SG\nv\tV\tN;SG\n1\t1\tNUM\n")
    assert [cell.form for cell in read(path)[0]] == ["N", "V", "1"]


@pytest.mark.parametrize("read", [read_paradigms, read_listed])
@pytest.mark.parametrize(
    "form", ["-", "---", "–", "— —", "−", "‐", "-/-", "\u2013/\u2014", "?", "*", "_", "? / ?"]
)
def test_a_dash_is_no_form(tmp_path, read, form):
    path = write(tmp_path / "x", f"ir\t{form}\tV;IMP\n" + rows(RIGHT, 0, 1, 2))
    cells, drops = read(path)
    assert (len(cells), drops) == (3, {"no form": 1})


@pytest.mark.parametrize(
    ("lemma", "form"),
    [("-", "–"), ("ir", "-ir"), ("ir", "a-b"), ("y/o", "/"), ("a", "*a"), ("?", "?")],
)
def test_a_form_with_a_dash_is_one(tmp_path, lemma, form):
    assert read_listed(write(tmp_path / "x", f"{lemma}\t{form}\tN;SG\n"))[0][0].form == form


def test_an_empty_form_is_none(tmp_path):
    path = write(tmp_path / "x", "ir\t\tV;IMP\n" + rows(RIGHT, 0, 1, 2))
    assert read_listed(path)[1] == {"no form": 1}
    assert read_paradigms(path)[1] == {"empty lemma, form or features": 1}


@pytest.mark.parametrize("read", [read_paradigms, read_listed])
def test_bundles_that_cannot_be_read_are_counted(tmp_path, read):
    odd = "".join(f"ir\tx{at}\t{text}\n" for at, text in enumerate(["N;{GEN", "N;non{}", "N;GEN/"]))
    path = write(tmp_path / "x", odd + "ir\ty\tV;NOM({1/2},SG)\nir\tz\tV;NOM({1,SG)\n")
    cells, drops = read(path)
    assert (len(cells), drops) == (1, {"features that cannot be read": 4})


@pytest.mark.parametrize("read", [read_paradigms, read_listed])
def test_morphynet_and_segmentations_are_read(tmp_path, read):
    path = write(tmp_path / "x", "gol\tgolun\tN|GEN;SG\tgol|un\ngol\tgold\tN|DAT;SG\t-\n")
    assert read(path)[0] == [
        ParadigmCell("gol", "golun", "N;GEN;SG"),
        ParadigmCell("gol", "gold", "N;DAT;SG"),
    ]


# Tag sets of Apertium, Multext-East, Oflazer's analyser, Wiktionary and one of nobody
OWN = [
    "n.sg.nom n.pl.nom n.sg.gen",
    "Ncmsn Ncmpn Ncmsg",
    "+Noun+A3sg+Nom +Noun+A3pl+Nom +Noun+A3sg+Gen",
    "nominative/accusative {plural} genitive",
    "#1 #2 #3",
]
LEMMATA = [a + b + c for a in "bdgk" for b in "aeiou" for c in "mn"]


def own(tags, lemmata=LEMMATA):
    return [
        (w, w + e, t) for w in lemmata for t, e in zip(tags.split(), ["", "i", "a"], strict=True)
    ]


@pytest.mark.parametrize("tags", OWN)
@pytest.mark.parametrize("read", [read_paradigms, read_listed])
def test_features_of_another_schema_are_taken_as_they_are(tmp_path, caplog, read, tags):
    caplog.set_level(logging.INFO)
    cells, drops = read(write(tmp_path / "x", rows(own(tags), 0, 1, 2)))
    assert (cells, drops) == (own(tags), {})
    assert caplog.messages[0] == f"{tmp_path}/x: features of no known schema, taken as they are"


@pytest.mark.parametrize(
    ("tags", "first"),
    [
        ("V|PRS|SG V|PST|SG V|PST|PL", None),
        ("V PRS", None),
        ("V,PRS,SG V,PST,SG V,PST,PL", "V,PRS,SG"),
        ("n.sg n.pl n.sg.gen", "n.pl"),
        ("V_PRS_SG V_PST_SG V;PL", None),
    ],
)
def test_features_without_a_semicolon_between_them_are_said(tmp_path, caplog, tags, first):
    caplog.set_level(logging.INFO)
    table = [(w, f"{w}{n}", tag) for w in LEMMATA for n, tag in enumerate(tags.split())]
    read_listed(write(tmp_path / "x", rows(table, 0, 1, 2)))
    said = [message for message in caplog.messages if "semicolon" in message]
    like = f"{first!r} and the like are one feature each"
    assert said == [f"{tmp_path}/x: no semicolon between features: {like}"] * bool(first)


@pytest.mark.parametrize("tags", OWN)
@pytest.mark.parametrize("read", [read_paradigms, read_listed])
def test_features_of_another_schema_are_told_by_their_number(tmp_path, read, tags):
    with pytest.raises(KasuError) as raised:
        read(write(tmp_path / "x", rows(own(tags), 0, 2, 1)))
    found = f"40 lemmata, {len(tags.split())} forms and {40 * len(tags.split())} features"
    expected = "expected most forms, in columns of lemma, form, features"
    assert str(raised.value) == f"{tmp_path}/x: {found}; {expected}"


@pytest.mark.parametrize("order", [(2, 0, 1), (0, 2, 1), (1, 2, 0)])
def test_many_features_of_another_schema_are_told_by_their_number(tmp_path, order):
    table = [(w, f"{w}{n}", f"f{n}") for w in LEMMATA for n in range(20)]
    with pytest.raises(KasuError, match="expected most forms"):
        read_paradigms(write(tmp_path / "x", rows(table, *order)))


@pytest.mark.parametrize("lemmata", [1, 19])
def test_a_table_of_few_lemmata_may_have_more_features_than_forms(tmp_path, lemmata):
    cells = [(w, w + "s", f"f{at}") for w in LEMMATA[:lemmata] for at in range(40)]
    assert read_paradigms(write(tmp_path / "x", rows(cells, 0, 1, 2)))[0] == cells


def test_most_features_of_no_known_schema_are_said(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    lines = "ir\tva\tv.3sg\nir\tvoy\tV;1;SG\n"
    assert len(read_paradigms(write(tmp_path / "x", lines))[0]) == 2
    assert not caplog.messages
    assert len(read_paradigms(write(tmp_path / "y", lines + "ir\tvas\tv.2sg\n"))[0]) == 3
    assert len(caplog.messages) == 1


def test_a_word_like_features_is_no_fault_among_features_of_another_schema(tmp_path):
    path = write(tmp_path / "x", "or\tor\tconj\nOR\tOR\tconj\nNEG\tNEG\tconj\n")
    assert len(read_paradigms(path)[0]) == 3


def test_canonically_equal_lines_are_the_same(tmp_path):
    path = write(
        tmp_path / "x", "e\u0301\te\u0301s\tN;PL\n\u00e9\t\u00e9s\tN;PL\n\u00c9\t\u00e9s\tN;PL\n"
    )
    cells, drops = read_paradigms(path)
    assert [cell.lemma for cell in cells] == ["e\u0301", "\u00c9"]
    assert drops == {"the same line again": 1}


@pytest.mark.parametrize(
    ("released", "first"), [(False, ("gato", "gatos")), (True, ("gato ", " gatos\u00a0"))]
)
def test_blanks_around_columns_are_lost_but_those_of_released_words_stay(tmp_path, released, first):
    path = write(tmp_path / "x", " gato \t gatos\u00a0\t N ; PL \t-\nir\tvoy\t V;PRS\n")
    assert read_listed(path, released=released)[0] == [(*first, "N;PL"), ("ir", "voy", "V;PRS")]


@pytest.mark.parametrize(
    "names",
    [
        "lemma\tform\tfeatures", "Lemma\tForm\tFeatures\tsegments", "# lemma\tword\ttags",
        "LEXEME\tInflected form\tMSD",
    ],
)  # fmt: skip
def test_a_header_is_no_cell(tmp_path, names):
    path = write(tmp_path / "x", f"{names}\n" + rows(RIGHT, 0, 1, 2))
    assert (len(read_listed(path)[0]), read_paradigms(path)[1]) == (3, {"header": 1})
    path = write(tmp_path / "y", rows(RIGHT, 0, 1, 2) + f"{names}\nform\tforms\tN;PL\n")
    assert (len(read_listed(path)[0]), read_paradigms(path)[1]) == (4, {"header": 1})


@pytest.mark.real
def test_every_order_of_every_real_file_is_told(mirror):
    names = ["unimorph/*/*", "unimorph-2023/*", "sigmorphon2017/task1/*"]
    names += ["sigmorphon2018/task1/all/*", "sigmorphon2018/task1/surprise/*"]
    told = []
    for path in (path for name in names for path in sorted(mirror.glob(name))):
        if "covered" in path.name and "uncovered" not in path.name:
            continue
        read = (line.split("\t") for _, line in lines(path))
        found = [list(map(str.strip, row)) for row in islice(read, 500) if len(row) == 3]
        if path.parent.name == "unimorph-2023":
            found = [[lemma, form, features] for lemma, features, form in found]
        for order in permutations(range(3)) if found else ():
            columns = Columns(path)
            for number, row in enumerate(found, start=1):
                columns.holds(number, [row[at] for at in order])
            try:
                columns.conclude()
                told.append(order[2] == 2)
            except KasuError:
                told.append(order[2] != 2)
    assert len(told) > 3000
    assert all(told)
