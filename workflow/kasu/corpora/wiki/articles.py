"""Sentences of Wikipedia dumps: articles only, without those written by bots (BASQUE-1)."""

import re
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np
import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.base.patterns import Pattern
from kasu.corpora.texts.sentences import SENTENCES, normalise, split_sentences, words
from kasu.corpora.wiki.dump import NUMBER, Block, open_dump
from kasu.corpora.wiki.names import wiki_names
from kasu.corpora.wiki.scan import ADDRESS
from kasu.corpora.wiki.templates import Templates, read_templates
from kasu.corpora.wiki.wikitext import MISSING, plain_text
from kasu.files.tables import ParquetWriter, landing, write_counts, write_drops
from kasu.job.run import Progress, log, ordered_map

STEPS = ("pages", "articles", "kept articles", "sentences", "words")
# Measured on the start of enwiki, the densest text there is
SECONDS_PER_MIB = {".bz2": 2.0, ".xz": 2.0, ".xml": 0.6}  # CPU seconds per MiB of the file
# Bytes of output per byte of the file
OUTPUT_SHARE = {".bz2": 0.8, ".xz": 0.8, ".xml": 0.25}

_ID = re.compile("[0-9]{1,9}")
# A sentence may go on after a number or an initial with a period: "XX. mendean", "J. Smith"
_GOES_ON = re.compile(r"(?:\b[0-9]+|\b[IVXLCDM]+|\b\w)\.\Z")
COMMONEST = 10  # templates without known text that the log names


@dataclass(frozen=True)
class ExtractionSettings:
    """What every worker needs.

    Attributes:
        source: name of the source, the first part of sentence ids.
        language: ISO 639-1 code for the sentence splitter.
        templates: names of the wiki, and what its templates show.
        patterns: regular expressions that mark articles written by bots, by name.
    """

    source: str
    language: str
    templates: Templates
    patterns: Mapping[str, Pattern]


@dataclass
class Extract:
    """The yield of a block.

    Attributes:
        rows: of SENTENCES.
        kept: the id of each kept article, its number of sentences and its number of words.
        steps, drops: counts by step, and of what was left out by reason.
        broken: titles of articles with broken wikitext.
        holes: how many sentences each template without known text made incomplete.
        ended: whether the dump ended in this block.
        read: bytes of the dump read when the block was cut.
    """

    rows: pa.Table = field(default_factory=SENTENCES.empty_table)
    kept: list[tuple[int, int, int]] = field(default_factory=list)
    steps: Counter[str] = field(default_factory=Counter)
    drops: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    holes: Counter[str] = field(default_factory=Counter)
    ended: bool = False
    read: int = 0


def extract_articles(
    dump: str | Path,
    sentences: str | Path,
    counts: str | Path,
    drops: str | Path,
    *,
    source: str,
    language: str,
    patterns: Mapping[str, str],
    templates: Mapping[str, str | None] | None = None,
    broken_share: float = 0.01,
    workers: int = 1,
) -> None:
    """Write the sentences of a dump's articles, with counts and drops by reason (BASQUE-1).

    Articles are pages of namespace 0, without redirects. An article whose title or first sentence
    matches one of `patterns`, in any case, is dropped as written by a bot. An article with
    unclosed wikitext is broken; it is dropped and named in the log. So is, with a drop of its own,
    a page that MediaWiki would not write, and an article whose id an earlier one has.

    A sentence that lacks what a reader sees (a template without known text, a formula) is dropped,
    or only the round brackets that hold it.
    `templates` says what more templates show, by name: see `kasu.corpora.wiki.templates`. The log
    names the commonest of those without known text.

    Raises:
        KasuError: the dump has an unknown export version or no page, or is cut off or damaged;
            more than one article and more than `broken_share` of them are broken; or the disk is
            too small.
    """
    dump = Path(dump)
    site, blocks = open_dump(dump)
    names = wiki_names(language, site.namespaces, site.language, site.prefix)
    settings = ExtractionSettings(
        source,
        language,
        read_templates(language, names, templates),
        {name: Pattern(text, ignore_case=True) for name, text in patterns.items()},
    )
    _estimate(dump, Path(sentences), workers)
    progress = Progress(dump.name, dump.stat().st_size, "bytes")
    whole, ids = Extract(), Ids()
    with landing(sentences) as part, ParquetWriter(part, SENTENCES) as writer:
        for extract in ordered_map(partial(_extract, settings), blocks, workers):
            # Blocks come in the order of the dump; only the last may end it
            if whole.ended and extract.steps["pages"]:
                raise KasuError(dump, "pages after </mediawiki>", "one dump")
            _drop_repeated(extract, ids)
            _merge(whole, extract)
            writer.write(extract.rows)
            progress.add(extract.read - progress.done)
        _check(dump, whole, broken_share)
    progress.report()
    write_counts(counts, {step: whole.steps[step] for step in STEPS})
    write_drops(drops, +whole.drops)
    if whole.holes:
        commonest = whole.holes.most_common(COMMONEST)
        log.warning(
            "%s: sentences dropped for templates without known text (wikipedia.templates): %s",
            *(dump.name, ", ".join(f"{name} {count}" for name, count in commonest)),
        )


