"""Whether the programs that exports are for read them, and score as Kasu does.

    python tools/check_exports.py results/demo

It exports a dataset of each kind below a folder of results to the hub's form, Croissant and
lm-eval, and reads them with `datasets`, `mlcroissant` and `lm_eval` in an environment of their own,
made on the first run (a network and some GB). Rows must be those of the cards, and accuracies of a
tiny causal model, made here, those of `kasu score`. It takes a minute more, and fails if anything
differs.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import torch
import yaml
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "bench"))
from environments import ask  # noqa: E402

REQUIREMENTS = (
    "lm-eval[hf]==0.4.13",
    "datasets==5.2.0",
    "mlcroissant[parquet]==1.1.1",
    f"torch=={version('torch').partition('+')[0]}",
)
KINDS = {
    "pairs": "pretraining/pairs/*-pairs.parquet",
    "sets": "minimal_sets/datasets/*",
    "matrices": "blm/datasets/type_I",
    "inflection": "inflection/datasets/*",
    "cloze": "cloze/datasets/*",
}
SCORED = ("pairs", "sets")
"""What `kasu score` reads, too."""


def kasu(*arguments: object) -> str:
    """Run a command of Kasu; return what it prints."""
    command = [sys.executable, "-m", "kasu", *map(str, arguments)]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return run.stdout


def first_of_each(results: Path) -> dict[str, Path]:
    """The first dataset of each kind."""
    found = {}
    for kind, pattern in KINDS.items():
        fitting = sorted(path for path in results.glob(pattern) if _is_dataset(path))
        if not fitting:
            sys.exit(f"error: {results}: no {pattern}")
        found[kind] = fitting[0]
    return found


def _is_dataset(path: Path) -> bool:
    return path.suffix == ".parquet" or (path / "README.md").exists()


def make_model(texts: Iterator[str], folder: Path) -> None:
    """Save a causal model with random weights and a tokenizer trained on texts."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=600,
            special_tokens=["<s>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        ),
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="<s>"
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=600, n_positions=512, n_embd=32, n_layer=2, n_head=2, bos_token_id=0,
        eos_token_id=0, initializer_range=0.5,
    )  # fmt: skip
    GPT2LMHeadModel(config).save_pretrained(folder)


def texts_of(folders: list[Path]) -> Iterator[str]:
    """The options of all items."""
    for folder in folders:
        for file in sorted(folder.glob("data/*.jsonl")):
            for line in file.read_text(encoding="utf-8").splitlines():
                yield from json.loads(line)["choices"]


def main(results: str) -> None:
    """Export, read and compare; exit with 1 if anything differs."""
    os.environ["PYTHONPATH"] = str(HERE.parent / "workflow")
    with tempfile.TemporaryDirectory() as work:
        sys.exit(_check(Path(results), Path(work)))


def _check(results: Path, work: Path) -> bool:
    datasets = first_of_each(results)
    for kind, path in datasets.items():
        forms = ("hub", "croissant", "lm-eval")[: 3 if kind in (*SCORED, "matrices") else 2]
        for form in forms:
            kasu("export", path, "--to", form, "--out", work / form / kind)
    harness = sorted((work / "lm-eval").iterdir())
    make_model(texts_of(harness), work / "model")
    given = {
        **{form: [str(work / form / kind) for kind in datasets] for form in ("hub", "croissant")},
        "lm-eval": {str(folder): _top(folder) for folder in harness},
        "model": str(work / "model"),
    }
    found = ask(str(HERE / "read_exports.py"), given, *REQUIREMENTS)
    if found is None:
        sys.exit(f"error: no {', '.join(REQUIREMENTS)}")
    differ = 0
    for kind, path in datasets.items():
        card = work / "hub" / kind / "README.md"
        head = yaml.safe_load(card.read_text(encoding="utf-8").split("---\n", 2)[1])
        rows = {each["name"]: each["num_examples"] for each in head["dataset_info"]["splits"]}
        for form in ("hub", "croissant"):
            differ += _say(kind, form, rows, found[form][str(work / form / kind)])
        if kind in SCORED:
            folder = work / "lm-eval" / kind
            ours = _accuracy(work / "model", path, work / f"{kind}.scores.parquet")
            theirs = found["lm-eval"][str(folder)][_top(folder)]
            differ += _say(kind, "lm-eval", round(ours, 9), round(theirs, 9))
        elif kind == "matrices":
            print(kind, "lm-eval", found["lm-eval"][str(work / "lm-eval" / kind)], sep="\t")
    return bool(differ)


def _top(folder: Path) -> str:
    """The group of a folder, or its only task."""
    groups = sorted(folder.glob("_*.yaml")) or sorted(folder.glob("*.yaml"))
    return groups[0].stem.removeprefix("_")


def _accuracy(model: Path, items: Path, out: Path) -> float:
    if items.is_dir():
        items /= "items.parquet"
    printed = kasu("score", model, items, "--definition", "causal", "--json", "--out", out)
    return json.loads(printed.splitlines()[0])["accuracy"]


def _say(kind: str, form: str, expected: object, found: object) -> bool:
    same = expected == found
    print(kind, form, expected, "the same" if same else f"DIFFERS: {found}", sep="\t")
    return not same


if __name__ == "__main__":
    main(*sys.argv[1:])
