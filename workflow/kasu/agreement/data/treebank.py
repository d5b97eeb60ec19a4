"""A UD treebank as the networks read it: its text analysed, words with their annotation (§7.1)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa

from kasu.agreement.data.annotations import LABELS, NO_VALUE
from kasu.agreement.data.morphology import Reading, Unit, choose_reading
from kasu.agreement.data.sentences import SCHEMA, show_units
from kasu.agreement.data.tasks import SLOTS
from kasu.base.errors import KasuError
from kasu.corpora.morphology.apertium import Analyser, schema, unit_rows
from kasu.corpora.morphology.stream import find_units
from kasu.corpora.morphology.tagset import Tagset, read_tagset
from kasu.corpora.treebanks.conllu_rules import EMPTY as NO_CELL
from kasu.corpora.treebanks.treebank import (
    NO_HEAD,
    WITHHELD,
    Sentence,
    Token,
    features,
    read_treebank,
)
from kasu.files.tables import ParquetWriter, landing, write_counts, write_drops

# A dataset (SCHEMA) with the annotation of its units, null where a unit is not one word of the
# treebank. No verb is hidden: `target` and what depends on it mean nothing
TREEBANK = pa.schema(
    [*SCHEMA, ("split", pa.string()), *((name, pa.list_(pa.string())) for name in LABELS)]
)
SENTENCES_A_BATCH = 500
EMPTY = "sentences without a lexical unit"
HEADS = "sentences with heads"
SPLIT_WORDS = "words that are part of a unit, or several units"


def analyse_treebank(
    files: Mapping[str, str | Path],
    treebank: str | Path,
    counts: str | Path,
    drops: str | Path,
    *,
    dictionary: str | Path,
    tagset: str | Path,
    settings: Mapping,
) -> None:
    """Write a treebank as the networks of suffix prediction read it (TREEBANK).

    Args:
        files: CoNLL-U, by split.
        settings: of the dataset that the networks are trained on.

    Raises:
        KasuError: a file, the analyser or the tagset cannot be read; no word has a head.
    """
    tags = read_tagset(tagset)
    counted: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    with (
        closing(Analyser(dictionary)) as analyser,
        landing(treebank) as part,
        ParquetWriter(part, TREEBANK) as writer,
    ):
        for split, path in files.items():
            reader = read_treebank(path)
            while sentences := [*islice(reader, SENTENCES_A_BATCH)]:
                outputs = analyser.analyse([sentence.surface() for sentence in sentences])
                for sentence, output in zip(sentences, outputs, strict=True):
                    counted[f"{split}: sentences"] += 1
                    heads = [word.head != NO_CELL for word in sentence.words]
                    counted[HEADS] += any(heads)
                    counted[f"{split}: {NO_HEAD}"] += not all(heads)
                    units = _units(output, tags)
                    if sentence.withheld or not units:
                        dropped[WITHHELD if sentence.withheld else EMPTY] += 1
                        continue
                    rows = [*make_rows(sentence, units, split, tags, settings)]
                    words = sum(label is not None for label in rows[0]["upos"])
                    counted[f"{split}: words"] += words
                    dropped[SPLIT_WORDS] += len(sentence.words) - words
                    writer.write(rows)
        if not counted[HEADS]:
            found = "no word has a head"
            raise KasuError(", ".join(map(str, files.values())), found, "a parsed treebank")
    steps = [f"{split}: {what}" for split in files for what in ("sentences", "words")]
    steps += [step for split in files if counted[step := f"{split}: {NO_HEAD}"]]
    write_counts(counts, {step: counted[step] for step in steps})
    write_drops(drops, dropped)


def _units(output: str, tagset: Tagset) -> list[Unit]:
    """Read the lexical units in the analyser's output for a sentence."""
    names = schema(tagset).names[2:]
    units = []
    for text in find_units(output):
        cells = [dict(zip(names, row, strict=True)) for row in unit_rows(text, tagset)]
        readings = [
            Reading(
                cell["lemma"],
                cell["pos"],
                cell["reading"],
                cell["suffix"],
                tuple(cell.get(slot) for slot in SLOTS),
            )
            for cell in cells
        ]
        units.append(Unit(cells[0]["surface"], readings))
    return units


def make_rows(
    sentence: Sentence, units: Sequence[Unit], split: str, tagset: Tagset, settings: Mapping
) -> Iterator[dict]:
    """Yield a row of TREEBANK for each variant."""
    words = [sentence.words[at] if at is not None else None for at in align(
        [word.form for word in sentence.words], [unit.surface for unit in units]
    )]  # fmt: skip
    # Splits are files of their own, and may number their sentences alike
    name = f"{split}:{sentence.sentence_id}"
    shared = {
        **show_units(units, tagset, settings),
        "sentence_id": name,
        "cluster": name,
        "licensed": [""] * len(units),
        "target": 0,
        **dict.fromkeys(SLOTS, NO_VALUE),
        "third_plural_ergative": False,
        "split": split,
        **{name: [word and _label(word, name) for word in words] for name in LABELS},
    }
    for variant in settings["variant"]:
        lemmas = [choose_reading(unit, variant, tagset).lemma for unit in units]
        named = {"item_id": f"{name}|{variant}", "variant": variant}
        yield {**shared, **named, "lemmas": lemmas}


def _label(word: Token, name: str) -> str:
    if name in ("upos", "deprel"):
        cell = str(getattr(word, name))
        return NO_VALUE if cell == NO_CELL else cell
    return features(word.feats).get(name.capitalize(), NO_VALUE)


def align(words: Sequence[str], units: Sequence[str]) -> list[int | None]:
    """Find, for each unit, the position of the word that it is.

    None for a unit that is a part of a word, or several words. Words and units spell the same text
    but for blanks; units may leave some of it out.
    """
    texts = ["".join(word.split()) for word in words]
    ends = np.cumsum([len(text) for text in texts]).tolist()
    # Begin and end of each word, in characters of the text without blanks -> its position
    spans = {(end - len(texts[at]), end): at for at, end in enumerate(ends)}
    text, here = "".join(texts), 0
    found = []
    for unit in units:
        # Look for each unit after the one before it; it is a word if both its ends are a word's
        surface = "".join(unit.split())
        begin = text.find(surface, here)
        if begin >= 0:
            here = begin + len(surface)
        found.append(spans.get((begin, here)))
    return found
