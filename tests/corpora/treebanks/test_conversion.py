"""UD features in UniMorph's schema: the paper's example, order, precedence, losses, bad tables."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.corpora.treebanks.conversion import COLUMNS, read_conversion
from kasu.files.tables import read_tsv

TABLE = Path(__file__).resolve().parents[3] / "resources" / "tagsets" / "ud_unimorph.tsv"
HEADER = "\t".join(COLUMNS) + "\n"
WORD = "*\tNOUN\t_\tN\t\n*\tVERB\t_\tV\t\n"


@pytest.fixture
def convert(tmp_path):
    """Convert a word with these lines of a table."""

    def run(lines: str, upos: str, feats: str, language: str = "en"):
        path = tmp_path / "table.tsv"
        path.write_text(HEADER + WORD + lines)
        return read_conversion(path, language).convert(upos, feats)

    return run


def test_the_verb_of_figure_3():
    english = read_conversion(TABLE, "en")
    assert english.convert("VERB", "Mood=Ind|Tense=Past|VerbForm=Fin") == ("V;IND;PST;FIN", (), ())


# Words of the released data, with the features of their treebanks
@pytest.mark.parametrize(
    ("language", "upos", "feats", "features"),
    [
        ("en", "VERB", "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin",
         "V;IND;SG;3;PRS;FIN"),
        ("en", "PRON", "Case=Nom|Gender=Masc|Number=Sing|Person=3|PronType=Prs",
         "PRO;NOM;MASC;SG;3"),
        ("en", "DET", "Definite=Def|PronType=Art", "DET;DEF"),
        ("en", "VERB", "Tense=Past|VerbForm=Part|Voice=Pass", "V;PST;V.PTCP;PASS"),
        ("en", "PUNCT", "_", "PUNCT"),
        ("sv", "NOUN", "Case=Nom|Definite=Ind|Gender=Com|Number=Sing", "N;NOM;INDF;MASC;FEM;SG"),
        ("sv", "ADJ", "Case=Nom|Definite=Def|Degree=Sup", "ADJ;NOM;DEF;SPRL"),
        ("de", "DET", "Case=Dat|Definite=Def|Gender=Masc,Neut|Number=Sing|PronType=Art",
         "DET;DAT;DEF;MASC;NEUT;SG"),
        ("es", "VERB", "Mood=Ind|Number=Sing|Person=3|Tense=Imp|VerbForm=Fin",
         "V;IND;SG;3;IPFV;PST;FIN"),
        ("fi", "NOUN", "Case=Ine|Number=Sing", "N;IN+ESS;SG"),
        ("ru", "VERB", "Aspect=Imp|Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin|Voice=Mid",
         "V;IPFV;IND;SG;3;PRS;FIN;MID"),
    ],
)  # fmt: skip
def test_words_of_the_released_data(language, upos, feats, features):
    assert read_conversion(TABLE, language).convert(upos, feats).features == features


def test_a_line_on_one_language_is_for_that_language():
    ger = ("VERB", "VerbForm=Ger")
    assert read_conversion(TABLE, "en").convert(*ger).features == "V;PRS;V.PTCP"
    assert read_conversion(TABLE, "es").convert(*ger).features == "V;V.MSDR"
    supine = ("VERB", "VerbForm=Sup|Voice=Act")
    assert read_conversion(TABLE, "sv").convert(*supine).features == "V;V.CVB;ACT"
    assert read_conversion(TABLE, "sl").convert(*supine).unknown == ("VerbForm=Sup",)


@pytest.mark.parametrize(
    ("lines", "features"),
    [
        ("*\t*\tA=1\tX\t\nen\t*\tA=1\tY\t\n", "N;Y"),
        ("*\tNOUN\tA=1\tX\t\n*\t*\tA=1\tY\t\n", "N;X"),
        ("*\t*\tA=*\tX\t\n*\t*\tA=1\tY\t\n", "N;Y"),
        ("*\t*\tA=1\tX\t\n*\t*\tA=1|B=2\tY\t\nen\tNOUN\tB=2\tZ\t\n", "N;Y"),
        ("en\t*\tA=1\tX\t\n*\tNOUN\tA=1\tY\t\n", "N;X"),
        ("fr\t*\tA=1\tX\t\n*\t*\tA=1\tY\t\n", "N;Y"),
    ],
)
def test_the_more_specific_line_comes_first(convert, lines, features):
    assert convert(lines + "*\t*\tB=2\t-\t\n", "NOUN", "A=1|B=2").features == features


def test_tags_stand_in_the_order_of_the_features_each_once(convert):
    lines = "*\t*\tA=1|C=3\tX;Y\t\n*\t*\tB=2\tZ;X\t\n"
    assert convert(lines, "NOUN", "A=1|B=2|C=3").features == "N;X;Y;Z"
    assert convert(lines, "NOUN", "B=2|A=1|C=3").features == "N;Z;X;Y"


def test_what_is_lost_and_what_is_unknown(convert):
    found = convert("*\t*\tA=*\t-\t\n", "ADJ", "A=1|B=2|Foreign=Yes")
    assert found == ("ADJ", ("A=1",), ("UPOS=ADJ", "B=2", "Foreign=Yes"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("*\t*\tA=1\t\t\n", "table.tsv:4: no unimorph; expected language, upos"),
        ("*\t*\tA\tX\t\n", "table.tsv:4: the feature 'A'; expected Name=Value, or _ for a class"),
        ("*\t*\tA=1|\tX\t\n", "table.tsv:4: the feature ''; expected Name=Value"),
        ("*\t*\t_\tX\t\n", "table.tsv:4: no features and no class"),
        ("*\t*\tA=1|B=2\tX\t\n*\t*\tB=2|A=1\tY\t\n", "table.tsv:5: a second line for B=2|A=1"),
        ("*\t*\tA=1\tX\n", "table.tsv:4: wrong number of cells"),
    ],
)
def test_a_bad_table_is_one_line(convert, lines, message):
    with pytest.raises(KasuError) as raised:
        convert(lines, "NOUN", "_")
    assert message in str(raised.value)


PAIRS = [
    feature
    for row in read_tsv(TABLE)
    if row["language"] == "*" and "*" not in row["features"]
    for feature in row["features"].split("|")
    if "=" in feature
]


@given(st.sets(st.sampled_from(PAIRS)))
def test_no_feature_of_the_table_is_unknown_whatever_stands_beside_it(features):
    """And no tag stands twice."""
    names = {feature.partition("=")[0]: feature for feature in sorted(features)}
    cell = "|".join(names.values()) or "_"
    found = read_conversion(TABLE, "xx").convert("NOUN", cell)
    # A possessor's person means nothing without its number, but for the third
    assert all("[psor]" in feature for feature in found.unknown)
    tags = found.features.split(";")
    assert tags[0] == "N"
    assert len(tags) == len(set(tags))
