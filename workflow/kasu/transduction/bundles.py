"""The order of features: data have each bundle in one order, which networks learn."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from kasu.transduction.items import Item

Tags = tuple[str, ...]


class Bundles:
    """The bundles of features that training has, each in the order to use; none if not recorded.

    Features in two orders are two bundles here only where the order tells forms apart.
    """

    def __init__(self, bundles: Iterable[Tags]) -> None:
        self.listed = list(dict.fromkeys(bundles))
        self._orders: dict[Tags, list[Tags]] = {}
        for bundle in self.listed:
            self._orders.setdefault(_unordered(bundle), []).append(bundle)

    def __contains__(self, tags: Tags) -> bool:
        """Whether training has these features together, in this order; yes if none is known."""
        return not self.listed or tags in self._orders.get(_unordered(tags), ())

    def ordered(self, tags: Tags) -> Tags:
        """Features in the order that training has; as they are, if it lacks them or has several."""
        orders = self._orders.get(_unordered(tags), ())
        return orders[0] if len(orders) == 1 else tags


def bundles_of(items: Iterable[Item]) -> Bundles:
    """The bundles of training items; of several orders the most frequent, or else the first.

    Where a lemma has different forms for two orders, all orders of these features stay.
    """
    counts: Counter[Tags] = Counter()
    forms: dict[tuple[str, Tags], dict[Tags, set[str]]] = {}
    for item in items:
        counts[item.tags] += 1
        cell = forms.setdefault(("".join(item.source), _unordered(item.tags)), {})
        cell.setdefault(item.tags, set()).add("".join(item.target or ""))
    telling = {
        features
        for (_, features), by_order in forms.items()
        if any(one != other for one, other in combinations(by_order.values(), 2))
    }
    kept: dict[Tags, list[Tags]] = {}
    for bundle, _ in counts.most_common():
        orders = kept.setdefault(_unordered(bundle), [])
        if not orders or _unordered(bundle) in telling:
            orders.append(bundle)
    return Bundles(bundle for orders in kept.values() for bundle in orders)


def _unordered(tags: Tags) -> Tags:
    return tuple(sorted(tags))
