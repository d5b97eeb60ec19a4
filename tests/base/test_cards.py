"""Dataset cards: what binds the whole, and what the card says."""

import pytest
import yaml

from kasu.base.cards import strictest, write_card

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
        ([], "not stated"),
    ],
)  # fmt: skip
def test_strictest_licence_binds_the_whole(licences, expected):
    assert strictest(licences) == expected


def test_card_has_a_head_that_hubs_read_and_the_counts(tmp_path):
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
