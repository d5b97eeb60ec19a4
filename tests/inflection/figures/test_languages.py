"""The figure of many languages: what it draws, and the same bytes every time."""

from pathlib import Path

import defusedxml.ElementTree
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_parquet
from kasu.inflection.evaluation.printed import read_printed
from kasu.inflection.figures.languages import draw_languages, in_order, ours_by_language
from kasu.results.scores import SCORES

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"


def score(system, condition, value, metric="accuracy", variant=None, seed=None, runs=1) -> dict:
    row = dict.fromkeys(SCORES.names) | {"system": system, "condition": condition}
    row |= {"metric": metric, "value": value, "variant": variant, "seed": seed, "runs": runs}
    return row if value is None else row | {"low": value - 1 / 16, "high": value + 1 / 16}


ROWS = [
    score("baseline", "low|basque", 0.25, variant="published"),
    score("baseline", "low|zulu", 0.5, variant="published"),
    score("baseline", "high|zulu", 0.75, variant="published"),
    score("baseline", "low|basque", 5.0, metric="levenshtein", variant="published"),
    score("baseline", "low", 0.5, variant="published"),
    score("copy", "low|basque", 0.1),
    score("oracle-fc", "low|basque", 0.9),
    score("oracle-e", "low|basque", None),
    score("basque", "low|of the systems run", 0.25, metric="best_accuracy"),
]
OWN = [score("baseline", "low|harmonic", 0.5), score("baseline", "medium|prefixal", 0.25)]


def draw(folder, rows):
    folder.mkdir(exist_ok=True)
    write_parquet(folder / "s.parquet", rows, SCORES)
    draw_languages(folder / "s.parquet", PUBLISHED, folder / "l.svg")
    return (folder / "l.svg").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """The figure of these rows."""
    return draw(tmp_path_factory.mktemp("drawn"), ROWS)


def labels(svg):
    return {line.strip() for line in svg.splitlines() if line.strip().startswith("<!--")}


def test_ours_is_the_baseline_by_variant():
    assert ours_by_language(ROWS) == {
        "our baseline, published": {
            ("low", "basque"): (25.0, 18.75, 31.25),
            ("low", "zulu"): (50.0, 43.75, 56.25),
            ("high", "zulu"): (75.0, 68.75, 81.25),
        }
    }


def test_where_other_systems_ran_our_best_is_drawn_too():
    rows = [*ROWS, score("msu-02", "low|basque", 0.25)]
    found = ours_by_language(rows)
    assert list(found) == ["our baseline, published", "our best system"]
    assert found["our best system"] == {("low", "basque"): (25.0, 18.75, 31.25)}


def test_the_row_over_all_seeds_is_drawn():
    rows = [
        score("baseline", "low|x", 0.25, runs=2),
        score("baseline", "low|x", 0.5, seed=1),
    ]
    assert ours_by_language(rows)["our baseline"]["low", "x"] == (25.0, 18.75, 31.25)


def test_languages_stand_in_the_order_of_the_papers_baseline():
    languages = {"harmonic", "basque", "zulu", "english", "agglutinative"}
    assert in_order(languages, "low", read_printed(PUBLISHED)) == [
        "english", "zulu", "basque", "agglutinative", "harmonic",
    ]  # fmt: skip


def test_equal_scores_give_equal_bytes(tmp_path, drawn):
    assert draw(tmp_path, ROWS) == drawn


def test_settings_and_languages_of_ours_are_drawn_beside_published(drawn):
    found = labels(drawn)
    assert {
        "<!-- low, % -->", "<!-- high, % -->", "<!-- basque -->", "<!-- zulu -->",
        "<!-- our baseline, published -->", "<!-- published baseline -->",
        "<!-- best published system -->",
    } <= found  # fmt: skip
    assert not {"<!-- medium, % -->", "<!-- english -->"} & found


def test_languages_that_the_paper_lacks_show_ours_alone(tmp_path):
    drawn = labels(draw(tmp_path, OWN))
    assert {"<!-- harmonic -->", "<!-- prefixal -->", "<!-- our baseline -->"} <= drawn
    assert not {"<!-- published baseline -->", "<!-- best published system -->"} & drawn


def test_the_figure_is_whole_xml_in_the_ink_of_the_page(drawn):
    assert defusedxml.ElementTree.fromstring(drawn).tag.endswith("svg")
    assert "<text" not in drawn and "<dc:date" not in drawn and "<image" not in drawn
    assert "currentColor" in drawn and "#010203" not in drawn


def test_the_figure_grows_with_the_languages_and_not_in_width(tmp_path, drawn):
    everything = read_printed(PUBLISHED).languages("low")
    many = draw(tmp_path, [score("baseline", f"low|{name}", 0.5) for name in everything])
    assert 'width="331.2pt" height="1057.68pt"' in many
    assert 'width="331.2pt"' in drawn


def test_scores_that_cannot_be_read_leave_no_figure(tmp_path):
    with pytest.raises(KasuError):
        draw_languages(tmp_path / "none.parquet", PUBLISHED, tmp_path / "l.svg")
    assert not (tmp_path / "l.svg").exists()
