"""Dataset cards in Hugging Face form: licences, counts, columns, citation."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from kasu.base.tables import write_text

# From free to strict. What is not recognised, or not stated, is the strictest.
STRICTNESS = (
    "cc0", "public domain", "mit", "apache", "cc by", "cc by-sa", "cc by-nc", "cc by-nc-sa"
)  # fmt: skip
UNKNOWN = re.compile(r"\bnot stated\b|\bno licence\b")


def strictest(licences: Sequence[str]) -> str:
    """The licence that binds the whole: the strictest of its sources."""

    def rank(licence: str) -> int:
        text = licence.casefold()
        if UNKNOWN.search(text):
            return len(STRICTNESS)
        # "cc by-sa" is no "cc by"; "apache-2.0" is "apache"
        found = [
            i for i, name in enumerate(STRICTNESS) if re.search(rf"\b{name}(?!-?[a-z(])", text)
        ]
        return max(found, default=len(STRICTNESS))

    return max(licences, key=rank, default="not stated")


def write_card(
    path: str | Path,
    *,
    title: str,
    summary: str,
    language: str,
    sources: Sequence[Mapping[str, str]],
    counts: Mapping[str, int],
    columns: Mapping[str, str],
    citation: str,
) -> None:
    """Write a card.

    Args:
        sources: `name`, `licence` and `citation` of each source.
        counts: rows of each split.
        columns: what each column means.
    """
    licence = strictest([source["licence"] for source in sources])
    splits = [{"split": split, "path": f"{split}.parquet"} for split in counts]
    head = {
        "pretty_name": title,
        "language": [language],
        "license": "other",
        "license_name": licence,
        "configs": [{"config_name": "default", "data_files": splits}],
        "dataset_info": {
            "splits": [{"name": split, "num_examples": n} for split, n in counts.items()]
        },
    }
    lines = [
        f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n",
        f"# {title}\n\n{summary}\n",
        f"## Licence\n\nThe strictest of the sources binds the whole: **{licence}**.\n",
        "| source | licence | citation |\n|---|---|---|",
        *(f"| {s['name']} | {s['licence']} | {s['citation']} |" for s in sources),
        "\n## Rows\n\n| split | rows |\n|---|---|",
        *(f"| {split} | {n} |" for split, n in counts.items()),
        "\n## Columns\n\n| column | meaning |\n|---|---|",
        *(f"| `{column}` | {meaning} |" for column, meaning in columns.items()),
        f"\n## Citation\n\n{citation}\n",
    ]
    write_text(path, "\n".join(lines))
