"""The page: what it says of figures beside print, and on whose data."""

from dataclasses import replace

import pytest

from kasu.files.tables import write_tsv
from kasu.results.comparison import TABLE
from kasu.results.study import Data

APART = {"published": None, "printed": None, "difference": None}


@pytest.mark.parametrize(
    "text",
    [
        "<strong>1</strong> of 2 published figures have one of ours next to them.",
        '<a href="#agreement-footnote_6">Footnote 6</a> <span class="state agrees">agrees, '
        '<span class="count">1 of 2</span></span>',
        '<a href="#agreement-claims-of-the-paper">Claims</a> about our figures: fails 1</p>',
        ">Claims</a> about print alone: holds 1, fails 1</p>",
        "Agreement, Footnote 6 agrees: 1 of 1 figures",
        "Agreement: 1 of 1 claims about our figures fail",
        "Agreement: 1 of 2 claims about print alone fail",
    ],
)
def test_the_first_screen_says_how_much_is_reproduced(page, text):
    assert text in page


def test_a_table_that_differs_says_why(build, table_rows, write_rows):
    rows = [table_rows[0] | {"ours": 0.5, "low": 0.49, "high": 0.51, "difference": 0.5 - 0.982}]
    write_rows(rows)
    page = build()
    why = "unidirectional LSTM, Base, dative, accuracy: 98.2 printed, ours 50.0"
    assert f"1 of 1 differ; furthest: {why}" in page
    assert "Agreement, Footnote 6 differs: 1 of 1 figures" in page


def test_a_table_hardly_run_has_no_verdict(build, table_rows, write_rows):
    rows = [*table_rows, table_rows[0] | {"condition": "c", "ours": None}]
    write_rows(rows)
    page = build()
    chip = '<span class="state in_part">run in part, <span class="count">1 of 3</span></span>'
    assert f'Footnote 6</a> {chip}<span class="why">1 agrees</span>' in page
    assert f">Footnote 6 {chip}</h3>" in page
    assert 'class="state agrees">agrees</span></td>' in page  # of the row itself
    assert "Read first" in page and "Footnote 6 agrees" not in page
    # No colour of a verdict: the plain chip is grey
    style = page[: page.index("</style>")]
    assert ".in_kind {" in style and ".in_part" not in style


def test_a_figure_of_another_variant_earns_the_table_no_word(inputs, build):
    [study] = inputs["studies"]
    inputs["studies"] = [replace(study, defaults={"": ["released"]})]
    page = build()
    assert "0 of 2 published figures have one of ours next to them; 1 has one by another" in page
    assert '>Footnote 6 <span class="state not_run">not run' in page


def test_a_printed_figure_without_ours_beside_it_is_not_run(page, build, table_rows, write_rows):
    assert ">not run<" not in page  # its condition has none of ours: its part has no such column
    write_rows([table_rows[0], table_rows[3] | {"condition": table_rows[0]["condition"]}])
    assert ">not run<" in build()


def test_the_interval_over_seeds_has_a_column_of_its_own(page, build, table_rows, write_rows):
    assert "Over seeds</th>" not in page
    seeds = {"seeds_mean": 0.9786, "seeds_low": 0.9702, "seeds_high": 0.987}
    write_rows([table_rows[0] | seeds])
    page = build()
    cells = '<td class="number">97.0–99.0</td><td class="number">97.9 (97.0–98.7)</td>'
    assert "Over seeds</th>" in page
    assert cells in page


def test_the_demos_data_reproduce_nothing(on):
    page = on(Data.DEMO)
    assert '<a href="#agreement">Agreement</a>: the demo&#39;s data, invented for it' in page
    assert "your data" not in page[: page.index("<dl")]
    assert "published figures have one of ours" not in page
    assert "Read first" not in page and ">fails 1<" not in page
    shown = page[page.index('id="agreement"') :]
    assert 'class="state agrees"' not in shown and "not run at this scale" not in shown


