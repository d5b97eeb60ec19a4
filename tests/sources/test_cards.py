"""Dataset cards: the licence of a whole, and the text of a card."""

import pyarrow as pa
import pytest
import yaml
from huggingface_hub import DatasetCard
from hypothesis import example, given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.files.tables import ROW_GROUP, write_parquet
from kasu.sources.cards import (
    Card,
    admits,
    forbids_derivatives,
    hub_licence,
    licences_of,
    read_card,
    size_category,
    strictest,
    write_card,
)

SOURCES = [
    {"name": "demo", "licence": "CC0-1.0", "citation": "us"},
    {"name": "news", "licence": "CC BY-NC-SA 4.0", "citation": "them"},
]


@pytest.mark.parametrize(
    ("licences", "expected"),
    [
        (["CC0-1.0", "CC BY-SA 3.0"], "CC BY-SA 3.0"),
        (["CC BY-SA 4.0", "CC BY 4.0"], "CC BY-SA 4.0"),
        (["CC BY 4.0", "MIT"], "CC BY 4.0"),
        (["CC BY-SA 3.0 (UniMorph README)", "CC BY-SA 4.0"], "CC BY-SA 4.0"),
        (["CC BY-NC-SA 4.0", "CC BY-NC 3.0"], "CC BY-NC-SA 4.0"),
        (["CC BY-SA 4.0", "Apache-2.0 repository; text CC BY-NC"],
         "Apache-2.0 repository; text CC BY-NC"),
        (["CC BY-NC-SA 4.0", "no licence file in the repository"],
         "no licence file in the repository"),
        (["CC BY-NC-SA 4.0", "not stated (drawn from UniMorph, CC BY-SA 3.0)"],
         "not stated (drawn from UniMorph, CC BY-SA 3.0)"),
        (["CC BY-NC-SA 4.0", "CC BY-(NC-)SA"], "CC BY-(NC-)SA"),
        (["MIT", "free, within limits"], "free, within limits"),
        (["LGPL-LR", "CC BY-NC-SA 4.0"], "LGPL-LR"),
        (["Unicode-DFS-2016", "CC BY-SA 3.0 (UniMorph README)"], "CC BY-SA 3.0 (UniMorph README)"),
        (["MIT", "Unicode-DFS-2016"], "Unicode-DFS-2016"),
        (["MPL-2.0", "not stated"], "not stated"),
        (["no licence stated", "LGPL-LR"], "no licence stated"),
        (["CC-BY-4.0", "CC-BY-NC-3.0", "CC0-1.0"], "CC-BY-NC-3.0"),
        (["local file", "CC BY-SA 4.0", "CC0-1.0"], "CC BY-SA 4.0 and local file"),
        (["local file", "local file"], "local file"),
        ([], "not stated"),
    ],
)  # fmt: skip
def test_strictest_licence_binds_the_whole(licences, expected):
    assert strictest(licences) == expected


