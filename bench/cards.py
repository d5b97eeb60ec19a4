"""Whether the library `datasets` loads what the cards below a folder promise.

    python bench/cards.py results/demo

It has an environment of its own, made on the first run; then a second a dataset. Each dataset must
load with the splits, rows and sizes of its card, the same types in all splits, and the columns that
the card explains. It prints a line for each, and fails if one differs.
"""

import re
import sys
from pathlib import Path

import yaml
from environments import ask

DATASETS = "datasets==5.2.0"


def read_card(path: Path) -> dict[str, object]:
    """What a card promises, as `load_datasets.py` writes what it finds."""
    _, head, text = path.read_text(encoding="utf-8").split("---\n", 2)
    info = yaml.safe_load(head)["dataset_info"]
    rows = {split["name"]: split["num_examples"] for split in info["splits"]}
    columns = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    return {
        "announced": rows,
        "rows": rows,
        "bytes": {split["name"]: split["num_bytes"] for split in info["splits"]},
        "download_size": info["download_size"],
        "columns": ["[" + ", ".join(f'"{column}"' for column in columns) + "]"],
        "types": 1,
    }


def main(results: str) -> None:
    """Check all cards; exit with 1 if one differs, or if there is none."""
    cards = {str(path.parent): read_card(path) for path in sorted(Path(results).rglob("README.md"))}
    found = ask("load_datasets.py", {"folders": list(cards)}, DATASETS)
    if not cards or found is None:
        sys.exit(f"error: {f'no {DATASETS}' if cards else f'{results}: no card'}")
    wrong = 0
    for folder, card in cards.items():
        differ = {key: found[folder][key] for key in card if found[folder][key] != card[key]}
        wrong += bool(differ)
        print(folder, card["rows"], f"DIFFERS: {differ}" if differ else "as promised", sep="\t")
    print(f"{len(cards)} datasets, {wrong} differ from their cards")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
