"""A treebank of three sentences about a child and an apple, and a builder of sets from it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kasu.minimal_sets.data.design import Design
from kasu.minimal_sets.data.sets import build_set
from kasu.minimal_sets.evaluation.scored_sets import COUNTS, ScoredSet

CHILD, APPLE = "Animacy=Anim|Case={}|Number=Sing", "Animacy=Inan|Case={}|Number=Sing"
SENTENCES = {
    "ate": [
        ("ბავშვმა", "ბავშვი", "NOUN", CHILD.format("Erg"), 3, "nsubj"),
        ("ვაშლი", "ვაშლი", "NOUN", APPLE.format("Nom"), 3, "obj"),
        ("შეჭამა", "ჭამა", "VERB", "Aspect=Perf|Tense=Past", 0, "root"),
    ],
    "eats": [
        ("ბავშვი", "ბავშვი", "NOUN", CHILD.format("Nom"), 3, "nsubj"),
        ("ვაშლს", "ვაშლი", "NOUN", APPLE.format("Dat"), 3, "obj"),
        ("ჭამს", "ჭამა", "VERB", "Aspect=Imp|Tense=Pres", 0, "root"),
    ],
    "loves": [
        ("ბავშვს", "ბავშვი", "NOUN", CHILD.format("Dat"), 3, "nsubj"),
        ("ვაშლი", "ვაშლი", "NOUN", APPLE.format("Nom"), 3, "obj"),
        ("უყვარს", "უყვარს", "VERB", "Tense=Pres", 0, "root"),
    ],
}
SOURCES = [{"name": "Three sentences", "licence": "CC0", "citation": "none"}]
ERGATIVE = """
pattern { V [upos=VERB]; S [Case=Erg]; O [Case=Nom]; V -[nsubj]-> S; V -[obj]-> O }
"""


def conllu(sentences: dict[str, list[tuple]]) -> str:
    """Sentences as CoNLL-U, a full stop after each text, and no blank after an apostrophe."""
    blocks = []
    for name, words in sentences.items():
        text = " ".join(word[0] for word in words).replace("' ", "'") + "."
        rows = [
            "\t".join((str(at), form, lemma, upos, "_", feats, str(head), label, "_", "_"))
            for at, (form, lemma, upos, feats, head, label) in enumerate(words, 1)
        ]
        blocks.append("\n".join((f"# sent_id = {name}", f"# text = {text}", *rows)))
    return "\n\n".join(blocks) + "\n\n"


@pytest.fixture
def write_treebank(tmp_path: Path) -> Callable[..., Path]:
    """A writer of sentences as a file of CoNLL-U."""

    def write(sentences: dict[str, list[tuple]], name: str = "other.conllu") -> Path:
        path = tmp_path / name
        path.write_text(conllu(sentences), encoding="utf-8")
        return path

    return write


@pytest.fixture
def treebank(write_treebank) -> Path:
    """The three sentences as a file."""
    return write_treebank(SENTENCES, "toy.conllu")


@pytest.fixture
def build(treebank: Path, tmp_path: Path) -> Callable[..., Path]:
    """Build a set from them: the ergative subjects, unless the arguments say otherwise."""

    def build(
        request: str = ERGATIVE,
        treebanks=None,
        lexicon=(),
        unimorph=(),
        conventions=None,
        language="kat",
        **design,
    ):
        folder = tmp_path / "set"
        facts = {"name": "toy", "target": "S", "values": ["Nom", "Dat", "Erg"], "verb": "V"}
        build_set(
            treebanks or [treebank],
            request,
            folder,
            design=Design(**(facts | {"licence": "CC0"} | design)),
            language=language,
            sources=SOURCES,
            lexicon=lexicon,
            unimorph=unimorph,
            conventions=conventions,
        )
        return folder

    return build


@pytest.fixture
def cell() -> Callable[..., ScoredSet]:
    """A builder of cells from scores, right values and counts by unit."""

    def make(scores, right, **units) -> ScoredSet:
        """A cell of items with three forms (dat, erg, nom), each item from its own sentence."""
        scores = np.array(scores, float)
        names = np.array([f"s{at}" for at in range(len(scores))])
        lacking = np.full(scores.shape, np.nan)
        known = {name: np.array(matrix, float) for name, matrix in units.items()}
        units = dict.fromkeys(COUNTS, lacking) | {"word": np.ones(scores.shape)} | known
        right = np.array([("dat", "erg", "nom").index(value) for value in right])
        blank = np.full(len(scores), "")
        return ScoredSet(
            values=("dat", "erg", "nom"),
            items=names,
            sentences=names,
            tense=blank,
            aspect=blank,
            seen=blank,
            right=right,
            scores=scores,
            units=units,
            vocabulary=None,
            predictions="made.parquet",
        )

    return make
