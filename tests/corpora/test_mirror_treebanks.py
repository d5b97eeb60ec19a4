"""Every treebank of the mirror, read by a second, plain reader.

Every fourth is read whole, the beginning of the others.
"""

import gzip
import lzma
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from kasu.corpora.treebanks.treebank import features, read_treebank

OPENERS = {".gz": gzip.open, ".xz": lzma.open}


def kind_of(number: str) -> str:
    return "ranges" if "-" in number else "empty nodes" if "." in number else "words"


def counted(path: Path, most: int | None) -> Counter:
    """Count by the lines of a file alone, as far as so many sentences."""
    counts: Counter = Counter()
    inside = False
    with OPENERS.get(path.suffix, open)(path, "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            line = line.rstrip("\r\n")
            if line and not inside and counts["sentences"] == most:
                break
            if not line or line[0] == "#":
                inside = inside and bool(line)
                counts["texts"] += line.replace(" ", "").startswith("#text=")
                continue
            counts["sentences"] += not inside
            inside = True
            number, form, lemma, _, _, feats, head, relation, _, _ = line.split("\t")
            counts[kind_of(number)] += 1
            counts["characters"] += len(form) + len(lemma)
            counts["relation", relation] += 1
            counts["heads"] += int(head) if number.isdecimal() else 0
            for part in feats.split("|") if feats != "_" else ():
                name, _, value = part.partition("=")
                counts[name.replace("[", "__").replace("]", ""), value] += 1
    return +counts


def read(path: Path, most: int | None) -> Counter:
    """Count the same by the sentences that are read."""
    counts: Counter = Counter()
    for sentence in islice(read_treebank(path), most):
        counts.update(sentences=1, texts=sentence.text is not None)
        for token in sentence.tokens:
            counts[kind_of(token.id)] += 1
            counts["characters"] += len(token.form) + len(token.lemma)
            counts["relation", token.deprel] += 1
            counts["heads"] += int(token.head) if token.id.isdecimal() else 0
            counts.update(features(token.feats).items())
    return +counts


@pytest.mark.real
def test_counts_of_every_treebank_equal_those_of_a_plain_reader(mirror):
    paths = [path for folder in ("ud", "papers") for path in (mirror / folder).rglob("*.conllu*")]
    assert len(paths) >= 37
    wrong = []
    for number, path in enumerate(sorted(paths)):
        most = 300 if number % 4 else None
        if read(path, most) != counted(path, most):
            wrong.append(path.name)
    assert wrong == []
