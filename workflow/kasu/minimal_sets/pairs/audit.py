"""An audit of MultiBLiMP's released files: what is known to be wrong with their rows.

What a row's own columns show is counted in every language; what takes the treebank, or what its
forms may be, in those whose treebanks are at hand, by the same checks that make our own pairs.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import regex

from kasu.files.tables import write_tsv
from kasu.minimal_sets.data.forms import feature_set
from kasu.minimal_sets.multiblimp.tables import to_unimorph
from kasu.minimal_sets.pairs.columns import PHENOMENA
from kasu.minimal_sets.pairs.design import FEATURES, KASU, PairDesign
from kasu.minimal_sets.pairs.kasu_rules import FeatureRules, Found, KasuRules, with_features
from kasu.minimal_sets.pairs.released import ALL, Row, read_printed, read_released
from kasu.minimal_sets.pairs.sentences import Source, licences_of_rows, read_sources
from kasu.minimal_sets.pairs.subjects import NOMINAL, value_of
from kasu.queries.graph import Graph

AUDIT = ("language", "fault", "what", "phenomenon", "rows", "of")
"""`rows` of `of` rows of a released file have a fault; docs/multiblimp.md explains each."""
ITEMS = ("language", "line", "fault", "sent_id", "found", "sen", "wrong_sen")
"""Each row that has one, by the line of the released file."""

_FAULTS = {
    "MB-1": "the sentence is not the treebank's text",
    "MB-2": "an auxiliary at the head of the sentence: the main verb is replaced",
    "MB-3": "a noun of another value next to the target, and no attractor listed",
    "MB-4": "repeats a pair",
    "MB-5": "the swapped form is attested, and differs in further features",
    "MB-6": "the swapped form is the right word, shortened: no error",
    "MB-7": "the swapped form has a reading that is right",
    "MB-8": "the subject may have the wrong value",
    "MB-9": "the swapped form has a digit",
    "MB-10": "from a treebank under a stricter licence than the release's",
    "MB-11": "solved by always taking the commoner value",
    "MB-12": "shares its sentence with another pair",
    "MB-14": "the target stands at the head of the sentence",
}
_NON_COMMERCIAL = regex.compile(r"NC")


class Ground(NamedTuple):
    """The material of a language: treebanks, the licence of each, and UniMorph."""

    treebanks: Sequence[str]
    licences: Sequence[str]
    unimorph: Sequence[str]
    conventions: str | None
    language: str


def audit(
    released: Sequence[str | Path],
    grounds: Mapping[str, Ground],
    table: str | Path,
    items: str | Path,
) -> None:
    """Write AUDIT and ITEMS of some released files.

    Args:
        grounds: language, by its code of two or three letters -> its material.

    Raises:
        KasuError: as `read_released`.
    """
    counted, listed = [], []
    for path in released:
        rows = list(read_released(path))
        language = rows[0].cells["lang"] if rows else ""
        printed = {code: read_printed(code) for code in grounds}
        own = [grounds[code] for code, each in printed.items() if each and each.iso == language]
        found = _Audit(rows, next(iter(own), None))
        for fault, phenomenon, hits, judged in found.counts():
            counted.append(
                {
                    "language": language, "fault": fault, "what": _FAULTS[fault],
                    "phenomenon": phenomenon, "rows": hits, "of": judged,
                }
            )  # fmt: skip
        for row, fault, what in found.listed:
            listed.append(
                {
                    "language": language, "line": row.line, "fault": fault,
                    "sent_id": row.about.get("sent_id"), "found": what,
                    "sen": row.cells["sen"], "wrong_sen": row.cells["wrong_sen"],
                }
            )  # fmt: skip
    write_tsv(table, counted, AUDIT)
    write_tsv(items, listed, ITEMS)


class _Audit:
    """The faults of the rows of a language: `listed`, each row and fault, with what was found."""

    def __init__(self, rows: Sequence[Row], ground: Ground | None) -> None:
        self.rows = rows
        self.listed: list[tuple[Row, str, str]] = []
        self._judged: dict[str, list[Row]] = defaultdict(list)
        self._columns()
        if ground and ground.treebanks:
            self._on_ground(ground)

    def counts(self) -> Iterator[tuple[str, str, int, int]]:
        """Yield fault, phenomenon, rows and of how many."""
        hits: dict[str, Counter[str]] = defaultdict(Counter)
        for row, fault, _ in self.listed:
            hits[fault][row.cells["phenomenon"]] += 1
        for fault in _FAULTS:
            if fault not in self._judged:
                continue
            of = Counter(row.cells["phenomenon"] for row in self._judged[fault])
            yield fault, ALL, hits[fault].total(), of.total()
            for phenomenon in sorted(of):
                yield fault, phenomenon, hits[fault][phenomenon], of[phenomenon]

    def _judge(self, row: Row, fault: str, found: str | bool | None) -> None:
        """Note that a row was looked at, and what was found."""
        self._judged[fault].append(row)
        if found:
            self.listed.append((row, fault, found if isinstance(found, str) else ""))

    def _columns(self) -> None:
        """Judge by the columns alone."""
        seen: set[tuple[str, str]] = set()
        sentences = Counter(
            (row.about.get("treebank"), row.about.get("sent_id")) for row in self.rows
        )
        of_values: dict[str, Counter[str]] = defaultdict(Counter)
        for row in self.rows:
            of_values[row.cells["phenomenon"]][row.cells["grammatical_feature"]] += 1
        for row in self.rows:
            cells, form = row.cells, row.cells["swap_head"]
            text = row.about.get("text", "")
            self._judge(row, "MB-1", text if cells["sen"] != text else None)
            verbal = cells["phenomenon"].startswith("SV") and cells["cop"]
            moved = verbal and row.place("cop_idx") != row.place("head_idx")
            self._judge(row, "MB-2", f"{cells['cop']}: {form}" if moved else None)
            self._judge(row, "MB-4", row.pair in seen)
            seen.add(row.pair)
            self._judge(row, "MB-6", _shortened(cells["head"], form))
            self._judge(row, "MB-9", form if regex.search(r"\p{N}", form) else None)
            commonest = of_values[cells["phenomenon"]].most_common(1)[0][0]
            self._judge(row, "MB-11", cells["grammatical_feature"] == commonest)
            where = row.about.get("treebank"), row.about.get("sent_id")
            self._judge(row, "MB-12", sentences[where] > 1)
            self._judge(row, "MB-14", row.place("head_idx") == 0)

    def _on_ground(self, ground: Ground) -> None:
        """Judge by the treebanks, and by what their words and UniMorph's may be."""
        licences = licences_of_rows(ground.treebanks, ground.licences, ())
        read = read_sources(ground.treebanks, licences, "audit")
        design = PairDesign("audit", KASU, FEATURES, ground.language)
        rules = KasuRules(read, {}, design, ground.unimorph, ground.conventions)
        by_feature = {feature: FeatureRules(rules, feature) for feature in FEATURES}
        sentences = {(_stem(source.file), source.sentence.sentence_id): source for source in read}
        for row in self.rows:
            source = sentences.get((row.treebank, str(row.about.get("sent_id"))))
            if source is None:
                continue
            licence = source.licence
            self._judge(row, "MB-10", licence if _NON_COMMERCIAL.search(licence) else None)
            feature = PHENOMENA[row.cells["phenomenon"][-1]]
            self._judge_forms(row, source, by_feature[feature])

    def _judge_forms(self, row: Row, source: Source, rules: FeatureRules) -> None:
        graph = Graph(source.sentence)
        target, subject = row.place("head_idx"), row.place("child_idx")
        if target is None or subject is None or max(target, subject) >= len(graph.words):
            return
        word = graph.words[target]
        if word.form != row.cells["head"]:
            return  # another version of the treebank
        each = Found(source, graph, "verb", subject + 1, target + 1)
        self._judge_attractors(row, each, rules.feature)
        wrong, form = row.cells["ungrammatical_feature"], row.cells["swap_head"]
        may = [
            value
            for reading in rules.subject_readings(each)
            for value in (reading.get(rules.feature) or "").split(",")
            if value and to_unimorph(value) == wrong
        ]
        self._judge(row, "MB-8", row.cells["child"] if may else None)
        told = rules.complete(each, word)
        if isinstance(told, str) or rules.name != rules.feature:
            return
        attested = rules.lexicon.cells_of(word, form)
        if attested:
            own = feature_set(word.feats)
            minimal = any({name for name, _ in own ^ cell} <= {rules.feature} for cell in attested)
            self._judge(row, "MB-5", None if minimal else f"{word.form} -> {form}")
        full = with_features(word, told)
        reason = rules.reject(word, full, told, told[rules.feature], form)
        self._judge(row, "MB-7", f"{form}: {reason}" if reason else None)

    def _judge_attractors(self, row: Row, each: Found, feature: str) -> None:
        first, last = sorted((each.subject, each.target))
        beside = each.target - 1 if each.subject < each.target else each.target + 1
        if not first < beside < last or each.graph.column("upos")[beside] not in NOMINAL:
            return
        value = value_of(each.graph, beside, feature)
        if value is None or to_unimorph(value) == row.cells["grammatical_feature"]:
            return
        listed = row.cells.get("num_incongruent_attractors", "")
        missed = listed in ("", "0")
        self._judge(row, "MB-3", each.graph.words[beside - 1].form if missed else None)


def _shortened(word: str, form: str) -> str | None:
    """Return a form that is a word's end behind an apostrophe (*'ve* of *have*), else None."""
    end = form.lstrip("'\N{RIGHT SINGLE QUOTATION MARK}")
    return form if end != form and word.lower().endswith(end.lower()) else None


def _stem(file: str) -> str:
    """Return a treebank's own name in that of its copy: `ud-ud_greek-gud-r2.15-el_gud-ud-test`."""
    found = regex.search(r"[a-z]{2,4}_[a-z0-9]+-ud-(?:train|dev|test)[a-z0-9-]*$", file)
    return found[0] if found else file
