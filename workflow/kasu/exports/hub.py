"""A folder that `huggingface_hub` uploads as it is: parquet, card and licence."""

from pathlib import Path

from kasu.exports.dataset import ATTRIBUTION, CARD, LICENCE, Dataset
from kasu.files.tables import write_parquet, write_text
from kasu.sources.cards import as_text, source_lines, write_card

LICENCE_FILE = "LICENSE.md"


def write_hub(folder: Path, dataset: Dataset) -> None:
    """Write a parquet file for each split, the card and the licence."""
    for split, table in dataset.tables.items():
        write_parquet(folder / f"{split}.parquet", table, table.schema)
    write_card(folder / CARD, **vars(dataset.card))
    write_licence(folder, dataset)


def write_licence(folder: Path, dataset: Dataset) -> None:
    """Write LICENCE_FILE: the licence of the whole, and that of each source."""
    lines = [
        "# Licence\n",
        f"{as_text(dataset.name)}: **{as_text(dataset.licence)}**, the strictest of the sources."
        f" Each row states its own (`{LICENCE}`) and whom to name (`{ATTRIBUTION}`).\n",
        *source_lines(dataset.card.sources),
        f"\nTo cite: {as_text(dataset.card.citation)}\n",
    ]
    write_text(folder / LICENCE_FILE, "\n".join(lines))
