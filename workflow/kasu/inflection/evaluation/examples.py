"""Examples of inflection: a lemma, its features, the form, and what every submission answered."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from kasu.files.tables import read_parquet
from kasu.inflection.data.triples import TRIPLES
from kasu.inflection.evaluation.pairs import COPY
from kasu.results.examples import RIGHT, WRONG, Answer, Example, describe_draw, write_examples
from kasu.transduction.task.examples import draw_answers


def take_examples(
    files: Mapping[str, Sequence[str]],
    out: str | Path,
    *,
    submitted: Sequence[tuple[str, str]],
    datasets: Mapping[str, str],
    languages: Mapping[str, str],
    seed: int,
) -> None:
    """Draw test items by the answers of one submission (EXAMPLES).

    See `draw_answers`. The null beside the submissions answers with the lemma.

    Args:
        files: `predictions`, one file per submission and setting.
        submitted: the system and setting of each of them.
        datasets: the folder of each language's dataset.
        languages: code of each dataset's language.
        seed: seed of the draw.
    """
    keys = [(system, setting) for system, setting in submitted]
    predictions = dict(zip(keys, files["predictions"], strict=True))
    drawn, main, answers = draw_answers(predictions, lambda _, gold, given: gold == given, (), seed)
    tests: dict[str, list[dict]] = {}
    examples = []
    for each, ((_, name, item), found) in zip(drawn.items, answers.items(), strict=True):
        if name not in tests:
            path = Path(datasets[name]) / "test.parquet"
            tests[name] = read_parquet(path, TRIPLES.names).to_pylist()
        lemma, form, features = (tests[name][item][key] for key in TRIPLES.names)
        copied = Answer(COPY, lemma, RIGHT if lemma == form else WRONG)
        examples.append(
            Example(
                f"{name} {item}",
                each.group,
                languages[name],
                texts=[("lemma", lemma), ("features", features)],
                gold=[("form", form)],
                answers=[answer._replace(question="form") for answer in (*found, copied)],
            )
        )
    write_examples(out, [describe_draw(drawn, main, "test items, each once per setting")], examples)
