"""Dataset cards in Hugging Face form, and the licences that they state."""

# The header is written by hand: `DatasetCardData` of huggingface_hub writes the same YAML, accepts
# any licence and language (only the hub itself validates a card), and takes 80 ms to import

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kasu.base.errors import KasuError
from kasu.base.visible import visible
from kasu.files.reading import read_text
from kasu.files.tables import ParquetReader, write_text

# From permissive to strict. A licence that is not listed, recognised or stated is the strictest
STRICTNESS = (
    "CC0", "public domain", "MIT", "Unicode-DFS", "Apache", "CC BY", "CC BY-SA", "CC BY-NC",
    "CC BY-NC-SA",
)  # fmt: skip
LICENCES = (
    *STRICTNESS, "CC BY-ND", "CC BY-NC-ND", "GFDL", "GPL", "LGPL", "LGPL-LR", "MPL", "ODC-By",
)  # fmt: skip
# Identifiers of the hub (huggingface.co/docs/hub/repositories-licenses) that data may have
HUB_LICENCES = (
    "agpl-3.0", "apache-2.0", "bsd", "bsd-2-clause", "bsd-3-clause", "cc-by-2.0", "cc-by-2.5",
    "cc-by-3.0", "cc-by-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nc-nd-3.0",
    "cc-by-nc-nd-4.0", "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cc-by-nd-4.0",
    "cc-by-sa-3.0", "cc-by-sa-4.0", "cc0-1.0", "cdla-permissive-1.0", "cdla-permissive-2.0",
    "cdla-sharing-1.0", "etalab-2.0", "eupl-1.1", "gfdl", "gpl", "gpl-2.0", "gpl-3.0", "lgpl",
    "lgpl-2.1", "lgpl-3.0", "lgpl-lr", "mit", "mpl-2.0", "odbl", "odc-by", "pddl", "unlicense",
)  # fmt: skip
# The hub's words for the number of rows: the first up to a thousand, then by powers of ten
HUB_SIZES = (
    "n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B",
    "1B<n<10B", "10B<n<100B", "100B<n<1T", "n>1T",
)  # fmt: skip
# The licence of the user's own file, of which Kasu knows nothing
LOCAL = "local file"
# ISO 639-2 and 639-3 for a language that nobody stated
UNDETERMINED = "und"
_UNKNOWN = re.compile(
    r"\bnot (yet )?(stated|out of copyright)\b|\bno licence\b|\bunknown\b|\bn/a(?!\w)|\(nc-\)"
)
# Text under both (Wikipedia's) may be used under either
_EITHER = re.compile(r"(cc by-sa[ \d.]*)( and |/| or )gfdl\b")
# What stands for Creative Commons' own short names: dashes, addresses and words
_ADDRESS = r"(?:https?://)?(?:www\.)?creativecommons\.org/"
_SPELLINGS = {
    "[\u2010-\u2015\u2212]": "-",
    rf"{_ADDRESS}licenses/([a-z-]+)/?([\d.]*\d)?[\w./-]*": r"cc \1 \2",
    rf"{_ADDRESS}publicdomain/zero[\w./-]*": "cc0-1.0",
    rf"{_ADDRESS}publicdomain/mark[\w./-]*": "public domain",
    r"\bcreative[ -]?commons\b": "cc",
    r"\bcc[ -]zero\b": "cc0",
    r"\battribution\b": "by",
    r"\bnon[ -]?commercial\b": "nc",
    r"\bno[ -]?deriv(ative)?s?\b": "nd",
    r"\bshare[ -]?alike\b": "sa",
}
_PARTS = ("by", "nc", "sa", "nd")
# Without `cc`, parts are told by their hyphens
_CREATIVE_COMMONS = re.compile(
    r"\b(?:cc[ _/-]+by(?:[ _/-]+(?:nc|nd|sa))*|by(?:-(?:nc|nd|sa))+)(?![a-z])"
)

# Marks of Markdown as GitHub and the hub read it, but not in addresses, which they turn into links
_MARKUP = re.compile(r"[][\\`*<>|$]|(?<!/)~|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")


def licences_of(text: str) -> set[str]:
    """Return the members of LICENCES that a source states, without versions; empty if unknown.

    A statement that leaves part of the data open is unknown as a whole. If Wikipedia's text may be
    used under CC BY-SA or GFDL, CC BY-SA counts.
    """
    text = _spelt(text)
    if _UNKNOWN.search(text):
        return set()
    text = _EITHER.sub(r"\1", text)
    # "cc by" does not match in "cc by-sa", but "apache" does in "apache-2.0"
    return {
        name for name in LICENCES if re.search(rf"(?<![\w-]){name.casefold()}(?!-?[a-z(])", text)
    }


