"""Examples of cloze: a sentence with a gap, the lemma, the form, and what systems answered."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from kasu.cloze.data.datasets import read_dataset
from kasu.cloze.data.sentences import Sentence
from kasu.corpora.texts.spelling import lower_case
from kasu.results.examples import GAP, Example, describe_draw, write_examples
from kasu.transduction.task.examples import draw_answers


def take_examples(
    files: Mapping[str, Sequence[str]],
    out: str | Path,
    *,
    submitted: Sequence[tuple[str, str]],
    datasets: Mapping[str, str],
    languages: Mapping[str, str],
    nulls: Sequence[str],
    seed: int,
) -> None:
    """Draw targets by the answers of one submission (EXAMPLES).

    See `draw_answers`. An answer is right if it is the form of the treebank, capital letters aside,
    as in the official scorer; other forms that fit are named.

    Args:
        files: `predictions`, one file per submission and setting.
        submitted: the system and setting of each of them.
        datasets: the folder of each language's dataset.
        languages: code of each dataset's language.
        nulls: the systems that are drawn by only where no other answered.
        seed: seed of the draw.
    """

    def judge(language: str, gold: str, given: str) -> bool:
        small = lower_case(languages[language])
        return small(gold) == small(given)

    keys = [(system, setting) for system, setting in submitted]
    predictions = dict(zip(keys, files["predictions"], strict=True))
    drawn, main, answers = draw_answers(predictions, judge, nulls, seed)
    targets: dict[str, list[tuple[Sentence, int]]] = {}
    examples = []
    for each, ((_, name, item), found) in zip(drawn.items, answers.items(), strict=True):
        if name not in targets:
            sentences = read_dataset(Path(datasets[name]) / "test.parquet")
            targets[name] = [
                (words, place)
                for words in sentences
                for place, word in enumerate(words)
                if word.target
            ]
        words, place = targets[name][item]
        examples.append(
            Example(
                f"{name} {item}",
                each.group,
                languages[name],
                texts=_texts(words, place),
                gold=[("form", words[place].form)],
                answers=[answer._replace(question="form") for answer in found],
            )
        )
    write_examples(
        out,
        [describe_draw(drawn, main, "words asked for in test sentences, each once per setting")],
        examples,
    )


def _texts(words: Sentence, place: int) -> list[tuple[str, str]]:
    shown = [word.form for word in words]
    shown[place] = GAP
    asked = words[place]
    texts = [("", " ".join(shown)), ("lemma", asked.lemma or "")]
    others = [form for form in asked.plausible if form != asked.form]
    return [*texts, ("would fit too", ", ".join(others))] if others else texts
