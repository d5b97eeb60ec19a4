"""Text corpora: sentences from lines or paragraphs, deduplicated, and split by key."""

import functools
import hashlib
import mmap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import regex
import sentencex

from kasu.base.errors import KasuError
from kasu.corpora.texts.compressed import lines
from kasu.corpora.texts.json_lines import parse_object
from kasu.files.parts import reserve, temporary
from kasu.files.tables import ParquetReader, ParquetWriter, landing, write_counts, write_drops
from kasu.job.run import Progress, log, seed_of

SENTENCES = pa.schema(
    [
        ("sentence_id", pa.string()),
        ("source", pa.string()),
        ("article", pa.string()),
        ("text", pa.string()),
    ]
)
CORPUS = SENTENCES.append(pa.field("split_key", pa.string()))
SPLITS = ("train", "validation", "test")
BATCH = 8192
# Characters. sentencex takes quadratic time in quotes that never close; real paragraphs are shorter
LONGEST_PARAGRAPH = 1 << 15

# Control characters, soft hyphens and direction marks; not joiners, which some spellings need
_INVISIBLE = regex.compile(r"(?V1)[\p{Cc}\p{Cf}\p{Cs}--[\s\u200c\u200d]]+")
_WORD = regex.compile(r"(?w)\b(?=\w).+?\b")
# Scripts without blanks between words, where UAX 29 needs a dictionary: those of South-East Asia
# (UAX 14, class SA), of Chinese, Japanese and Tibetan. The first character of any speeds up search
UNSPACED = r"[\u0e00-\U0010ffff&&[\p{LB=SA}\p{Han}\p{Hiragana}\p{Katakana}\p{Tibetan}]]"
_UNSPACED = regex.compile(rf"(?V1){UNSPACED}+")
# Unicode (UAX 29, SB8): no sentence ends at a period before a lower-case letter. Stricter than
# SB8: digits may not intervene, since in "dago. 1949tik" a sentence does end
_GOES_ON = regex.compile(r"[^\p{L}\p{N}\p{SB=AT}\p{SB=ST}]*\p{SB=LO}")
_BLANK_BEFORE = regex.compile(r" (?=[,.;:!?)\]}»”…]+(?: |$))")
_BLANK_AFTER = regex.compile(r"(?<=(?:^| )[(\[{«“¿¡]) ")
_NAMES = regex.compile(r"\bN(?: N)+\b")


def normalise(text: str) -> str:
    """Return the text in NFC, without invisible characters, with single blanks between words."""
    return " ".join(_INVISIBLE.sub("", normalize("NFC", text)).split())


def words(text: str) -> list[str]:
    """Return the words and numbers of a text, by Unicode word boundaries (UAX 29).

    In scripts without blanks between words, such as Thai or Han, they are letters or syllables.
    """
    return _WORD.findall(text)


def split_sentences(paragraph: str, language: str) -> list[str]:
    """Split a normalised paragraph with sentencex; `language` is an ISO 639-1 code.

    Languages unknown to sentencex fall back on related ones or on English. Pieces that Unicode's
    rule SB8 keeps together are rejoined: Basque writes ordinals with a period (*XX. mendean*).
    A paragraph longer than LONGEST_PARAGRAPH is first cut at blanks.
    """
    sentences: list[str] = []
    start = 0
    while start < len(paragraph):
        end = start + LONGEST_PARAGRAPH
        if end < len(paragraph):
            end = paragraph.rfind(" ", start, end) + 1 or end
        sentences += _split_short(paragraph[start:end], language)
        start = end
    return [sentence.strip() for sentence in sentences if sentence.strip()]


def _split_short(paragraph: str, language: str) -> list[str]:
    sentences: list[str] = []
    for piece in sentencex.segment(language, paragraph):
        if sentences and sentences[-1].rstrip().endswith(".") and _GOES_ON.match(piece):
            sentences[-1] += piece
        else:
            sentences.append(piece)
    return sentences


def detokenise(text: str) -> str:
    """Remove the blanks that a tokeniser put around punctuation and quotes that open or close.

    A straight quote can do either, so it keeps its blanks.
    """
    return _BLANK_AFTER.sub("", _BLANK_BEFORE.sub("", text))


def mask(text: str) -> str:
    """Mask digits and names, so that near copies become equal (S-16).

    Any word with a capital counts as a name, also at the start of a sentence; adjacent names count
    as one.
    """

    def masked(word: regex.Match) -> str:
        text = word[0]
        if any(map(str.isdigit, text)):
            return "0"
        return "N" if text != text.lower() else text

    return _NAMES.sub("N", _WORD.sub(masked, text))