def forbids_derivatives(statement: str) -> bool:
    """Return whether a source may not be shared in another form, as under CC BY-ND."""
    return bool(re.search(r"(?<![a-z\d])nd(?![a-z])", _spelt(statement)))


def _spelt(statement: str) -> str:
    """Return a statement in lower case, Creative Commons as in LICENCES, with single blanks."""
    text = " ".join(unicodedata.normalize("NFKC", statement).casefold().split())
    for spelling, ours in _SPELLINGS.items():
        text = re.sub(spelling, ours, text)
    return _CREATIVE_COMMONS.sub(
        lambda found: "cc " + "-".join(part for part in _PARTS if part in found[0]), text
    )


def admits(names: Sequence[str], licence: str) -> bool:
    """Return whether all licences that a source states are among `names`; without names, always.

    Raises:
        KasuError: a name is not in LICENCES.
    """
    known = {name.casefold(): name for name in LICENCES}
    for name in names:
        if name.casefold() not in known:
            raise KasuError(
                f"config licences: {name!r}", "no such licence", f"one of {', '.join(LICENCES)}"
            )
    stated = licences_of(licence)
    return not names or (bool(stated) and stated <= {known[name.casefold()] for name in names})


def strictest(licences: Sequence[str]) -> str:
    """Return the licence of a whole: the strictest of its sources, and the user's own if any.

    A licence that is unknown is stricter than all that are stated.
    """

    def rank(licence: str) -> tuple[int, list[str]]:
        unlisted = len(STRICTNESS)
        if is_unknown(licence):
            return unlisted + 1, []
        ranks = [
            STRICTNESS.index(name) if name in STRICTNESS else unlisted
            for name in licences_of(licence)
        ]
        place = max(ranks, default=unlisted)
        # A later version of a licence wins, since it takes in what is under an earlier one
        return place, re.findall(r"\d\.\d", licence) if place < unlisted else []

    stated = [licence for licence in licences if licence != LOCAL]
    bound = [max(stated, key=rank)] if stated else []
    own = [LOCAL] if LOCAL in licences else []
    return " and ".join(bound + own) or "not stated"


def is_unknown(statement: str) -> bool:
    """Return whether a statement leaves open how a part of the data may be used."""
    text = _spelt(statement)
    return not text or LOCAL in text or bool(_UNKNOWN.search(text))


def hub_licence(statement: str) -> dict[str, str]:
    """Return a card's fields for a licence as stated: `license`, perhaps `license_name`.

    It is `unknown` if part of the data is the user's own or under unknown terms. It is `other`,
    with an identifier made of the statement, if the hub's list has no such licence; if more than
    one is stated; or if several versions could be meant that the hub does not list as one.
    """
    if is_unknown(statement):
        return {"license": "unknown"}
    if len(names := licences_of(statement)) == 1:
        name = names.pop().casefold()
        identifier = name.replace(" ", "-")
        versions = re.findall(rf"{re.escape(name)}[ -]v?(\d\.\d)", _spelt(statement))
        stated = {f"{identifier}-{version}" for version in versions} or {
            known for known in HUB_LICENCES if re.fullmatch(rf"{identifier}(-\d\.\d)?", known)
        }
        if len(stated) == 1 and stated <= {*HUB_LICENCES}:
            return {"license": stated.pop()}
        if identifier in HUB_LICENCES:  # of some it lists all versions as one, a family
            return {"license": identifier}
    own = re.sub(r"[^a-z0-9.]+", "-", statement.casefold()).strip("-.")
    if own in HUB_LICENCES:
        return {"license": own}
    return {"license": "other", "license_name": own or "custom"}


def size_category(rows: int) -> str:
    """Return the hub's word for a number of rows, one of HUB_SIZES."""
    return HUB_SIZES[sum(rows >= 1000 * 10**power for power in range(len(HUB_SIZES) - 1))]