@pytest.mark.parametrize(
    ("text", "licences"),
    [
        ("CC0-1.0", {"CC0"}),
        ("CC BY 4.0", {"CC BY"}),
        ("CC BY-NC-SA 4.0", {"CC BY-NC-SA"}),
        ("CC BY-(NC-)SA", set()),
        ("CC BY-SA 3.0 (UniMorph README)", {"CC BY-SA"}),
        ("not stated in the repository (drawn from UniMorph, CC BY-SA 3.0)", set()),
        ("MIT (repository licence); rights in the news text not stated", set()),
        ("CC0-1.0 (extract from CC BY-SA Basque Wikipedia)", {"CC0", "CC BY-SA"}),
        ("CC BY-SA 4.0 and GFDL", {"CC BY-SA"}),
        ("text CC BY-SA 3.0/GFDL (Wikipedia)", {"CC BY-SA"}),
        ("CC BY-SA 3.0 or 4.0 (help); GFDL 1.1 (guide); orca LGPL-2.1",
         {"CC BY-SA", "GFDL", "LGPL"}),
        ("LGPL-LR", {"LGPL-LR"}),
        ("GPL-3.0-or-later (Moodle)", {"GPL"}),
        ("Unicode-DFS-2016", {"Unicode-DFS"}),
        ("public domain (12th-century poem)", {"public domain"}),
        ("CC-BY-SA-4.0", {"CC BY-SA"}),
        ("cc-by-nc-nd 3.0", {"CC BY-NC-ND"}),
        ("CC-BY-4.0 (text); MIT (code)", {"CC BY", "MIT"}),
        ("CC-BY-(NC-)SA", set()),
        ("CC BY\u2011ND\u00a04.0", {"CC BY-ND"}),
        ("cc by nc nd", {"CC BY-NC-ND"}),
        ("CC_BY_NC_SA_4.0", {"CC BY-NC-SA"}),
        ("https://creativecommons.org/licenses/by-nd/4.0/", {"CC BY-ND"}),
        ("MIT (code), http://www.creativecommons.org/licenses/by-nd-nc/1.0/deed.en (text)",
         {"MIT", "CC BY-NC-ND"}),
        ("creativecommons.org/publicdomain/zero/1.0/", {"CC0"}),
        ("Creative Commons Attribution-NoDerivatives 4.0 International", {"CC BY-ND"}),
        ("Creative Commons Attribution - Non-Commercial - No Derivs 3.0", {"CC BY-NC-ND"}),
        ("Attribution-ShareAlike 4.0 International", {"CC BY-SA"}),
        ("Creative Commons Attribution 4.0", {"CC BY"}),
        ("MIT (written by NC State)", {"MIT"}),
        (" ", set()),
        ("", set()),
    ],
)  # fmt: skip
def test_licences_that_a_source_states(text, licences):
    assert licences_of(text) == licences


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [
        ("CC BY-ND 4.0", True),
        ("cc by nc nd", True),
        ("CC BY\u2011ND 4.0", True),
        ("https://creativecommons.org/licenses/by-nd/4.0/", True),
        ("Creative Commons Attribution-NoDerivatives 4.0", True),
        ("free, no derivative works", True),
        ("CC BY-NC-SA 4.0", False),
        ("MIT, 2nd edition, and others", False),
    ],
)
def test_what_may_not_be_shared_in_another_form(text, forbidden):
    assert forbids_derivatives(text) is forbidden


@pytest.mark.parametrize(
    ("names", "licence", "let_in"),
    [
        ([], "not stated", True),
        (["CC BY"], "CC BY 4.0", True),
        (["CC BY"], "CC BY-NC-SA 4.0", False),
        (["CC BY-SA"], "not stated in the repository (drawn from UniMorph, CC BY-SA 3.0)", False),
        (["cc0"], "CC0-1.0 (extract from CC BY-SA Basque Wikipedia)", False),
        (["CC0", "CC BY-SA"], "CC0-1.0 (extract from CC BY-SA Basque Wikipedia)", True),
        (["CC0", "CC BY-SA"], "", False),
        (["CC BY-SA"], "CC-BY-SA-3.0", True),
        (["CC BY"], "CC-BY-SA-3.0", False),
    ],
)
def test_a_source_passes_if_all_its_licences_are_allowed(names, licence, let_in):
    assert admits(names, licence) is let_in


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("CC0-1.0", "cc0-1.0"),
        ("CC0", "cc0-1.0"),
        ("CC0-1.0 (Common Voice)", "cc0-1.0"),
        ("CC BY-NC-SA 4.0", "cc-by-nc-sa-4.0"),
        ("CC BY-SA 4.0 and GFDL", "cc-by-sa-4.0"),
        ("text CC BY-SA 3.0/GFDL (Wikipedia)", "cc-by-sa-3.0"),
        ("CC BY-SA 3.0 (drawn from UniMorph 4.0)", "cc-by-sa-3.0"),
        ("LGPL-LR", "lgpl-lr"),
        ("MIT", "mit"),
        ("GPL", "gpl"),
        ("GPL-2.0 or GPL-3.0", "gpl"),
        ("GPL-3.0-or-later", "gpl-3.0"),
        ("GFDL 1.3", "gfdl"),
        ("ODC-By 1.0", "odc-by"),
        ("CC-BY-SA-4.0", "cc-by-sa-4.0"),
        ("CC-BY-SA-3.0 (UniMorph)", "cc-by-sa-3.0"),
        ("CC-BY 2.5", "cc-by-2.5"),
        ("https://creativecommons.org/licenses/by-nd/4.0/legalcode", "cc-by-nd-4.0"),
        ("Creative Commons Attribution-ShareAlike 3.0 Unported", "cc-by-sa-3.0"),
        ("cc-by-nc-nd-3.0", "cc-by-nc-nd-3.0"),
        ("AGPL-3.0", "agpl-3.0"),
        ("ODbL", "odbl"),
        ("BSD 3-Clause", "bsd-3-clause"),
        ("Etalab 2.0", "etalab-2.0"),
    ],
)
def test_the_hubs_identifier_of_a_licence(statement, identifier):
    assert hub_licence(statement) == {"license": identifier}


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("CC BY-SA", "cc-by-sa"),
        ("CC BY-SA 2.0", "cc-by-sa-2.0"),
        ("MPL 1.1", "mpl-1.1"),
        ("CC BY-SA 3.0 or CC BY-SA 4.0", "cc-by-sa-3.0-or-cc-by-sa-4.0"),
        ("Apache-2.0 (code); CC BY 4.0 (text)", "apache-2.0-code-cc-by-4.0-text"),
        ("Unicode-DFS-2016", "unicode-dfs-2016"),
        ("public domain (a poem)", "public-domain-a-poem"),
        ("Free, within limits.", "free-within-limits"),
        ("Копилефт", "custom"),
    ],
)
def test_a_licence_that_the_hub_does_not_list_has_an_identifier_of_its_own(statement, name):
    assert hub_licence(statement) == {"license": "other", "license_name": name}