@dataclass(frozen=True)
class LineFormat:
    """How to read a text with one item per line.

    Attributes:
        language: ISO 639-1 code for the sentence splitter.
        fields: of JSON lines, the fields with the items: strings or lists of tokens.
        split: whether an item may hold several sentences; ends of lines inside it end them, too.
        tokenised: whether there are blanks around punctuation.
    """

    language: str
    fields: Sequence[str] = ()
    split: bool = False
    tokenised: bool = False

    def items(self, line: str, where: str) -> list[str]:
        """Return the items of a line as they stand; `where` names the line in errors."""
        return _fields(where, line, self.fields) if self.fields else [line]

    def sentences(self, item: str) -> list[str]:
        """Return the sentences of an item, normalised."""
        if not self.split:
            return [self._clean(item)]
        lines = map(self._clean, item.splitlines())
        return [text for line in lines for text in split_sentences(line, self.language)]

    def _clean(self, text: str) -> str:
        text = normalise(text)
        return detokenise(text) if self.tokenised else text


def read_lines(
    path: str | Path,
    sentences: str | Path,
    counts: str | Path,
    drops: str | Path,
    *,
    source: str,
    form: LineFormat,
) -> None:
    """Read a text with one item per line; write SENTENCES, counts and drops.

    Raises:
        KasuError: the file is empty, not UTF-8 or not JSON, or a field is missing.
    """
    steps: Counter[str] = Counter(dict.fromkeys(("lines", "items", "sentences", "words"), 0))
    dropped: Counter[str] = Counter()

    def rows() -> Iterator[dict[str, object]]:
        for number, line in lines(path):
            steps["lines"] += 1
            items = form.items(line, f"{path}:{number}")
            steps["items"] += len(items)
            several = len(items) > 1 or form.split
            count = 0
            for text in (text for item in items for text in form.sentences(item)):
                if not (size := len(words(text))):
                    dropped["no word"] += 1
                    continue
                count += 1
                steps["sentences"] += 1
                steps["words"] += size
                name = f"{source}:{number}:{count}" if several else f"{source}:{number}"
                yield {"sentence_id": name, "source": source, "article": None, "text": text}

    with landing(sentences) as part, ParquetWriter(part, SENTENCES) as writer:
        for batch in _batches(rows()):
            writer.write(batch)
        if not writer.rows:
            raise KasuError(path, f"no sentence in {steps['lines']} lines", "a text")
    write_counts(counts, steps)
    write_drops(drops, dropped)


def _batches(rows: Iterable[dict]) -> Iterator[list[dict]]:
    batch: list[dict] = []
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _fields(where: str, line: str, fields: Sequence[str]) -> list[str]:
    if not line.strip():
        return []
    item = parse_object(line, where)
    values = []
    for field in fields:
        value = item.get(field)
        if isinstance(value, list) and all(isinstance(token, str) for token in value):
            value = " ".join(value)
        if not isinstance(value, str):
            raise KasuError(where, f"no text in field {field!r}", "a string or a list of tokens")
        values.append(value)
    return values


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def build_corpus(
    sources: Sequence[str | Path],
    sentences: str | Path,
    counts: str | Path,
    drops: str | Path,
    *,
    refused: Sequence[str] = (),
) -> None:
    """Merge SENTENCES files into a CORPUS without exact duplicates, and add split keys.

    The first of sentences that are equal apart from blanks stays, in order of the sources. The
    split key, 16 hex digits, is a digest of source and article or, without an article, of the
    masked text (S-16). Near copies (sentences whose masked text occurred before) stay and are
    counted. Texts are compared by 64-bit digests (the chance that any two of 6 million share one
    is 1e-6); the digests lie on disk, so memory does not grow with the text. `refused` names
    sources left out for their licence; they are counted as drops. The log says so if most letters
    are of a script in which `words` finds no words.

    Raises:
        KasuError: no source has a sentence, or one is unreadable.
    """
    files = [_open_sentences(path) for path in sources]
    total = sum(file.rows for file in files)
    if not total:
        raise KasuError(sentences, "no sentence in any source", "a text")
    with temporary(sentences, folder=True) as scratch:
        digests = _Digests(scratch, total)
        progress = Progress("digests", total, "sentences")
        for start, batch in _numbered(files):
            digests.add(start, batch)
            progress.add(batch.num_rows)
        keep = digests.first("text")
        steps, dropped = _write_corpus(sentences, files, keep, digests)
        steps["near copies"] = steps["sentences"] - int(digests.first("masked", keep).sum())
        steps["split keys"] = int(digests.first("split", keep).sum())
    dropped.update({f"{source}: licence not allowed": 1 for source in refused})
    write_counts(counts, steps)
    write_drops(drops, dropped)


def _write_corpus(
    path: str | Path, files: Sequence[ParquetReader], keep: np.ndarray, digests: "_Digests"
) -> tuple[Counter[str], Counter[str]]:
    steps: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    kept_words = letters = unspaced = 0
    with landing(path) as part, ParquetWriter(part, CORPUS) as writer:
        for start, batch in _numbered(files):
            rows = slice(start, start + batch.num_rows)
            keys = pa.array([f"{key:016x}" for key in digests["split"][rows].tolist()])
            kept = pa.table([*batch.columns, keys], schema=CORPUS).filter(pa.array(keep[rows]))
            source = batch["source"][0].as_py()
            steps[f"{source}: sentences"] += batch.num_rows
            steps[f"{source}: kept sentences"] += kept.num_rows
            dropped[f"{source}: duplicate"] += batch.num_rows - kept.num_rows
            for text in kept["text"].to_pylist():
                found = words(text)
                kept_words += len(found)
                letters += sum(map(len, found))
                unspaced += sum(map(len, _UNSPACED.findall(text)))
            writer.write(kept)
            digests.let_go()
        steps["sentences"] = writer.rows
    steps["words"] = kept_words
    if 2 * unspaced > letters:
        log.warning(
            "%s: most letters are of a script without blanks between words; "
            "its words are counted by letters or syllables",
            path,
        )
    return steps, dropped


