"""Dataset cards: the licence of a whole, and the text of a card."""

import pytest
import yaml

from kasu.base.cards import admits, licences_of, strictest, write_card
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


def test_an_unknown_licence_is_reported():
    with pytest.raises(KasuError, match=r"config licences: 'CC BY 4.0': no such licence; expected"):
        admits(["CC BY 4.0"], "CC BY 4.0")


def test_a_card_has_a_header_for_hubs_and_the_counts(tmp_path):
    write_card(
        tmp_path / "README.md",
        title="Verbs",
        summary="Verbs to hide.",
        language="eu",
        sources=SOURCES,
        counts={"train": 10, "test": 2},
        columns={"target": "position of the verb"},
        citation="Someone (2018).",
    )
    _, head, body = (tmp_path / "README.md").read_text().split("---\n", 2)
    assert yaml.safe_load(head) == {
        "pretty_name": "Verbs",
        "language": ["eu"],
        "license": "other",
        "license_name": "CC BY-NC-SA 4.0",
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
