"""A treebank as a corpus: its sentences, and its annotation in place of an analyser's readings.

What comes out has the columns of `extract_*` and `analyse_corpus`, so whatever reads the analysis
of a text reads a treebank's too: one unit for each syntactic word, with one reading.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.corpora.morphology.apertium import schema
from kasu.corpora.morphology.stream import escape
from kasu.corpora.morphology.tagset import Tagset, read_tagset
from kasu.corpora.texts.sentences import SENTENCES, normalise, words
from kasu.corpora.treebanks.conllu_rules import EMPTY
from kasu.corpora.treebanks.treebank import WITHHELD, Sentence, Token, read_treebank
from kasu.files.tables import ParquetReader, ParquetWriter, landing, write_counts, write_drops

AT_ONCE = 1_000  # sentences


def extract_sentences(
    treebank: str | Path, sentences: str | Path, counts: str | Path, drops: str | Path
) -> None:
    """Write the sentences of a treebank's file (SENTENCES), counts and drops.

    Raises:
        KasuError: no sentence has a word.
    """
    source = Path(treebank).stem
    steps: Counter[str] = Counter(dict.fromkeys(("sentences", "words"), 0))
    dropped: Counter[str] = Counter()
    rows = []
    for sentence in read_treebank(treebank):
        text = normalise(sentence.surface())
        if sentence.withheld or not (size := len(words(text))):
            dropped[WITHHELD if sentence.withheld else "no word"] += 1
            continue
        steps.update(sentences=1, words=size)
        name = _name(source, sentence)
        rows.append({"sentence_id": name, "source": source, "article": None, "text": text})
    if not rows:
        raise KasuError(treebank, "no sentence with a word", "a treebank with its text")
    with landing(sentences) as part, ParquetWriter(part, SENTENCES) as writer:
        writer.write(rows)
    write_counts(counts, steps)
    write_drops(drops, dropped)


def read_annotation(
    sentences: str | Path,
    treebanks: Sequence[str | Path],
    analyses: str | Path,
    counts: str | Path,
    *,
    tagset: str | Path,
) -> None:
    """Write the annotation of a corpus's sentences as `analyse_corpus` writes readings.

    Args:
        sentences: of a corpus made from `treebanks`, in the same order.
        tagset: its tags are features, parts of speech, or several joined by `|`.

    Raises:
        KasuError: as `read_tagset`; no word fills a slot.
    """
    tags = read_tagset(tagset)
    corpus = ParquetReader(sentences).batches(columns=["sentence_id"])
    kept = {name for batch in corpus for name in batch.column(0).to_pylist()}
    agree, silent = "units that agree", "finite verbs that show no number"
    steps = Counter(dict.fromkeys(("sentences", "units", agree, silent), 0))
    columns = schema(tags)
    with landing(analyses) as part, ParquetWriter(part, columns) as writer:
        rows: list[dict] = []
        for name, sentence in chain.from_iterable(map(_named, treebanks)):
            if name not in kept:  # a duplicate
                continue
            steps["sentences"] += 1
            for unit, word in enumerate(sentence.words):
                cells = reading_of(word, tags)
                agrees = any(cells[slot] for slot in tags.slots)
                finite = cells["pos"] == tags.finite
                steps.update({"units": 1, agree: agrees, silent: finite and not agrees})
                rows.append({"sentence_id": name, "unit": unit, "rank": 0, **cells})
            if steps["sentences"] % AT_ONCE == 0:
                writer.write(rows)
                rows = []
        writer.write(rows)
    if not steps[agree]:
        marks = next(iter(tags.slots.values()), {})
        found = f"none of {steps['units']} words is {' or '.join(marks) or 'in a slot'}"
        raise KasuError(tagset, found, "features of the treebank")
    write_counts(counts, steps)


def _named(treebank: str | Path) -> Iterator[tuple[str, Sentence]]:
    return ((_name(Path(treebank).stem, each), each) for each in read_treebank(treebank))


def _name(source: str, sentence: Sentence) -> str:
    return f"{source}:{sentence.sentence_id}"


def reading_of(word: Token, tagset: Tagset) -> dict[str, str | None]:
    """Return the reading of a word: the columns of `schema` from `surface` on, without `rank`.

    A word is a finite verb if it has the tagset's mark of finite verbs or fills a slot.
    """
    features = [] if word.feats == EMPTY else word.feats.split("|")
    tags = [word.upos, *features]
    slots = tagset.marked_slots(tags)
    finite = any(slots.values()) or tagset.fits(tagset.finite, tags)
    pos = tagset.finite if finite else word.upos
    lemma = word.form if word.lemma == EMPTY else word.lemma
    written = "".join(f"<{tag}>" for tag in (pos, *features))
    suffix, parts = tagset.marked_suffix(word.form, tags)
    return {
        "surface": word.form,
        "lemma": lemma,
        "pos": pos,
        "tags": written,
        "reading": escape(lemma) + written + parts,
        "suffix": suffix,
        **slots,
    }