def _open_sentences(path: str | Path) -> ParquetReader:
    file = ParquetReader(path)
    if not file.schema.equals(SENTENCES):
        found = ", ".join(f"{field.name} ({field.type})" for field in file.schema)
        raise KasuError(path, f"columns {found}", f"text in {', '.join(SENTENCES.names)}")
    return file


def _numbered(files: Sequence[ParquetReader]) -> Iterator[tuple[int, pa.RecordBatch]]:
    start = 0
    for file in files:
        for batch in file.batches(BATCH):
            if batch["text"].null_count:
                raise KasuError(file.path, "a row without text", "a sentence in every row")
            yield start, batch
            start += batch.num_rows


class _Digests:
    """Three 64-bit digests per sentence, on disk: of the text, the masked text, the split key."""

    BUCKET = 1 << 22  # digests compared in memory at a time

    def __init__(self, folder: Path, total: int) -> None:
        self.folder, self.total = folder, total
        self._mapped: list[mmap.mmap] = []
        self.columns = {name: self._array(name, np.uint64) for name in ("text", "masked", "split")}

    def _array(self, name: str, kind: type) -> np.ndarray:
        path = self.folder / name
        reserve(path, np.dtype(kind).itemsize * self.total)
        with path.open("r+b") as file:
            self._mapped.append(mmap.mmap(file.fileno(), 0))
        return np.frombuffer(self._mapped[-1], kind)

    def let_go(self) -> None:
        """Leave to the system what was read and written: else it counts as memory of this job."""
        for each in self._mapped:
            each.madvise(mmap.MADV_DONTNEED)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]

    def add(self, start: int, batch: pa.RecordBatch) -> None:
        """Store the digests of a batch whose first row has the number `start`."""
        rows = slice(start, start + batch.num_rows)
        texts = batch["text"].to_pylist()
        masked = [_digest(mask(text)) for text in texts]
        self["text"][rows] = [_digest(text.replace(" ", "")) for text in texts]
        self["masked"][rows] = masked
        self["split"][rows] = [
            key if article is None else _digest(f"{source}\x1f{article}")
            for key, article, source in zip(
                masked, batch["article"].to_pylist(), batch["source"].to_pylist(), strict=True
            )
        ]
        self.let_go()

    def first(self, name: str, among: np.ndarray | None = None) -> np.ndarray:
        """Mark the first row of each distinct digest, among all rows or those marked in `among`."""
        values = self[name]
        result = self._array(f"first-{name}", bool)
        buckets = 1 + self.total // self.BUCKET
        # Equal digests fall into the same bucket, so buckets can be searched one at a time
        for bucket in range(buckets):
            numbers, held = [], []
            for start in range(0, self.total, self.BUCKET):
                rows = slice(start, start + self.BUCKET)
                here = values[rows] % np.uint64(buckets) == bucket
                if among is not None:
                    here &= among[rows]
                numbers.append(start + np.flatnonzero(here))
                held.append(values[rows][here])
                self.let_go()
            firsts = np.unique(np.concatenate(held), return_index=True)[1]
            result[np.concatenate(numbers)[firsts]] = True
            self.let_go()
        return result


def split_of(split_key: str, ratios: Mapping[str, float], seed: int) -> str:
    """Return the part that a split key falls into; depends only on key, ratios and seed.

    `ratios` gives the shares of train, validation and test; a missing part has none.

    Raises:
        KasuError: a part is unknown, a share is negative, or the shares do not sum to 1.
    """
    shares = _shares(tuple(ratios.items()))
    point = seed_of("split", seed, split_key) / 2**64
    for part, end in shares:
        if point < end:
            return part
    return shares[-1][0]


@functools.lru_cache
def _shares(ratios: tuple[tuple[str, float], ...]) -> list[tuple[str, float]]:
    given = dict(ratios)
    if unknown := sorted(given.keys() - set(SPLITS)):
        raise KasuError("split ratios", f"unknown part {unknown[0]!r}", ", ".join(SPLITS))
    if negative := [part for part in SPLITS if not given.get(part, 0) >= 0]:
        raise KasuError("split ratios", f"{negative[0]}: {given[negative[0]]}", "a share of 0 to 1")
    if abs(sum(given.values()) - 1) > 1e-6:
        raise KasuError("split ratios", f"sum {sum(given.values()):.6g}", "1")
    # Each part with the end of its stretch of [0, 1)
    parts = [part for part in SPLITS if given.get(part)]
    return [(part, sum(given[p] for p in parts[: i + 1])) for i, part in enumerate(parts)]
