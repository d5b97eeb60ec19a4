"""Treebanks of Universal Dependencies: CoNLL-U to parquet and back, byte for byte.

A row is a sentence; its columns are lists with one cell per line of the file. Queries, minimal sets
and the writer all read whole sentences, comments and line numbers need a place, and a lexicon is
one `flatten` away. Every cell is kept unchanged, also of multiword tokens and empty nodes.

Lines are split here and not by the `conllu` package, whose round trip loses comments other than
`key = value`, cells with two spaces in a row, and the place of an error. It parses the ids.

Format: https://universaldependencies.org/format.html
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, NoReturn

import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.corpora.texts.compressed import pieces
from kasu.corpora.treebanks.conllu_rules import (
    COLUMNS,
    DECLARATION,
    EMPTY,
    PLAIN,
    Layout,
    are_sound,
    broken_feature,
    broken_head,
    check_cells,
    check_ids,
    read_layout,
    suspicious,
)
from kasu.files.tables import ParquetReader, ParquetWriter, landing, write_counts
from kasu.job.run import Progress

BLOCK = re.compile(rb"[^\n]+(?:\n[^\n]+)*")
GLOBAL = "global.columns"
COMMENT = re.compile(r"#\s*(sent_id|text|global\.columns)\s*=\s*(\S(?:.*\S)?)")
BOM = b"\xef\xbb\xbf"
LONGEST = 1 << 24  # bytes of a sentence
BATCH = 1_000  # sentences
NO_HEAD = "sentences with words without a head"  # a count
WITHHELD = "withheld text"  # a reason to drop a sentence

TREEBANK = pa.schema(
    [
        ("sentence_id", pa.string()),
        ("text", pa.string()),
        ("line", pa.int32()),
        ("newlines", pa.int32()),
        ("comments", pa.list_(pa.string())),
        *((column, pa.list_(pa.string())) for column in COLUMNS),
    ]
)


class Token(NamedTuple):
    """A line of a sentence, its cells unchanged: a word, a multiword token or an empty node."""

    id: str
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: str
    deprel: str
    deps: str
    misc: str


class Sentence(NamedTuple):
    """A sentence of a treebank; its words have the ids 1, 2, … and form a tree below 0.

    Words that nobody has parsed have no head (`_`), and are in no tree.

    sentence_id: from the comment `sent_id`, else the name of the file and the number from 1.
    text: from the comment `text`, or None.
    line: number of its first line in the file.
    newlines: how many follow it: 2, except at the end of some files.
    """

    sentence_id: str
    text: str | None
    line: int
    newlines: int
    comments: list[str]
    tokens: list[Token]

    @property
    def words(self) -> list[Token]:
        """The syntactic words, without multiword tokens and empty nodes."""
        return [token for token in self.tokens if token.id.isdecimal()]

    @property
    def withheld(self) -> bool:
        """Whether the text may not be passed on, so that underscores stand for its words."""
        return all(word.form == EMPTY for word in self.words)

    def surface(self) -> str:
        """Return the text; without a comment `text`, the surface forms with their spaces."""
        return self.text if self.text is not None else surface_text(self.tokens)


def surface_text(tokens: Iterable[Token]) -> str:
    """Join surface forms, with multiword tokens for their words and spaces by `SpaceAfter=No`."""
    parts, covered = [], 0
    for token in tokens:
        first, _, last = token.id.partition("-")
        if "." in first or int(first) <= covered:
            continue
        covered = int(last or first)
        parts.append(token.form if "SpaceAfter=No" in token.misc.split("|") else token.form + " ")
    return "".join(parts).rstrip()


def feature_name(name: str) -> str:
    """Write a layered feature as Grew does: `Number[erg]` as `Number__erg`."""
    return name.replace("[", "__").replace("]", "")


@lru_cache(1 << 16)
def features(cell: str) -> dict[str, str]:
    """Return the features of a FEATS or MISC cell, by `feature_name`.

    A part without `=` has the value `true`, as in Grew. Calls share the result: do not change it.
    """
    if cell == EMPTY:
        return {}
    pairs = (part.partition("=") for part in cell.split("|") if part)
    return {
        feature_name(name.strip()): value if equals else "true" for name, equals, value in pairs
    }


def read_conllu(path: str | Path) -> Iterator[Sentence]:
    """Stream the sentences of a CoNLL-U file, plain or compressed (.gz, .bz2, .xz).

    CoNLL-U Plus, whose first line names its columns in a comment `global.columns`, becomes plain
    CoNLL-U: columns it lacks are `_`, further ones are not read. A byte order mark, `\\r` before a
    line end and blank lines before the first sentence are lost.

    Raises:
        KasuError: with file and line: no sentence, not UTF-8, not 10 columns or not those of
            `global.columns`, an empty cell, a NUL or blank where none may be, an id that is
            missing, repeated or out of order, a head that does not exist, a cycle, a feature that
            is not `Name=Value` or named twice, a comment among tokens, a sentence without tokens,
            a repeated `sent_id`.
    """
    name = Path(path).name.partition(".")[0]
    seen: dict[str, int] = {}
    layout = PLAIN
    for number, (line, newlines, block) in enumerate(_blocks(path), 1):
        text = _decode(path, line, block)
        if number == 1:
            declared = COMMENT.match(text.partition("\n")[0])
            if declared and declared[1] == GLOBAL:
                layout = read_layout(declared[2], f"{path}:{line}")
        sentence = _parse(path, f"{name}:{number}", line, newlines, text, layout)
        if (first := seen.setdefault(sentence.sentence_id, line)) != line:
            found = f"sent_id {sentence.sentence_id!r} again (first in line {first})"
            raise KasuError(f"{path}:{line}", found, "a different one for every sentence")
        yield sentence
    if not seen:
        raise KasuError(path, "no sentence", "a CoNLL-U file")


def _blocks(path: str | Path) -> Iterator[tuple[int, int, bytes]]:
    """Yield sentences as bytes, with the number of the first line and of newlines after it."""
    rest, line = b"", 1  # the bytes read and not yet cut, and the number of their first line
    for piece, _ in pieces(path):
        rest += piece
        # Few files have one, and the search for two bytes takes a tenth of the time of reading
        if b"\r" in rest:
            rest = rest.replace(b"\r\n", b"\n")
        if line == 1:
            rest = rest.removeprefix(BOM)
        # A final \r may be the first half of a line end
        blocks = list(BLOCK.finditer(rest.removesuffix(b"\r")))
        at = 0
        # Keep the last block: the newlines after it may not all have been read
        for block, following in pairwise(blocks):
            line += rest.count(b"\n", at, block.start())
            at = block.start()
            yield line, following.start() - block.end(), block[0]
        if blocks:
            line += rest.count(b"\n", at, blocks[-1].start())
            rest = rest[blocks[-1].start() :]
        if len(rest) > LONGEST:
            raise KasuError(f"{path}:{line}", f"a sentence of over {LONGEST} bytes", "blank lines")
    # A file that is cut off may end within its last line break
    if text := rest.removesuffix(b"\r").strip(b"\n"):
        yield line, len(rest) - len(text), text


def _decode(path: str | Path, line: int, block: bytes) -> str:
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        begin = block.rfind(b"\n", 0, error.start) + 1
        line += block[:begin].count(b"\n")
        found = f"invalid UTF-8 at byte {error.start - begin + 1} of the line"
        raise KasuError(f"{path}:{line}", found) from error


def _parse(
    path: str | Path, name: str, line: int, newlines: int, block: str, layout: Layout
) -> Sentence:
    """Parse and check a sentence; `name` is its id if it has none."""
    rows = block.split("\n")
    comments = []
    for row in rows:
        if row[0] != "#":
            break
        comments.append(row)
    keyed = [match for comment in comments if (match := COMMENT.match(comment))]
    metadata = {match[1]: match[2] for match in keyed}
    if GLOBAL in metadata and tuple(metadata[GLOBAL].split()) != layout.names:
        expected = "in the first line of the file, and no others later"
        raise KasuError(f"{path}:{line}", f"{GLOBAL} = {metadata[GLOBAL]}", expected)
    first = line + len(comments)
    cells: list[Sequence[str]] = [row.split("\t") for row in rows[len(comments) :]]
    if not {len(layout.names)}.issuperset(map(len, cells)):
        for at, parts in enumerate(cells, first):
            if len(parts) != len(layout.names):
                _complain_of_columns(f"{path}:{at}", parts, layout)
    if not cells:
        raise KasuError(f"{path}:{line}", "comments without a token", "tokens after them")
    lines = block[sum(map(len, comments)) + len(comments) :]
    if layout.pick:
        cells = [layout.pick((*parts, EMPTY)) for parts in cells]
        declared = {match.string for match in keyed if match[1] == GLOBAL}
        comments = [DECLARATION if each in declared else each for each in comments]
    # As Token._make, which would check the number of cells once more
    make = tuple.__new__
    tokens = [make(Token, parts) for parts in cells]
    if suspicious(lines, cells):
        for at, token in enumerate(tokens, first):
            check_cells(token, f"{path}:{at}")
    _check(tokens, path, first)
    sentence_id = metadata.get("sent_id", name)
    return Sentence(sentence_id, metadata.get("text"), line, newlines, comments, tokens)


def _complain_of_columns(where: str, parts: Sequence[str], layout: Layout) -> NoReturn:
    if parts[0].startswith("#"):
        raise KasuError(where, "a comment among tokens", "comments before the first token")
    expected = f"{len(layout.names)}, tab-separated"
    if layout is not PLAIN:
        expected += f": {' '.join(layout.names)}"
    raise KasuError(where, f"{len(parts)} columns", expected)


def _check(tokens: list[Token], path: str | Path, line: int) -> None:
    """Check the ids of a sentence, its features, and that its heads form trees."""
    number = check_ids([token.id for token in tokens], path, line)
    if not are_sound({token.feats for token in tokens}):
        for at, token in enumerate(tokens, line):
            if broken := broken_feature(token.feats):
                raise KasuError(f"{path}:{at}", *broken)
    words = tokens
    if len(number) - 1 < len(tokens):
        words = [token for token in tokens if token.id in number]
    heads = [word.head for word in words]
    relations = [word.deprel for word in words] if EMPTY in heads else []
    if wrong := broken_head(heads, relations, number):
        word, found, expected = wrong
        raise KasuError(f"{path}:{line + tokens.index(words[word - 1])}", found, expected)


def read_treebank(path: str | Path) -> Iterator[Sentence]:
    """Stream the sentences of a treebank, from CoNLL-U or the parquet of `build_treebank`.

    Raises:
        KasuError: as `read_conllu`; the file is missing, or is parquet but not a treebank.
    """
    if not Path(path).is_file():
        raise KasuError(path, "no such treebank", "a .conllu or .parquet file")
    return _read_parquet(path) if Path(path).suffix == ".parquet" else read_conllu(path)


def _read_parquet(path: str | Path) -> Iterator[Sentence]:
    file = ParquetReader(path)
    if not file.schema.equals(TREEBANK):
        raise KasuError(path, f"columns {', '.join(file.schema.names)}", "a treebank")
    for batch in file.batches(BATCH):
        yield from sentences_of(batch)


def sentences_of(batch: pa.RecordBatch) -> Iterator[Sentence]:
    """Convert rows of TREEBANK to sentences; the inverse of `tabulate`."""
    ends = batch["id"].offsets.to_pylist()
    # Flatten each column once: one list per sentence and column would take five times as long
    columns = (batch[name].flatten().to_numpy(zero_copy_only=False) for name in COLUMNS)
    tokens = list(map(Token._make, zip(*columns, strict=True)))
    scalars = (batch[name].to_pylist() for name in TREEBANK.names[:5])
    for (begin, end), values in zip(pairwise(ends), zip(*scalars, strict=True), strict=True):
        yield Sentence._make((*values, tokens[begin - ends[0] : end - ends[0]]))


def build_treebank(source: str | Path, treebank: str | Path, counts: str | Path) -> None:
    """Write a CoNLL-U file as parquet (TREEBANK), and counts of sentences, words and so on.

    Raises:
        KasuError: as `read_conllu`.
    """
    totals: Counter[str] = Counter()
    progress = Progress(Path(source).name, unit="sentences")
    with landing(treebank) as part, ParquetWriter(part, TREEBANK) as writer:
        for sentences in _batches(read_conllu(source)):
            writer.write(tabulate(sentences))
            totals.update(kind for sentence in sentences for kind in _kinds(sentence))
            progress.add(len(sentences))
    progress.report()
    steps = ["sentences", "words", "multiword tokens", "empty nodes", "sentences without a text"]
    steps += [NO_HEAD] * (NO_HEAD in totals)
    write_counts(counts, {step: totals[step] for step in steps})


def _kinds(sentence: Sentence) -> Iterator[str]:
    yield "sentences"
    if sentence.text is None:
        yield "sentences without a text"
    if any(word.head == EMPTY for word in sentence.words):
        yield NO_HEAD
    for token in sentence.tokens:
        yield (
            "multiword tokens" if "-" in token.id else "empty nodes" if "." in token.id else "words"
        )


def _batches(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    batch = []
    for sentence in sentences:
        batch.append(sentence)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def tabulate(sentences: Iterable[Sentence]) -> pa.Table:
    """Convert sentences to rows of TREEBANK."""
    rows = [(*sentence[:5], *zip(*sentence.tokens, strict=True)) for sentence in sentences]
    columns = zip(*rows, strict=True) if rows else ((),) * len(TREEBANK)
    arrays = [pa.array(c, field.type) for c, field in zip(columns, TREEBANK, strict=True)]
    return pa.table(arrays, schema=TREEBANK)


def write_conllu(path: str | Path, sentences: Iterable[Sentence]) -> None:
    """Write sentences as CoNLL-U, whole or not at all; the inverse of `read_conllu`."""
    with landing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        file.writelines(map(format_sentence, sentences))


def format_sentence(sentence: Sentence) -> str:
    """Return the lines of a sentence as they were in the file."""
    lines = (*sentence.comments, *map("\t".join, sentence.tokens))
    return "\n".join(lines) + "\n" * sentence.newlines
