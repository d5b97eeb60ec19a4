"""The order of features: data have each bundle in one order, which networks learn."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from kasu.corpora.paradigms.schema import DIMENSION
from kasu.transduction.items import Item, read_tags

Tags = tuple[str, ...]
KINDS = {
    feature: kind
    for feature, kind in DIMENSION.items()
    if kind in ("person", "number", "gender", "case")
}
"""Features of UniMorph that a word may have twice, of two arguments, an owner and what is owned."""


class Bundles:
    """The bundles of features that training has, each in the order to use; none if not recorded."""

    def __init__(self, bundles: Iterable[Tags]) -> None:
        self.listed = list(dict.fromkeys(bundles))
        self._orders: dict[_Meaning, list[Tags]] = {}
        for bundle in self.listed:
            self._orders.setdefault(_meaning(bundle), []).append(bundle)

    def __contains__(self, tags: Tags) -> bool:
        """Return whether training has these features in this order; true if none is known."""
        return not self.listed or tags in self._orders.get(_meaning(tags), ())

    def ordered(self, tags: Tags) -> Tags:
        """Return features in training's order; unchanged if training lacks them or has several."""
        orders = self._orders.get(_meaning(tags), ())
        return orders[0] if len(orders) == 1 else tags

    def rewrite(self, features: str) -> str:
        """Return features between semicolons in training's order, as `ordered` does."""
        tags = read_tags(features)
        ordered = self.ordered(tags)
        return features if ordered == tags else ";".join(ordered)


def bundles_of(items: Sequence[Item]) -> Bundles:
    """Return the bundles of training items; of several orders the most frequent or first.

    All orders stay where a lemma has different forms for two of them.
    """
    orders: dict[_Meaning, list[Tags]] = {}
    for bundle, _ in Counter(item.tags for item in items).most_common():
        orders.setdefault(_meaning(bundle), []).append(bundle)
    # Few bundles have several orders, and a language has millions of forms
    several = {bundle for each in orders.values() if len(each) > 1 for bundle in each}
    forms: dict[tuple[str, _Meaning], dict[Tags, set[str]]] = {}
    for item in items:
        if item.tags in several:
            cell = forms.setdefault(("".join(item.source), _meaning(item.tags)), {})
            cell.setdefault(item.tags, set()).add("".join(item.target or ""))
    telling = {
        meaning
        for (_, meaning), by_order in forms.items()
        if any(one != other for one, other in combinations(by_order.values(), 2))
    }
    return Bundles(
        bundle
        for meaning, each in orders.items()
        for bundle in (each if meaning in telling else each[:1])
    )


_Meaning = tuple[Tags, Tags]


def _meaning(tags: Tags) -> _Meaning:
    """Return features without an order; features of the same kind keep theirs.

    `V;1;SG;3;PL` and `V;3;PL;1;SG` say who does what to whom, so neither is read as the other.
    """
    kinds = Counter(KINDS.get(tag) for tag in tags)
    twice = (tag for tag in tags if tag in KINDS and kinds[KINDS[tag]] > 1)
    return tuple(sorted(tags)), tuple(twice)


def of_class(tags: Sequence[str]) -> tuple[str, ...]:
    """Return features with the first, the part of speech, before each other: V, V_PST, V_SG.

    So a past of verbs has nothing to do with a past of participles.

    Source: the released code of Sorokin (2018).
    """
    return (*tags[:1], *(f"{tags[0]}_{tag}" for tag in tags[1:]))


def as_classes(items: Iterable[Item]) -> list[Item]:
    """Return items with features of their class (see `of_class`)."""
    return [item._replace(tags=of_class(item.tags)) for item in items]
