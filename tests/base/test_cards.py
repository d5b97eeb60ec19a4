"""Dataset cards: the licence of a whole, and the text of a card."""

import pytest
import yaml

from kasu.base.cards import (
    admits,
    hub_licence,
    licences_of,
    size_category,
    strictest,
    write_card,
)
from kasu.base.errors import KasuError

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
        ("", set()),
    ],
)  # fmt: skip
def test_licences_that_a_source_states(text, licences):
    assert licences_of(text) == licences


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
        ("CC BY-SA", "other"),
        ("CC BY-SA 3.0 or CC BY-SA 4.0", "other"),
        ("CC BY-SA 4.0 and local file", "other"),
        ("CC BY-SA 4.0 (FLORES-200); SIB-200 repository licence Apache-2.0", "other"),
        ("not stated in the repository (drawn from UniMorph, CC BY-SA 3.0)", "other"),
        ("Unicode-DFS-2016", "other"),
        ("local file", "other"),
        ("", "other"),
    ],
)
def test_the_hubs_identifier_of_a_licence(statement, identifier):
    assert hub_licence(statement) == identifier


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


def test_a_licence_that_the_hub_does_not_know_is_named(tmp_path):
    write_card(
        tmp_path / "README.md",
        title="Words",
        summary="Words.",
        header={"language": ["eu"]},
        sources=[{"name": "list", "licence": "Unicode-DFS-2016", "citation": ""}],
        counts={"items": 5_000},
        columns={},
        citation="Someone (2018).",
    )
    head = yaml.safe_load((tmp_path / "README.md").read_text().split("---\n")[1])
    assert (head["license"], head["license_name"]) == ("other", "Unicode-DFS-2016")
    assert head["size_categories"] == ["1K<n<10K"]


def test_an_unknown_licence_is_reported():
    with pytest.raises(KasuError, match=r"config licences: 'CC BY 4.0': no such licence; expected"):
        admits(["CC BY 4.0"], "CC BY 4.0")


def test_a_card_has_a_header_for_hubs_and_the_counts(tmp_path):
    write_card(
        tmp_path / "README.md",
        title="Verbs",
        summary="Verbs to hide.",
        header={"language": ["eu"], "task_categories": ["fill-mask"]},
        sources=SOURCES,
        counts={"train": 10, "test": 2},
        columns={"target": "position of the verb"},
        citation="Someone (2018).",
    )
    _, head, body = (tmp_path / "README.md").read_text().split("---\n", 2)
    assert yaml.safe_load(head) == {
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
            "splits": [
                {"name": "train", "num_examples": 10},
                {"name": "test", "num_examples": 2},
            ]
        },
    }
    for line in (
        "The strictest of the sources binds the whole: **CC BY-NC-SA 4.0**.",
        "| demo | CC0-1.0 | us |",
        "| train | 10 |",
        "| `target` | position of the verb |",
        "Someone (2018).",
    ):
        assert line in body.splitlines()