def write_card(
    path: str | Path,
    *,
    title: str,
    summary: str,
    header: Mapping[str, Sequence[str]],
    sources: Sequence[Mapping[str, str]],
    splits: Sequence[str],
    columns: Mapping[str, str],
    citation: str,
) -> None:
    """Write the card of a dataset, whose files lie beside it.

    Its header holds what https://github.com/huggingface/hub-docs/blob/main/datasetcard.md defines.
    A split without rows is left out of the header, since the hub cannot load it; the text lists it.

    Args:
        title, summary, citation: plain text, as are names, licences and citations of sources.
        header: further fields of the header: `language` and `task_categories`.
        sources: `name`, `licence` and `citation` of each source.
        splits: each is a file `<split>.parquet`.
        columns: the meaning of each column, in Markdown.

    Raises:
        KasuError: the file of a split is missing or damaged.
    """
    readers = {split: ParquetReader(Path(path).parent / f"{split}.parquet") for split in splits}
    filled = {split: reader for split, reader in readers.items() if reader.rows}
    licence = strictest([source["licence"] for source in sources])
    head = {
        "pretty_name": visible(title),
        **{key: list(values) for key, values in header.items()},
        "size_categories": [size_category(sum(reader.rows for reader in filled.values()))],
        **hub_licence(licence),
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": split, "path": f"{split}.parquet"} for split in filled],
            }
        ],
        "dataset_info": _describe_files(filled),
    }
    lines = [
        f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n",
        f"# {as_text(title)}\n\n{as_text(summary)}\n",
        f"## Licence\n\nThe strictest of the sources binds the whole: **{as_text(licence)}**.\n",
        *source_lines(sources),
        "\n## Rows\n\n| split | rows |\n|---|---|",
        *(_row(split, str(reader.rows)) for split, reader in readers.items()),
        "\n## Columns\n\n| column | meaning |\n|---|---|",
        *(_row(_code(column), meaning) for column, meaning in columns.items()),
        f"\n## Citation\n\n{as_text(citation)}\n",
    ]
    write_text(path, "\n".join(lines))


_SOURCE = ("name", "licence", "citation")


def source_lines(sources: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the lines of a table of sources in Markdown."""
    rows = (_row(*(as_text(source[key]) for key in _SOURCE)) for source in sources)
    return ["| source | licence | citation |\n|---|---|---|", *rows]


@dataclass(frozen=True)
class Card:
    """What a card says: the arguments of `write_card` but for its path."""

    title: str
    summary: str
    header: Mapping[str, Sequence[str]]
    sources: Sequence[Mapping[str, str]]
    splits: Sequence[str]
    columns: Mapping[str, str]
    citation: str


def read_card(path: str | Path) -> Card:
    """Read a card of `write_card`.

    Raises:
        KasuError: the file is missing, or no such card.
    """
    text = read_text(path, "the card of a dataset")
    try:
        _, head, body = re.split(r"^---\n", text, maxsplit=2, flags=re.MULTILINE)
        fields: dict[str, Any] = yaml.safe_load(head)
        start, *parts = re.split(r"^## (Licence|Rows|Columns|Citation)$", body, flags=re.MULTILINE)
        named = dict(zip(parts[::2], parts[1::2], strict=True))
        return Card(
            title=fields["pretty_name"],
            summary=_plain(start.strip().split("\n\n", 1)[1]),
            header={key: fields[key] for key in ("language", "task_categories") if key in fields},
            sources=[
                dict(zip(_SOURCE, map(_plain, cells), strict=True))
                for cells in _cells(named["Licence"])
            ],
            splits=[split for split, _ in _cells(named["Rows"])],
            # What a column means is Markdown already
            columns={
                _plain(name.strip("`")): meaning.replace(r"\|", "|")
                for name, meaning in _cells(named["Columns"])
            },
            citation=_plain(named["Citation"].strip()),
        )
    except (yaml.YAMLError, AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise KasuError(path, "no card of a dataset", "one that Kasu wrote") from error


def _cells(section: str) -> list[list[str]]:
    """Return the cells of the rows of a section's table."""
    lines = [line for line in section.split("\n") if line.startswith("| ")]
    return [re.split(r" \| ?", line.removeprefix("| "))[:-1] for line in lines[1:]]


def _plain(markdown: str) -> str:
    """Undo `as_text`."""
    return re.sub(r"\\(.)", r"\1", markdown)


def _describe_files(readers: Mapping[str, ParquetReader]) -> dict[str, object]:
    """Return the card's `dataset_info`: sizes in memory and on disk, as `datasets` has them.

    `datasets` ignores all of it if a split lacks one of the three fields.
    """
    splits = [
        {
            "name": split,
            "num_bytes": sum(batch.nbytes for batch in reader.batches()),
            "num_examples": reader.rows,
        }
        for split, reader in readers.items()
    ]
    return {
        "splits": splits,
        "download_size": sum(Path(reader.path).stat().st_size for reader in readers.values()),
        "dataset_size": sum(split["num_bytes"] for split in splits),
    }


def as_text(text: str) -> str:
    """Return Markdown that shows a text as it is, on one line."""
    return _MARKUP.sub(r"\\\g<0>", visible(" ".join(text.split())))


def _code(name: str) -> str:
    """Return the name of a column as code, which cannot hold the mark of its own end."""
    return as_text(name) if "`" in name else f"`{visible(name)}`"


def _row(*cells: str) -> str:
    """Return a row of a Markdown table; a bar in a cell and a line end are escaped."""
    return (
        "| "
        + " | ".join(re.sub(r"(?<!\\)\|", r"\\|", " ".join(cell.split())) for cell in cells)
        + " |"
    )