@pytest.mark.parametrize(
    "statement",
    [
        "",
        "  ",
        "local file",
        "CC BY-SA 4.0 and local file",
        "not stated in the repository (drawn from UniMorph, CC BY-SA 3.0)",
        "no licence stated: compare, never re-export",
        "MIT (repository licence); rights in the text not stated",
        'README: "License: n/a"',
        "Unknown",
        "CC BY-(NC-)SA",
    ],
)
def test_the_licence_of_data_with_an_open_part_is_unknown(statement):
    assert hub_licence(statement) == {"license": "unknown"}


@pytest.mark.parametrize(
    ("rows", "category"),
    [
        (0, "n<1K"),
        (999, "n<1K"),
        (1_000, "1K<n<10K"),
        (99_999, "10K<n<100K"),
        (1_000_000, "1M<n<10M"),
        (10**12, "n>1T"),
    ],
)
def test_the_hubs_word_for_a_size(rows, category):
    assert size_category(rows) == category


def test_an_unknown_licence_is_reported():
    with pytest.raises(KasuError, match=r"config licences: 'CC BY 4.0': no such licence; expected"):
        admits(["CC BY 4.0"], "CC BY 4.0")


WORDS = pa.schema([("word", pa.string()), ("at", pa.int32())])


def write(folder, rows, **changes):
    """Write splits, by name their numbers of rows, and a card; give its header and its text."""
    for split, number in rows.items():
        table = [{"word": f"hitz{at}", "at": at} for at in range(number)]
        write_parquet(folder / f"{split}.parquet", table, WORDS)
    given = {
        "title": "Verbs",
        "summary": "Verbs to hide.",
        "header": {"language": ["eu"], "task_categories": ["fill-mask"]},
        "sources": SOURCES,
        "splits": list(rows),
        "columns": {"word": "the form", "at": "its place"},
        "citation": "Someone (2018).",
    }
    write_card(folder / "README.md", **{**given, **changes})
    _, head, text = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), text


