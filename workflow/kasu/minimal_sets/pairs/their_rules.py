"""Agreement pairs by the rules of MultiBLiMP: its conditions as rows of a set."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from kasu.corpora.treebanks.treebank import features
from kasu.lm.scoring.items import MASK
from kasu.minimal_sets.data.sets import NOT_DRAWN
from kasu.minimal_sets.multiblimp.pairs import EXCLUDED, Condition, Maker, Pair, Phenomenon
from kasu.minimal_sets.multiblimp.tables import read_unimorph, read_words, to_unimorph
from kasu.minimal_sets.pairs.columns import of_each
from kasu.minimal_sets.pairs.design import RIGHT, WRONG, PairDesign
from kasu.minimal_sets.pairs.sentences import Source
from kasu.minimal_sets.pairs.subjects import NOMINAL
from kasu.results.statistics import wilson

Item = dict[str, object]
SEVERAL = "in several conditions"  # a count (MB-4)
_KINDS = {"verb": "verb", "aux": "auxiliary", "ptcp": "participle"}


class TheirRules:
    """The pairs of some treebanks.

    `drops`, `counts`, `agreement` (AGREEMENT) and `pool` (POOL) are final after `items`.
    """

    def __init__(
        self, sources: Sequence[Source], design: PairDesign, unimorph: Sequence[str | Path]
    ) -> None:
        sentences = [source.sentence for source in sources]
        rows = read_unimorph(unimorph, design.language)
        self.design = design
        self.maker = Maker(sentences, rows, read_words(sentences), design.language, design.seed)
        self._sources = {id(source.sentence): source for source in sources}
        self._tokens = Counter(w.form.lower() for each in sentences for w in each.words)
        self.counts = Counter({"sentences": len(sentences), "kept": len(self.maker.sentences)})
        self.drops: Counter[str] = Counter()
        self.agreement: list[dict] = []
        self.pool: list[dict] = []

    def items(self) -> Iterator[Item]:
        """Yield the items: the pairs of each condition, drawn."""
        for participles in (False, True):
            for feature in self.design.features:
                made = self.maker.make(feature, participles=participles)
                self.counts["pairs"] += len(made.pairs)
                self.pool += _different(made)
                self._measure(made, participles)
                yield from self._of_conditions(made)
                self.drops.update(of_each(made.name, made.drops))

    def _of_conditions(self, made: Phenomenon) -> Iterator[Item]:
        placed: Counter[int] = Counter()
        for condition, pairs in made.conditions.items():
            drawn = self.maker.draw(made, condition)
            left_out = NOT_DRAWN if drawn else "subjects of this value do not agree"
            made.drops[left_out] += len(pairs) - len(drawn)
            placed.update(id(pair) for pair in drawn)
            for number, pair in enumerate(drawn, 1):
                yield self._item(made, condition, pair, number)
        self.counts[SEVERAL] += sum(count > 1 for count in placed.values())

    def _measure(self, made: Phenomenon, participles: bool) -> None:
        """List whether the language agrees: by value and order, verbs and auxiliaries alike."""
        for value, order in sorted({(subject, order) for subject, _, order in made.agreement}):
            of = sum(n for (own, _, o), n in made.agreement.items() if (own, o) == (value, order))
            agree = made.agreement[value, value, order]
            low, high = wilson(agree, of)
            kept = all(
                condition.certainty != EXCLUDED
                for condition in made.conditions
                if (condition.right, condition.order) == (value, order)
            )
            self.agreement.append(
                {
                    "set": self.design.name, "feature": made.feature,
                    "kind": "participle" if participles else "any", "value": value, "order": order,
                    "subjects": of, "agree": agree, "share": agree / of, "low": low, "high": high,
                    "kept": kept,
                }
            )  # fmt: skip

    def _item(self, made: Phenomenon, condition: Condition, pair: Pair, number: int) -> Item:
        each, wrong = pair.candidate, pair.wrong_form()
        source = self._sources[id(each.sentence)]
        word = each.words[each.target]
        kind = _KINDS[condition.item]
        where = f"{condition.right} {condition.wrong} {condition.order} {kind}"
        told = features(word.feats)
        return {
            "item_id": f"{self.design.name}:{made.name}:{where}:{number}".replace(" ", "-"),
            "set": self.design.name,
            "treebank": source.file,
            "sentence_id": source.sentence_id,
            "phenomenon": made.name,
            "condition": where,
            "right_value": condition.right,
            "wrong_value": condition.wrong,
            "order": condition.order,
            "kind": kind,
            "sen": each.text(),
            "wrong_sen": each.text(wrong),
            "masked": each.text(MASK),
            "grammatical": RIGHT,
            f"form_{RIGHT}": word.form,
            f"form_{WRONG}": wrong,
            "source_of_forms": None,
            "controller": each.words[each.subject].form,
            "distance": abs(each.distance),
            "attractors": sum(
                to_unimorph(value) != condition.right for value in each.attractors[made.feature]
            ),
            "nearest": _nearest(pair, made.feature),
            "right_tokens": self._tokens[word.form.lower()],
            "wrong_tokens": self._tokens[wrong.lower()],
            "target": each.target + 1,
            "upos": word.upos,
            "lemma": word.lemma,
            "features": word.feats,
            "tense": told.get("Tense"),
            "aspect": told.get("Aspect"),
            "certainty": condition.certainty,
            "licence": source.licence,
        }


def _different(made: Phenomenon) -> list[dict]:
    """Return rows of POOL."""
    pairs = {(p.candidate.text(), p.candidate.text(p.wrong_form())): None for p in made.pairs}
    return [{"phenomenon": made.name, "sen": sen, "wrong_sen": wrong} for sen, wrong in pairs]


def _nearest(pair: Pair, feature: str) -> str | None:
    """Return the value of the last noun or pronoun before the target that has one, or None."""
    for word in reversed(pair.candidate.words[: pair.candidate.target]):
        if word.upos in NOMINAL:
            stated = features(word.feats).get(feature)
            if stated is None and feature == "Person" and word.upos != "PRON":
                stated = "3"
            if stated is not None:
                return to_unimorph(stated)
    return None