def test_the_users_figures_come_first_and_print_is_folded(
    inputs, on, tmp_path, table_rows, write_rows
):
    [study] = inputs["studies"]
    theirs = [table_rows[0] | {"ours": None, "low": None, "high": None, "variant": None}]
    write_rows([row | APART for row in table_rows[:3]] + theirs)
    write_tsv(tmp_path / "agreement/tables/table_1.tsv", theirs, TABLE)
    printed = {"table_1": "Table 1", **study.printed}
    inputs["studies"] = [replace(study, printed=printed)]
    page = on(Data.YOURS)
    assert "<strong>2</strong> figures of your data." in page
    assert 'Footnote 6</a> <span class="state yours">your data</span></li>' in page
    assert "<summary>1 with printed figures alone</summary>" in page
    shown = page[page.index('id="agreement"') :]
    assert '>Footnote 6 <span class="state yours">your data</span></h3>' in shown
    # Ours, then what the paper prints, then the tables that the run has nothing of
    assert "<h1>Kasu: your data</h1>" in page
    places = [
        shown.index(text)
        for text in (
            ">97.9<",
            "<summary>What the paper prints of its own data: 1 row</summary>",
            '<th scope="col" class="number">Published</th>',
            "<summary>1 table with printed figures alone</summary>",
            'id="agreement-table_1"',
        )
    ]
    assert places == sorted(places)
    assert "not run" not in page.replace(page[page.index('id="words"') : page.index("</dl>")], "")
    assert "Difference" not in shown and "published figures have one of ours" not in page


def test_a_study_of_the_users_data_comes_first(inputs, build):
    (study,) = inputs["studies"]
    mine = replace(study, name="mine", title="Mine: why?", printed={}, data=Data.YOURS)
    inputs["studies"] = [study, mine]
    page = build()
    assert page.index('href="#mine"') < page.index('href="#agreement"')
    assert "No scores yet: what was built is below." in page


def test_data_of_which_the_folder_says_nothing_are_not_judged(on):
    page = on(Data.UNKNOWN)
    assert "Agreement</a>: the folder does not say whose data these are" in page
    assert 'class="state agrees"' not in page[page.index('id="agreement"') :]


def test_claims_that_are_untestable_are_a_count_that_opens(on, tmp_path):
    claims = [
        {"claim": "Datives are missed.", "about": "ours", "result": "holds"},
        {"claim": "Ergatives are not.", "about": "ours", "result": "untestable here"},
        {"claim": "Absolutives are.", "about": "ours", "result": "untestable here"},
    ]
    write_tsv(tmp_path / "claims.tsv", claims, ("claim", "about", "result"))
    page = on(Data.PAPER)
    shown = page[page.index("Claims of the paper</h3>") :]
    folded = shown.index("<summary>2 claims are untestable here</summary>")
    assert shown.index("Datives are missed.") < folded < shown.index("Ergatives are not.")
    assert "holds 1, untestable here 2" in page
    write_tsv(tmp_path / "claims.tsv", claims[1:2], ("claim", "about", "result"))
    page = on(Data.PAPER)
    shown = page[page.index("Claims of the paper</h3>") :]
    assert "<summary>1 claim is untestable here</summary>" in shown
    assert "<table>" not in shown[: shown.index("1 claim is")]


def test_claims_about_print_alone_are_folded_beside_figures_of_the_users_data(on):
    page = on(Data.YOURS)
    shown = page[page.index('id="agreement-claims-of-the-paper"') :]
    folded = shown.index("<summary>2 claims are about print alone</summary>")
    assert shown.index("Datives are missed.") < folded < shown.index("Most are.")


def test_tables_that_did_not_run_are_folded(build, table_rows, write_rows):
    write_rows(table_rows[3:])
    page = build()
    assert "<details><summary>1 not run at this scale</summary>" in page


@pytest.mark.parametrize(
    "rule", ["within 2 points of the printed", "wider than 30 points", "share is below 5 %"]
)
def test_the_page_states_the_bounds_of_its_words(page, rule):
    assert rule in page


def test_a_table_that_agrees_names_no_reason_where_one_figure_differs(
    build, table_rows, write_rows
):
    rows = [table_rows[0] | {"condition": f"Base|{number}"} for number in range(19)]
    rows.append(table_rows[0] | {"ours": 0.5, "low": 0.49, "high": 0.51, "difference": 0.5 - 0.982})
    write_rows(rows)
    page = build()
    assert "Agreement, Footnote 6 agrees: 19 of 20 figures" in page
    assert "furthest:" not in page