def test_a_card_has_a_header_for_hubs_and_the_counts(tmp_path):
    head, text = write(tmp_path, {"train": 10, "test": 2})
    on_disk = sum(path.stat().st_size for path in tmp_path.glob("*.parquet"))
    assert head == {
        "pretty_name": "Verbs",
        "language": ["eu"],
        "task_categories": ["fill-mask"],
        "size_categories": ["n<1K"],
        "license": "cc-by-nc-sa-4.0",
        "configs": [
            {
                "config_name": "default",
                "data_files": [
                    {"split": "train", "path": "train.parquet"},
                    {"split": "test", "path": "test.parquet"},
                ],
            }
        ],
        "dataset_info": {
            # A row: 5 letters, an offset and a number of 4 bytes; and a bit for what is null
            "splits": [
                {"name": "train", "num_bytes": 10 * 13 + 2, "num_examples": 10},
                {"name": "test", "num_bytes": 2 * 13 + 1, "num_examples": 2},
            ],
            "download_size": on_disk,
            "dataset_size": 159,
        },
    }
    for line in (
        "The strictest of the sources binds the whole: **CC BY-NC-SA 4.0**.",
        "| demo | CC0-1.0 | us |",
        "| train | 10 |",
        "| `word` | the form |",
        "Someone (2018).",
    ):
        assert line in text.splitlines()


@pytest.mark.parametrize(
    ("rows", "loaded"),
    [
        ({"low": 3, "medium": 0, "high": 0, "test": 1}, ["low", "test"]),
        ({"train": 0, "validation": 1}, ["validation"]),
        ({"a": 1, "b": 0}, ["a"]),
    ],
)
def test_a_split_without_rows_stands_in_the_text_alone(tmp_path, rows, loaded):
    head, text = write(tmp_path, rows)
    assert [each["split"] for each in head["configs"][0]["data_files"]] == loaded
    assert [each["name"] for each in head["dataset_info"]["splits"]] == loaded
    for split, number in rows.items():
        assert f"| {split} | {number} |" in text.splitlines()


def test_rows_of_all_splits_make_the_size(tmp_path):
    head, _ = write(tmp_path, {"train": 600, "test": 400})
    assert head["size_categories"] == ["1K<n<10K"]


def test_the_size_in_memory_is_that_of_all_row_groups(tmp_path):
    rows = ROW_GROUP + 1
    head, _ = write(tmp_path, {"items": rows})
    letters = sum(len(f"hitz{at}") for at in range(rows))
    (split,) = head["dataset_info"]["splits"]
    bits = ROW_GROUP // 8 + 1
    assert (split["num_examples"], split["num_bytes"]) == (rows, letters + 8 * rows + bits)


def test_a_missing_split_is_reported(tmp_path):
    with pytest.raises(KasuError, match=r"dev\.parquet: unreadable parquet"):
        write(tmp_path, {"train": 1}, splits=["train", "dev"])


@pytest.mark.parametrize("code", ["no", "on", "y", "nan", "und"])
def test_a_code_stays_a_text(tmp_path, code):
    head, _ = write(tmp_path, {"items": 1}, header={"language": [code]})
    assert head["language"] == [code]
    # As the hub's own client reads it
    assert DatasetCard.load(tmp_path / "README.md").data.language == [code]


@pytest.mark.parametrize("title", ["Inflection: ба", "- a # b", "no", "'a' \"b\": {c}", "2018"])
def test_a_title_stays_a_text(tmp_path, title):
    head, text = write(tmp_path, {"items": 1}, title=title)
    assert head["pretty_name"] == title
    assert DatasetCard.load(tmp_path / "README.md").data.pretty_name == title
    assert f"# {title}" in text.splitlines()
    assert "\\u" not in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_a_bar_does_not_end_a_cell(tmp_path):
    source = {"name": "a|b.txt", "licence": "MIT | CC0", "citation": "A|B"}
    columns = {"word": "`sg|pl|none`"}
    _, text = write(tmp_path, {"items": 1}, sources=[source], columns=columns)
    assert r"| a\|b.txt | MIT \| CC0 | A\|B |" in text.splitlines()
    assert r"| `word` | `sg\|pl\|none` |" in text.splitlines()


@pytest.mark.parametrize("citation", ["us,\n2026\n", "us,\r\n2026", " us,\t2026"])
def test_an_end_of_a_line_does_not_end_a_row(tmp_path, citation):
    source = {"name": "a.txt", "licence": "MIT", "citation": citation}
    _, text = write(tmp_path, {"train": 1}, sources=[source])
    assert "| a.txt | MIT | us, 2026 |" in text.splitlines()