def _estimate(dump: Path, target: Path, workers: int) -> None:
    mib = dump.stat().st_size / 2**20
    kind = dump.suffix if dump.suffix in SECONDS_PER_MIB else ".xml"
    need = mib * OUTPUT_SHARE[kind]
    minutes = mib * SECONDS_PER_MIB[kind] / workers / 60
    target.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(target.parent).free / 2**20
    log.info(
        "%s: %.1f MiB; about %.1f MiB of sentences and %.1f minutes with %d workers; %.0f MiB free",
        *(dump.name, mib, need, minutes, workers, free),
    )
    if free < need:
        raise KasuError(target.parent, f"{free:.0f} MiB free", f"about {need:.0f} MiB")


class Ids:
    """A set of page ids, with one bit for each up to the largest."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, page: int) -> bool:
        """Add an id; return whether it is new."""
        # The set grows to the byte of the largest id
        byte, bit = divmod(page, 8)
        self._bits.extend(bytes(max(0, byte + 1 - len(self._bits))))
        new = not self._bits[byte] >> bit & 1
        self._bits[byte] |= 1 << bit
        return new


def _drop_repeated(extract: Extract, ids: Ids) -> None:
    """Drop the articles of a block whose id has occurred, and count the others' sentences."""
    new = [ids.add(page) for page, _, _ in extract.kept]
    if not all(new):
        extract.drops["the same page id again"] += new.count(False)
        # One mark for each sentence of an article
        sizes = [sentences for _, sentences, _ in extract.kept]
        extract.rows = extract.rows.filter(pa.array(np.repeat(new, sizes)))
        extract.kept = [article for article, fresh in zip(extract.kept, new, strict=True) if fresh]
    extract.steps["kept articles"] = len(extract.kept)
    for _, sentences, size in extract.kept:
        extract.steps["sentences"] += sentences
        extract.steps["words"] += size


def _merge(whole: Extract, extract: Extract) -> None:
    whole.steps += extract.steps
    whole.drops += extract.drops
    whole.holes += extract.holes
    whole.ended |= extract.ended
    for title in extract.broken:
        log.info("broken wikitext: %s", title)
    if not whole.broken:
        whole.broken = extract.broken[:1]


def _check(dump: Path, whole: Extract, broken_share: float) -> None:
    if not whole.ended:
        raise KasuError(dump, "cut off: no </mediawiki> at the end", "a whole dump")
    articles, broken = whole.steps["articles"], whole.drops["broken wikitext"]
    if not whole.steps["pages"]:
        raise KasuError(dump, "no page", "a dump with articles")
    if broken > max(1, broken_share * articles):
        raise KasuError(
            dump,
            f"unclosed wikitext in {broken} of {articles} articles, the first {whole.broken[0]!r}",
            f"at most a share of {broken_share}",
        )


def _extract(settings: ExtractionSettings, block: Block) -> Extract:
    extract, rows = Extract(read=block.read), []
    for pages, extract.ended in block.pages():
        for page in pages:
            rows += _page(settings, page, extract)
    extract.rows = pa.Table.from_pylist(rows, SENTENCES)
    return extract


