"""Examples of BLM: the seven sentences of a matrix, its six candidates, and which was chosen."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from kasu.files.tables import ParquetReader, read_parquet
from kasu.results.examples import (
    RIGHT,
    WRONG,
    Answer,
    Candidate,
    Example,
    Option,
    among,
    describe_draw,
    draw,
    write_examples,
)

_RUN = ("regime", "fold", "model", "variant", "seed")
_READ = ["problem_id", "train", "test", "chosen", "answer"]
_PROBLEM = ["problem_id", "context", "candidates", "labels", "answer"]
NO_CHOICE = "none"


def take_examples(
    files: Mapping[str, Sequence[str]],
    out: str | Path,
    *,
    run: Mapping[str, str | int | None],
    answers: str,
    language: str,
    seed: int,
) -> None:
    """Draw test problems by the choices of one network (EXAMPLES); groups are cells of Table 1.

    An example also shows the choices of all other networks and heuristics with the same regime,
    fold, variant and training type: those of the first seed of each.

    Args:
        files: `problems`, the test sets of the run's regime and fold, and `predictions`.
        run: the regime, fold, model, variant and seed of the network.
        answers: the answer sets that it was tested on.
        language: code of the problems' language.
        seed: of the draw.
    """
    drawn = draw(_candidates(files["predictions"], run), seed)
    chosen = among("problem_id", [each.key[2] for each in drawn.items])
    choices: dict[tuple, dict[str, int]] = {}
    for path in files["predictions"]:
        table = read_parquet(path, [*_RUN, *_READ], chosen & (pc.field("regime") == run["regime"]))
        for row in table.to_pylist():
            if row["variant"] == run["variant"] and row["fold"] == run["fold"]:
                key = row["train"], row["test"], row["problem_id"]
                choices.setdefault(key, {}).setdefault(row["model"], row["chosen"])
    problems = {
        row["problem_id"]: row
        for path in files["problems"]
        for row in read_parquet(
            path, _PROBLEM, chosen & (pc.field("variant") == answers)
        ).to_pylist()
    }
    examples = []
    for each in drawn.items:
        _, test, problem = each.key
        # Heuristics that read no training set choose the same under each
        by_model = choices[each.key] | choices.get((None, test, problem), {})
        examples.append(
            _example(problems[problem], each.group, by_model, str(run["model"]), language)
        )
    what = f"test problems of {run['regime']}, each once per training type"
    write_examples(out, [describe_draw(drawn, str(run["model"]), what)], examples)


def _candidates(paths: Iterable[str], run: Mapping[str, str | int | None]) -> Iterator[Candidate]:
    for path in paths:
        for batch in ParquetReader(path).batches(columns=[*_RUN, *_READ]):
            for row in batch.filter(_is_of(batch, run)).to_pylist():
                group = f"trained on {row['train']}, tested on {row['test']}"
                result = RIGHT if row["chosen"] == row["answer"] else WRONG
                yield Candidate(result, group, (row["train"], row["test"], row["problem_id"]))


def _is_of(batch: pa.RecordBatch, run: Mapping[str, str | int | None]) -> pa.Array:
    """Return which rows are of the run."""
    kept = pa.array([True] * batch.num_rows)
    for name in _RUN:
        column, value = batch.column(name), run[name]
        same = pc.is_null(column) if value is None else pc.equal(column, value)
        kept = pc.and_(kept, pc.fill_null(same, False))
    return kept


def _example(
    problem: Mapping, group: str, by_model: Mapping[str, int], main: str, language: str
) -> Example:
    labels, right = problem["labels"], problem["answer"]
    models = sorted(by_model, key=lambda model: model != main)
    return Example(
        problem["problem_id"],
        group,
        language,
        texts=[(str(place), text) for place, text in enumerate(problem["context"], 1)],
        options=[
            Option(label, text, place == right)
            for place, (label, text) in enumerate(zip(labels, problem["candidates"], strict=True))
        ],
        answers=[
            Answer(
                model,
                labels[by_model[model]] if by_model[model] >= 0 else NO_CHOICE,
                RIGHT if by_model[model] == right else WRONG,
            )
            for model in models
        ],
    )
