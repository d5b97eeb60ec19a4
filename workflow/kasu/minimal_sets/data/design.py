"""What a minimal set is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from kasu.base.errors import KasuError
from kasu.queries.request import Request

Matches = Literal["all", "last"]
Capitals = Literal["word", "released"]


@dataclass(frozen=True)
class Design:
    """What a set is made of.

    Attributes:
        name: of the set, part of every item_id.
        target: the node of the request whose form changes.
        values, feature: the feature that changes, and the values it may take. The target's own
            value is the right one, each of the others gives a wrong form.
        matches: `all`, or `last`: the authors keep the last match of a sentence.
        capitals: what a form in another case must have in common with the word: `word`, the
            capitalisation; `released`, that of the first letter alone (GEO-3).
        verb: the node whose aspect and tense are recorded (S-12), and whose agreement counts.
        agreement: for each value, the feature of the verb that marks the number of that argument,
            as `{"Erg": "Number[erg]"}`; rejects wrong forms that would be right if another
            argument were dropped (S-13).
        max_items, seed: draw at most so many items at random; a small change of the data changes
            the draw little.
        licence: of the sentences.
    """

    name: str
    target: str
    values: Sequence[str]
    feature: str = "Case"
    matches: str = "all"
    capitals: str = "word"
    verb: str | None = None
    agreement: Mapping[str, str] | None = None
    max_items: int | None = None
    seed: int = 0
    licence: str = "not stated"

    def check(self, request: Request, where: object) -> None:
        """Check that a set can be built from a request.

        Raises:
            KasuError: the request lacks the target or the verb; unknown `matches` or `capitals`;
                fewer than two values, or one twice; agreement without a verb.
        """
        for node in filter(None, (self.target, self.verb)):
            request.need_node(node, where)
        for name, known in (("matches", get_args(Matches)), ("capitals", get_args(Capitals))):
            if (value := getattr(self, name)) not in known:
                raise KasuError(name, repr(value), " or ".join(known))
        if len(set(self.values)) < max(2, len(self.values)):
            raise KasuError("values", repr(list(self.values)), "two or more, all different")
        if self.agreement and self.verb is None:
            raise KasuError("agreement", "no verb", "the node of the request that agrees")
