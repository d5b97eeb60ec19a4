"""Tasks of lm-evaluation-harness: YAML over one template, beside the data as JSON lines."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from kasu.audits.data.items import IN_CHOICES
from kasu.base.errors import KasuError
from kasu.exports.dataset import ATTRIBUTION, ITEMS, LICENCE, Dataset
from kasu.exports.hub import write_licence
from kasu.exports.items import Item, as_name, expect_apart, items_of, read_forms
from kasu.files.tables import write_text

TEMPLATE = "_template_yaml"
PREFIX = "kasu_"
"""Of the names of tasks, which lm-eval has many of."""
VERSION = {"version": 1.0}


def write_harness(folder: Path, dataset: Dataset, by: str | None = None) -> None:
    """Write TEMPLATE, a task for each phenomenon with its data, and their group.

    Of whole sentences, nothing stands before the first word; of multiple choice, the context. The
    right option is always the first.

    Raises:
        KasuError: the dataset is neither pairs, sets nor multiple choice; it has several splits,
            none of them ITEMS; or a phenomenon is not in the split that is evaluated.
    """
    benchmarks = read_forms(dataset, by)
    asked = _asked(dataset)
    items = {
        split: list(items_of(dataset, split, benchmark)) for split, benchmark in benchmarks.items()
    }
    follows = any(benchmark.form == IN_CHOICES for benchmark in benchmarks.values())
    template = {
        "dataset_path": "json",
        "output_type": "multiple_choice",
        "test_split": asked,
        "doc_to_text": "{{context}}" if follows else "",
        "target_delimiter": " " if follows else "",
        "doc_to_choice": "choices",
        "doc_to_target": 0,
        "num_fewshot": 0,
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
    }
    _write_yaml(folder / TEMPLATE, template)
    about = list(dict.fromkeys(item.about for item in items[asked]))
    if others := {item.about for found in items.values() for item in found} - {*about}:
        found = f"{min(others)!r} in other splits than {asked}"
        raise KasuError(dataset.path, found, f"each phenomenon in {asked}; or --by ''")
    names = expect_apart(dataset.path, about)
    whole = f"{PREFIX}{as_name(dataset.name)}"
    tasks = {value: whole if about == [""] else f"{whole}_{names[value]}" for value in about}
    for value, task in tasks.items():
        chosen = {
            split: [item for item in found if item.about == value] for split, found in items.items()
        }
        _write_task(folder, task, chosen, dataset.licence, follows)
    if about != [""]:
        group = {
            "group": whole,
            "task": list(tasks.values()),
            "aggregate_metric_list": [{"metric": "acc", "weight_by_size": True}],
            "metadata": VERSION,
        }
        _write_yaml(folder / f"_{whole}.yaml", group)
    write_licence(folder, dataset)


def _asked(dataset: Dataset) -> str:
    """Return the split that is evaluated."""
    splits = list(dataset.files)
    if len(splits) > 1 and ITEMS not in splits:
        raise KasuError(dataset.path, f"splits {', '.join(splits)}", f"{ITEMS}; or one file")
    return ITEMS if ITEMS in splits else splits[0]


def _write_task(
    folder: Path, task: str, splits: Mapping[str, Sequence[Item]], licence: str, follows: bool
) -> None:
    files = {}
    for split, items in splits.items():
        if items:
            files[split] = f"data/{task}.{split}.jsonl"
            lines = (json.dumps(_line(item, follows), ensure_ascii=False) for item in items)
            write_text(folder / files[split], "".join(f"{line}\n" for line in lines))
    stated = {
        "include": TEMPLATE,
        "task": task,
        # From the folder in which lm_eval runs
        "dataset_kwargs": {"data_files": files},
        "metadata": {
            **VERSION,
            LICENCE: licence,
            "rows": {split: len(splits[split]) for split in files},
        },
    }
    _write_yaml(folder / f"{task}.yaml", stated)


def _line(item: Item, follows: bool) -> dict[str, object]:
    return {
        "context": " ".join(item.context) if follows else "",
        "choices": item.options,
        LICENCE: item.row[LICENCE],
        ATTRIBUTION: item.row[ATTRIBUTION],
    }


def _write_yaml(path: Path, values: Mapping[str, object]) -> None:
    write_text(path, yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True))
