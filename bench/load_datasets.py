"""What the library `datasets` makes of folders with a card, for cards.py."""

import json
import os
import sys
import tempfile

given = json.load(sys.stdin)
with tempfile.TemporaryDirectory() as cache:
    os.environ |= {"HF_HUB_OFFLINE": "1", "HF_HOME": cache}
    import datasets  # reads the environment when it is imported

    datasets.disable_progress_bars()
    found = {}
    for folder in given["folders"]:
        # What it ignores of a card is not there
        announced = datasets.load_dataset_builder(folder).info
        loaded = datasets.load_dataset(folder, verification_mode="all_checks")
        found[folder] = {
            "announced": {name: split.num_examples for name, split in announced.splits.items()}
            if announced.splits
            else {},
            "rows": {name: len(split) for name, split in loaded.items()},
            "bytes": {name: split.info.splits[name].num_bytes for name, split in loaded.items()},
            "download_size": {split.info.download_size for split in loaded.values()}.pop(),
            "columns": sorted({json.dumps(split.column_names) for split in loaded.values()}),
            "types": len({str(split.features) for split in loaded.values()}),
        }
print(json.dumps(found))
