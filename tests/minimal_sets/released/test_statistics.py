"""Counts of a treebank from its stats.xml."""

import pytest

from kasu.base.errors import KasuError
from kasu.minimal_sets.data.paper import PAPER
from kasu.minimal_sets.released.statistics import count_cases
from kasu.results.comparison import beside
from kasu.results.published import read_published

XML = """<treebank><size><total><sentences>{}</sentences></total></size><tags><feats>
<feat name="Case" value="Nom" upos="NOUN">5</feat>
<feat name="Case" value="Nom" upos="PRON">2</feat>
<feat name="Case" value="Erg" upos="NOUN">1</feat>
<feat name="Number" value="Sing" upos="NOUN">9</feat>
</feats></tags></treebank>"""


def test_words_of_all_parts_of_speech_count(tmp_path):
    (tmp_path / "stats.xml").write_text(XML.format(4))
    rows = count_cases(tmp_path / "stats.xml", "UD_X")
    assert [(row.table, row.system, row.condition, row.value) for row in rows] == [
        ("section 3", "UD_X", "Nom", 7), ("section 3", "UD_X", "Dat", 0),
        ("section 3", "UD_X", "Erg", 1), ("section 4", "UD_X", "all", 4),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "no xml",
        XML.format("many"),
        "<treebank/>",
        '<!DOCTYPE x [<!ENTITY a "b">]><treebank>&a;</treebank>',
    ],
)
def test_another_file_is_refused(tmp_path, text):
    (tmp_path / "stats.xml").write_text(text)
    with pytest.raises(KasuError, match=r"expected stats\.xml of a UD treebank"):
        count_cases(tmp_path / "stats.xml")


def test_no_file_is_refused(tmp_path):
    with pytest.raises(KasuError, match=r"expected stats\.xml of a UD treebank"):
        count_cases(tmp_path / "stats.xml")


@pytest.mark.real
def test_the_counts_of_section_3_are_those_of_all_files(mirror, request):
    rows = count_cases(mirror / "ud" / "UD_Georgian-GLC" / "stats.xml")
    published = read_published(request.config.rootpath / "resources" / "published")
    table = beside(map(vars, rows), published, PAPER, "section 3")
    assert [(row["ours"], row["difference"]) for row in table] == [(11438, 0), (10034, 0), (475, 0)]
    (sentences,) = beside(map(vars, rows), published, PAPER, "section 4")
    assert (sentences["ours"], sentences["printed"]) == (3164, "3013")