def _page(settings: ExtractionSettings, page: Element, extract: Extract) -> list[dict[str, str]]:
    """Return the rows of a page; count what is kept and dropped in `extract`."""
    extract.steps["pages"] += 1
    if reason := _malformed(page):
        extract.drops[f"malformed page: {reason}"] += 1
        return []
    title = page.findtext("title", "")
    wikitext = page.findtext("revision[last()]/text") or ""
    if page.find("redirect") is not None or settings.templates.names.redirect.match(wikitext):
        extract.drops["redirect"] += 1
        return []
    if namespace := _namespace(settings, page, title):
        extract.drops[f"namespace:{namespace}"] += 1
        return []
    extract.steps["articles"] += 1
    texts, size = _sentences(settings, title, wikitext, extract)
    number = page.findtext("id", "")
    if texts:
        extract.kept.append((int(number), len(texts), size))
    name = f"{settings.source}:{number}"
    return [
        {"sentence_id": f"{name}:{n}", "source": settings.source, "article": title, "text": text}
        for n, text in enumerate(texts, 1)
    ]


def _malformed(page: Element) -> str | None:
    """Return what in a page is not as MediaWiki writes it; None if all is."""
    if not page.findtext("title"):
        return "no title"
    if not _ID.fullmatch(page.findtext("id", "")):
        return "id is not a number"
    if not NUMBER.fullmatch(page.findtext("ns") or "0"):
        return "namespace is not a number"
    if any(len(text) for text in page.iterfind("revision/text")):
        return "an element inside the text"
    return None


def _namespace(settings: ExtractionSettings, page: Element, title: str) -> int:
    if number := page.findtext("ns"):
        return int(number)
    # Export versions before 0.5 have no <ns>: look at the title
    return settings.templates.names.number_of(title)


def _sentences(
    settings: ExtractionSettings, title: str, wikitext: str, extract: Extract
) -> tuple[list[str], int]:
    """Return the sentences of an article that is kept, and its number of words."""
    plain = plain_text(wikitext, settings.templates, title)
    if plain.unclosed:
        extract.drops["broken wikitext"] += 1
        extract.broken.append(title)
        return [], 0
    extract.drops["paragraph: markup residue"] += plain.residue
    extract.drops["brackets: nothing left in them"] += plain.brackets
    extract.drops["brackets: text missing in them"] += plain.asides
    # A hole counts as a word to the splitter, and may hide the end of a sentence
    sentences: list[str] = []
    for paragraph in map(normalise, plain.paragraphs):
        split = split_sentences(paragraph, settings.language)
        sentences += _whole(split) if MISSING in paragraph else split
    # Patterns of bots are about the first sentence that has a word
    first = next((text for text in sentences if words(text.replace(MISSING, ""))), None)
    if first is None:
        extract.drops["empty"] += 1
        return [], 0
    for name, pattern in settings.patterns.items():
        if pattern.search(title) or pattern.search(" ".join(first.replace(MISSING, "").split())):
            extract.drops[f"bot:{name}"] += 1
            return [], 0
    # Sentences with holes are dropped by what is missing first in them
    texts, size = [], 0
    holes = iter(plain.holes)
    for text in sentences:
        if MISSING in text:
            missing = [next(holes) for _ in range(text.count(MISSING))]
            if not words(text.replace(MISSING, "")):
                extract.drops["sentence: no word"] += 1
                continue
            extract.drops[f"sentence: {_kind(missing[0])}"] += 1
            extract.holes.update({name for name in missing if name[0] not in "<["})
        elif length := len(words(text)):
            texts.append(text)
            size += length
        else:
            extract.drops["sentence: no word"] += 1
    if not texts:
        extract.drops["no whole sentence"] += 1
    return texts, size


def _whole(sentences: list[str]) -> list[str]:
    """Join a hole at the start of a sentence to the one before if that may not have ended."""
    joined: list[str] = []
    for sentence in sentences:
        if joined and sentence.startswith(MISSING) and _GOES_ON.search(joined[-1]):
            joined[-1] += " " + sentence
        else:
            joined.append(sentence)
    return joined


def _kind(hole: str) -> str:
    if hole == ADDRESS:
        return "a web address"
    if hole.startswith("<"):
        return "a formula, score or the like"
    return "an image in the line" if hole.startswith("[") else "a template without known text"