def test_a_licence_that_the_hub_does_not_list_is_named(tmp_path):
    source = {"name": "list", "licence": "Unicode-DFS-2016", "citation": ""}
    head, _ = write(tmp_path, {"items": 1}, sources=[source])
    assert (head["license"], head["license_name"]) == ("other", "unicode-dfs-2016")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>1</script>", r"\<script\>1\</script\>"),
        ("[x](javascript:a())", r"\[x\](javascript:a())"),
        ("![x](https://e.example/y.png)", r"!\[x\](https://e.example/y.png)"),
        ("CC0\n\n# Licence: none\n---\n", "CC0 # Licence: none ---"),
        ("**MIT** or _all_ ~~no~~", r"\*\*MIT\*\* or \_all\_ \~\~no\~\~"),
        ("`a` | b\\", "\\`a\\` \\| b\\\\"),
        ("a &lt;b&gt; & c", r"a \&lt;b\&gt; & c"),
        ("$x$", r"\$x\$"),
        ("exe\u202etxt \x1b[31m", r"exe\\u202etxt \\x1b\[31m"),
        ("CC BY-(NC-)SA, A & B, https://e.example/~a/b_c?x=1&y=2", None),
        ("eu/**/*.ftl", r"eu/\*\*/\*.ftl"),
    ],
)
def test_texts_of_others_are_no_markup(tmp_path, text, shown):
    source = {"name": text, "licence": text, "citation": text}
    head, card = write(
        tmp_path, {"items": 1}, sources=[source], title=text, summary=text, citation=text
    )
    shown = shown or text
    lines = card.splitlines()
    assert lines[1:4] == [f"# {shown}", "", shown]
    assert lines[-1] == shown
    assert f"**{shown}**." in card
    assert f"| {shown} | {shown} | {shown} |" in lines
    assert [line for line in lines if line.startswith("## ")] == [
        "## Licence", "## Rows", "## Columns", "## Citation",
    ]  # fmt: skip
    assert "\u202e" not in str(head) and "\x1b" not in str(head)


def test_the_name_of_a_column_may_hold_marks_of_code(tmp_path):
    _, card = write(tmp_path, {"items": 1}, columns={"form_`x|y`": "a", "form_*": "b"})
    assert "| form\\_\\`x\\|y\\` | a |" in card
    assert "| `form_*` | b |" in card


TEXTS = st.text(alphabet="aé|*_`\\[]$&#~: 1-", min_size=1, max_size=12).map(
    lambda text: " ".join(f"x{text}".split())
)
NAMES = st.text(alphabet="ab_", min_size=1, max_size=4)


@example(Card("x---", "x", {"language": ["no"]}, [], ["dev"], {}, "x"))
@given(
    st.builds(
        Card,
        title=TEXTS,
        summary=TEXTS,
        header=st.just({"language": ["no"], "task_categories": ["fill-mask"]}),
        sources=st.lists(
            st.fixed_dictionaries({name: TEXTS for name in ("name", "licence", "citation")}),
            max_size=2,
        ),
        splits=st.just(["dev"]),
        columns=st.dictionaries(NAMES, st.sampled_from(["of `a|b`", "", "one, or more"])),
        citation=TEXTS,
    )
)
def test_a_card_reads_as_it_was_written(tmp_path_factory, card):
    folder = tmp_path_factory.mktemp("card")
    write_parquet(folder / "dev.parquet", [{"a": "b"}], pa.schema([("a", pa.string())]))
    write_card(folder / "README.md", **vars(card))
    assert read_card(folder / "README.md") == card


@pytest.mark.parametrize("text", ["", "# Mine\n", "---\na: 1\n---\n", "---\n[\n---\n# A\n"])
def test_another_readme_is_no_card(tmp_path, text):
    (tmp_path / "README.md").write_text(text)
    with pytest.raises(KasuError, match=r"README.md: no card of a dataset; expected one that"):
        read_card(tmp_path / "README.md")
