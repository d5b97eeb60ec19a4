"""A dataset made from a treebank and paradigms, as the organisers made theirs (§3.2)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kasu.base.errors import KasuError
from kasu.cloze.data.annotations import (
    AGREEMENT,
    MOST_FORMS,
    Item,
    Marks,
    agreement_rows,
    make_item,
    plausible,
    read_annotations,
)
from kasu.cloze.data.datasets import write_dataset
from kasu.cloze.data.drawing import BUDGETS, TEST_TARGETS, choose_hit, draw, head, tokens
from kasu.cloze.data.names import MADE, RELEASED_IN, UD_SPLITS
from kasu.cloze.data.recovery import RECOVERED, Released, read_released
from kasu.cloze.data.sentences import Sentence, Word, target_class
from kasu.cloze.data.sheets import write_sheet
from kasu.cloze.data.treebank import CONVERSION, FEATURES, Candidate, TreebankReader
from kasu.corpora.paradigms.unimorph import ParadigmCell, Paradigms, read_paradigms
from kasu.corpora.treebanks.conversion import read_conversion
from kasu.files.tables import write_tsv
from kasu.job.run import log


def build_dataset(
    files: Mapping[str, Any],
    folder: str | Path,
    *,
    name: str,
    settings: Mapping[str, Any],
    seed: int,
    sources: Sequence[Mapping[str, str]],
) -> None:
    """Convert a treebank, and draw training, dev and test sets from its candidates.

    Args:
        files: `train`, `dev`, `test`, CoNLL-U files, as many as there are; `paradigms`, a list;
            `conversion`, the table of features; perhaps `annotations`, a list of sheets returned;
            and perhaps `released_high`, `released_dev` and `released_test`.
        folder: receives the dataset and the files of MADE.
        name: name of the dataset.
        settings: `language`, `variant`, `lemmata`, `least`, `features_second`.
        seed: seed of the draw.
        sources: `name`, `licence` and `citation` of each source, for the card.

    Raises:
        KasuError: a file is at fault, the paradigms are of another language, or a split has no
            candidate.
    """
    folder = Path(folder)
    cells, drops = _read_cells(files["paradigms"], settings["features_second"])
    paradigms = Paradigms(cells, settings["language"])
    reader = TreebankReader(
        read_conversion(files["conversion"], settings["language"]), paradigms,
        variant=settings["variant"], lemmata=settings["lemmata"],
    )  # fmt: skip
    released = read_released(released_files(files))
    drawn, steps = _draw(files, reader, released, drops, seed)
    reader.check_language(" and ".join(map(str, files["paradigms"])), settings["least"])
    for split, candidates in drawn.items():
        if not candidates:
            raise KasuError(files[split], f"no candidate for {name} ({settings['variant']})",
                            "sentences with a word that the paradigms have")  # fmt: skip
    items = [
        make_item(each.id, each.words, choose_hit(each, seed), paradigms)
        for each in drawn.get("test", ())
    ]
    annotations: dict[str, Marks] = {}
    for path in files.get("annotations", ()):
        if (annotator := Path(path).stem) in annotations:
            raise KasuError(path, f"a second {annotator!r}", "a file name for each annotator")
        annotations[annotator] = read_annotations(path, items)
    splits = {
        **_training_sets(name, drawn.get("train", ())),
        "dev": [_ask(each.words, each.hits) for each in drawn.get("dev", ())],
        "test": list(_test_set(items, list(annotations.values()), drops)),
    }
    steps |= {
        "inflected words": reader.inflected,
        "inflected words that the paradigms have": reader.inflected_found,
        "items in the sheet": len(items),
    }
    drops.update(reader.drops)
    drops["token with an unknown feature or class"] += reader.unknown
    write_dataset(
        folder, splits, language=name, sources=sources, code=settings["language"],
        drops=+drops, steps=steps,
    )  # fmt: skip
    write_tsv(folder / MADE["conversion"], reader.coverage_rows(), CONVERSION)
    write_tsv(folder / MADE["features"], reader.feature_rows(), FEATURES)
    write_tsv(folder / MADE["recovered"], (each.row() for each in released.values()), RECOVERED)
    write_tsv(folder / MADE["agreement"], agreement_rows(annotations, items), AGREEMENT)
    write_sheet(folder, items, name)


def released_files(files: Mapping[str, Any]) -> dict[str, Any]:
    """Return the released files to be found again, by their part of the release (RELEASED_IN)."""
    named = {part: f"released_{part}" for part in RELEASED_IN}
    return {part: files[key] for part, key in named.items() if key in files}


def _read_cells(
    paths: Iterable[str], features_second: bool
) -> tuple[list[ParadigmCell], Counter[str]]:
    cells: dict[ParadigmCell, None] = {}
    drops: Counter[str] = Counter()
    for path in paths:
        found, dropped = read_paradigms(path, features_second=features_second)
        cells |= dict.fromkeys(found)
        drops.update({f"paradigms: {reason}": count for reason, count in dropped.items()})
    return list(cells), drops


def _draw(
    files: Mapping[str, Any],
    reader: TreebankReader,
    released: Mapping[str, Released],
    drops: Counter[str],
    seed: int,
) -> tuple[dict[str, list[Candidate]], dict[str, int]]:
    """Draw sentences from each split of the treebank, and count what was seen."""
    drawn: dict[str, list[Candidate]] = {}
    steps: Counter[str] = Counter()

    def candidates(split: str) -> Iterator[Candidate]:
        for candidate in reader.read(files[split], split):
            steps[f"{split}: sentences of the treebank"] += 1
            steps[f"{split}: tokens of the treebank"] += tokens(candidate)
            if split in released:
                released[split].find(candidate)
            if candidate.hits:
                steps[f"{split}: candidate sentences"] += 1
                steps[f"{split}: words that may be asked for"] += len(candidate.hits)
                yield candidate
            else:
                drops[f"{split}: sentence without a word that may be asked for"] += 1

    for split in (split for split in UD_SPLITS if split in files):
        if split == "dev":
            drawn[split] = list(candidates(split))
        elif split == "train":
            drawn[split] = draw(candidates(split), BUDGETS["high"], tokens, seed)
        else:
            drawn[split] = draw(candidates(split), TEST_TARGETS, lambda _: 1, seed)
        left = steps[f"{split}: candidate sentences"] - len(drawn[split])
        drops[f"{split}: candidate sentence beyond the budget"] += left
    return drawn, dict(steps)


def _training_sets(name: str, drawn: Sequence[Candidate]) -> dict[str, list[Sentence]]:
    """Make the training sets: each is the head of the next.

    Those that the treebank is too small for are logged. All nouns, verbs and adjectives with a
    lemma are targets.
    """
    sets = {}
    held = sum(map(tokens, drawn))
    for size, budget in BUDGETS.items():
        if drawn and held < budget:
            found = "%s: %s: %s of %s tokens, all candidates of the treebank"
            log.warning(found, name, size, f"{held:,}", f"{budget:,}")
        sets[size] = [
            _ask(each.words, [at for at, word in enumerate(each.words) if _learnt(word)])
            for each in head(drawn, budget)
        ]
    return sets


def _learnt(word: Word) -> bool:
    return bool(target_class(word.features)) and word.lemma is not None


def _ask(words: Sentence, places: Iterable[int]) -> Sentence:
    """Return the sentence with targets at these places."""
    asked = list(words)
    for place in places:
        asked[place] = asked[place]._replace(plausible=(asked[place].form,))
    return asked


def _test_set(
    items: Sequence[Item], annotations: Sequence[Marks], drops: Counter[str]
) -> Iterator[Sentence]:
    """Yield test sentences with the forms that fit, without targets that many forms fit."""
    for item in items:
        forms = plausible(item, annotations)
        if len(forms) > MOST_FORMS:
            drops[f"test: target with more than {MOST_FORMS} forms that fit"] += 1
            continue
        asked = list(item.words)
        asked[item.place] = item.word._replace(plausible=forms)
        yield asked
