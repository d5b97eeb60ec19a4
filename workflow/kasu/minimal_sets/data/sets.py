"""Minimal sets from treebanks: a request, a target, a feature and its values (GEO-2 to GEO-4)."""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.corpora.treebanks.treebank import NO_HEAD, Sentence, feature_name, read_treebank
from kasu.files.tables import ParquetWriter, landing, list_drops, write_counts, write_drops
from kasu.job.run import Progress, log, seed_of
from kasu.minimal_sets.data import validation
from kasu.minimal_sets.data.columns import citation, meanings, schema
from kasu.minimal_sets.data.design import Design
from kasu.minimal_sets.data.forms import Lexicon
from kasu.minimal_sets.data.items import Item, ItemBuilder
from kasu.minimal_sets.data.paradigms import Paradigms
from kasu.queries.graph import Graph
from kasu.queries.match import Matcher
from kasu.queries.parsing import read_request
from kasu.queries.unseen import Unseen
from kasu.sources.cards import write_card

# Reasons to drop a match, with those of `items`
NOT_LAST = "not the last match of its sentence"
NOT_DRAWN = "not drawn"
UNSEEN = "names and values of the request that occur nowhere"  # a count


def build_set(
    treebanks: Sequence[str | Path],
    request: str | Path,
    folder: str | Path,
    *,
    design: Design,
    language: str,
    sources: Sequence[Mapping[str, str]],
    lexicon: Sequence[str | Path] = (),
    unimorph: str | Path | Sequence[str | Path] = (),
    conventions: str | Path | None = None,
) -> None:
    """Write a minimal set: items.parquet (`schema`), README.md, counts.tsv, drops.tsv.

    The treebanks are streamed twice: once for the lexicon, once for the matches. A set without
    items is written too, and the log says why it has none.

    Args:
        treebanks: CoNLL-U or parquet; where the lexicon has several forms, the first one wins.
        request: a Grew request, or a file that holds one.
        language: of the treebanks, for the card, and for upper and lower case.
        sources: `name`, `licence` and `citation` of each source, for the card.
        lexicon: further treebanks, whose words join the lexicon after those of the first.
        unimorph: files of paradigms for the forms that the treebanks lack.
        conventions: what UniMorph means by some tags, as `paradigms.read_conventions`.

    Raises:
        KasuError: no treebank; a design that the request does not allow; treebanks without the
            feature, a value, the agreement or lemmas, or two with the same sentence_id; agreement
            for an unknown value, or without the arguments of UD; paradigms of other tags or parts
            of speech.
    """
    build = _Build(treebanks, request, design, lexicon, unimorph, conventions, language)
    folder = Path(folder)
    with landing(folder / "items.parquet") as part:
        with ParquetWriter(part, schema(design.values)) as writer:
            for item in build.items():
                writer.write([item])
        if build.paradigms:
            build.paradigms.need_parts()
    if not writer.rows:
        log.warning("%s: no item: %s", design.name, build.why_empty())
    write_counts(folder / "counts.tsv", build.counts | {"items": writer.rows})
    write_drops(folder / "drops.tsv", +build.drops)
    write_card(
        folder / "README.md",
        title=f"Minimal sets, {design.name}",
        summary=f"Sentences with a mask, and a form for each {design.feature}: "
        f"{', '.join(design.values)}. One of them is right.",
        header={"language": [language], "task_categories": ["fill-mask"]},
        sources=sources,
        splits=["items"],
        columns=meanings(design.values),
        citation=citation(language),
    )


