"""What `datasets`, `mlcroissant` and `lm_eval` make of exports, for check_exports.py.

It runs in their environment, and prints JSON in its last line: of folders of the hub the rows of
each split, of Croissant the rows of each record set, of lm-eval the accuracy of each task.
"""

import json
import os
import sys
import tempfile
from pathlib import Path


def read_hub(folder: str) -> dict[str, int]:
    """The rows of each split, as `datasets` loads and verifies the folder."""
    import datasets

    datasets.disable_progress_bars()
    loaded = datasets.load_dataset(folder, verification_mode="all_checks")
    return {split: len(rows) for split, rows in loaded.items()}


def read_croissant(folder: str) -> dict[str, int]:
    """The rows of each record set, as `mlcroissant` validates and reads the folder."""
    import mlcroissant

    described = mlcroissant.Dataset(jsonld=Path(folder, "croissant.json"))
    return {
        record_set.uuid: sum(1 for _ in described.records(record_set.uuid))
        for record_set in described.metadata.record_sets
    }


def run_harness(folder: str, task: str, model: str) -> dict[str, float]:
    """The accuracies of a task or group, run in its folder."""
    import lm_eval
    from lm_eval.tasks import TaskManager

    os.chdir(folder)
    results = lm_eval.simple_evaluate(
        model="hf",
        model_args={"pretrained": model, "dtype": "float32"},
        tasks=[task],
        device="cpu",
        batch_size=8,
        bootstrap_iters=0,
        task_manager=TaskManager(include_path=folder),
    )
    found = {**results["results"], **(results.get("groups") or {})}
    return {name: of["acc,none"] for name, of in found.items() if "acc,none" in of}


if __name__ == "__main__":
    given = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {"HF_HUB_OFFLINE": "1", "HF_HOME": cache, "TOKENIZERS_PARALLELISM": "false"}
        found = {
            "hub": {folder: read_hub(folder) for folder in given["hub"]},
            "croissant": {folder: read_croissant(folder) for folder in given["croissant"]},
            "lm-eval": {
                folder: run_harness(folder, task, given["model"])
                for folder, task in given["lm-eval"].items()
            },
        }
    print(json.dumps(found))