class _Build:
    """A stream of the treebanks for one set; `counts` and `drops` are final once `items` ends."""

    def __init__(
        self,
        treebanks: Sequence[str | Path],
        request: str | Path,
        design: Design,
        lexicon: Sequence[str | Path],
        unimorph: str | Path | Sequence[str | Path],
        conventions: str | Path | None,
        language: str,
    ) -> None:
        if not treebanks:
            raise KasuError(design.name, "no treebank", "one that `licences` lets in")
        design = replace(design, feature=feature_name(design.feature))
        self.treebanks, self.where, self.design = treebanks, request, design
        self.language = language
        self.files = ", ".join(map(str, treebanks))
        self.request = read_request(request)
        design.check(self.request, self.where)
        self.lexicon = self._read_lexicon(lexicon)
        if not unimorph:
            self._need_values()
        self._need_agreement()
        self.paradigms = (
            Paradigms(unimorph, design.feature, design.values, language, conventions)
            if unimorph
            else None
        )
        if self.paradigms:
            self.paradigms.log_drops()
        self.builder = ItemBuilder(design, self.lexicon, self.paradigms, self.files)
        self.counts = Counter({"sentences": 0, "sentences with a match": 0, "matches": 0})
        self.drops: Counter[str] = Counter()
        self.seen = Unseen(self.request)

    def _read_lexicon(self, further: Sequence[str | Path]) -> Lexicon:
        sentences = self.sentences("lexicon", (*self.treebanks, *further))
        released_capitals = self.design.capitals == "released"
        lexicon = Lexicon(
            sentences, self.design.feature,
            language=self.language, released_capitals=released_capitals, verbs=True,
        )  # fmt: skip
        lexicon.need([self.design.feature], self.files)
        lexicon.need_lemmas(self.files)
        return lexicon

    def sentences(self, what: str, treebanks: Sequence[str | Path]) -> Iterator[Sentence]:
        """Stream the sentences of treebanks in their order, logging progress on `what`."""
        progress = Progress(f"{self.design.name}, {what}", unit="sentences")
        for sentence in chain.from_iterable(map(read_treebank, treebanks)):
            yield sentence
            progress.add()

    def _need_values(self) -> None:
        attested = self.lexicon.values
        for value in self.design.values:
            if value not in attested:
                found = f"no word has {self.design.feature}={value}"
                raise KasuError(self.files, found, f"some of {', '.join(sorted(attested))}")

    def _need_agreement(self) -> None:
        # Cases that are not in the set are allowed too: other words of the sentence may have them
        agreement = self.design.agreement or {}
        known = sorted({*self.design.values, *self.lexicon.values})
        for value in agreement:
            if value not in known:
                raise KasuError("agreement", repr(value), f"some of {', '.join(known)}")
        self.lexicon.need(map(feature_name, agreement.values()), self.files)

    def why_empty(self) -> str:
        """Return why no item is left: no match, or what became of the matches."""
        if not self.counts["matches"]:
            missing = "".join(f"; {reason}" for reason in self.seen.missing())
            return f"no match of {self.where} in {self.files}{missing}"
        return f"{self.counts['matches']:,} matches ({list_drops(self.drops)})"

    def items(self) -> Iterable[Item]:
        """Return the items in the order of the treebanks: all, or a random draw."""
        size = self.design.max_items
        if size is None:
            return self._valid()
        # Draw by a hash of each item, so that an item's chance does not depend on the others
        numbered = enumerate(self._valid())
        drawn = heapq.nsmallest(size, numbered, lambda pair: self._draw(str(pair[1]["item_id"])))
        if left_out := self.counts["valid items"] - len(drawn):
            self.drops[NOT_DRAWN] = left_out
        return [item for _, item in sorted(drawn, key=lambda pair: pair[0])]

    def _draw(self, item_id: str) -> int:
        return seed_of("minimal sets", self.design.seed, item_id)

    def _valid(self) -> Iterator[Item]:
        matcher = Matcher(self.request)
        arguments = False
        for sentence in self.sentences("matches", self.treebanks):
            graph = Graph(sentence)
            matches = matcher.matches(graph)
            self.counts["sentences"] += 1
            self.counts["sentences with a match"] += bool(matches)
            self.counts["matches"] += len(matches)
            numbers = range(1, len(matches) + 1)
            if matches and self.design.matches == "last":
                self.drops[NOT_LAST] += len(matches) - 1
                numbers = numbers[-1:]
            for number in numbers:
                item = self.builder.build(graph, matches[number - 1].nodes)
                if isinstance(item, str):
                    self.drops[item] += 1
                    continue
                self.counts["valid items"] += 1
                yield item | {"match": number, "matches": len(matches)}
            self.seen.see(graph)
            arguments = arguments or bool(self.design.agreement and validation.has_argument(graph))
        if self.design.agreement and self.counts["matches"] and not arguments:
            found = f"no word of {self.files} is {' or '.join(validation.ARGUMENTS)}"
            raise KasuError("agreement", found, "a treebank with the relations of UD")
        missing = self.seen.missing()
        for note in self.seen.notes():
            if self.counts["matches"] or note not in missing:  # else `why_empty` says it
                log.warning("%s: %s", self.design.name, note)
        self.counts.update(+Counter({UNSEEN: len(missing), NO_HEAD: self.seen.unparsed}))
