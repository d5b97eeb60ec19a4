"""msu-01: msu-02's language models rank its forms together with those of msu-04's network.

The paper describes three systems of the team, but not this one. It says that such a ranking was
tried and failed; in the released code it is the only other program that writes answers to submit.
That msu-01 is this program is a guess, which its published figures may refute. Whether the
program counted what the network thinks of a form cannot be told: that is a variant.

The five forms that the network finds best, and the five by paradigms that the language models find
best, are ranked together. Network and models are those of msu-04 and msu-02 with the same seed.

Source: Sorokin (2018) §4; details as in the released code.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from kasu.base.errors import KasuError
from kasu.inflection.systems import msu_02, msu_04
from kasu.job.run import log
from kasu.transduction.bundles import as_classes
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Data, Run, Session, alone
from kasu.transduction.members.learning import ModelFamily, State, join_states, part_of
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.transduction.networks.pointer_lm import StepTransducer

NBEST = 5  # forms of the network, and the width of its beam
CAP = -math.log(0.01)
"""The most that a letter costs, in bits; the program caps bits by a bound in nats."""

VARIANTS = {"ranked": False, "summed": True}
"""Whether the network's own score of a form is added."""

MODELS, NETWORK = "models", "network"  # what is saved


class Settings(msu_04.Settings):
    """Sizes of MSU's network whose forms language models rank."""

    model_epochs: msu_02.ModelEpochs = 50


@dataclass(frozen=True)
class United:
    """Language models that rank forms by paradigms and those of a network.

    Attributes:
        network: None if it diverged: then there are forms by paradigms alone.
        summed: whether the network's own score of a form is added.
    """

    ranked: msu_02.Ranked
    network: "StepTransducer | None"
    summed: bool

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the `width` best forms of each item."""
        from kasu.transduction.networks.character_lm import best, log_probs, rank

        models, made, classed = self.ranked.models, self.ranked.forms(items), as_classes(items)
        preferred = [answer.forms for answer in rank(models, classed, made, NBEST)]
        forms = unite(items, written(self.network, items), preferred)
        scores = log_probs(models, classed, forms)
        if self.network and self.summed:
            pairs = zip(scores, costs(self.network, items, forms), strict=True)
            scores = [[one - cost for one, cost in zip(*each, strict=True)] for each in pairs]
        return [best(*each, width) for each in zip(forms, scores, strict=True)]

    def state_dict(self) -> State:
        """Return the weights of all networks."""
        parts = {MODELS: self.ranked.state_dict()}
        if self.network:
            parts[NETWORK] = self.network.state_dict()
        return join_states(parts)


def learn(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, United | KasuError]:
    """Train the networks of each seed once, for all variants."""
    found: dict[int | None, tuple[msu_02.Ranked, StepTransducer | None] | KasuError] = {}
    for seed in dict.fromkeys(member.seed for member in members):
        ranked = msu_02.train_models(data, seed, model_sizes(options), session)
        found[seed] = (
            ranked
            if isinstance(ranked, KasuError)
            else (ranked, train_network(data, seed, options, session))
        )
    return {member: united(found[member.seed], member) for member in members}


def united(
    parts: "tuple[msu_02.Ranked, StepTransducer | None] | KasuError", member: Run
) -> United | KasuError:
    """Return what a member has learnt from the parts of its seed, or their error."""
    if isinstance(parts, KasuError):
        return parts
    return United(*parts, VARIANTS[member.variant or ""])


def load(data: Data, member: Run, options: Mapping[str, object], state: State) -> United:
    """Load all networks of a member."""
    ranked = msu_02.load(data, member, model_sizes(options), part_of(state, MODELS))
    network, weights = None, part_of(state, NETWORK)
    if weights:
        run = Run(msu_04.FAMILY.default, member.seed)
        network = family().load(msu_02.by_class(data), run, options, weights)
    return United(ranked, cast("StepTransducer | None", network), VARIANTS[member.variant or ""])


def model_sizes(options: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of the language models that differ from msu-02's."""
    return {"epochs": Settings.model_validate(options).model_epochs}


def family() -> NetworkFamily[Any]:
    """Return the family of the network, which is msu-04's with the settings of this file."""
    return replace(msu_04.FAMILY, settings=Settings)


def train_network(
    data: Data, seed: int | None, options: Mapping[str, object], session: Session
) -> "StepTransducer | None":
    """Train the network of a seed; log one that diverges, and do without it."""
    run = Run(msu_04.FAMILY.default, seed)
    trained = family().learn(msu_02.by_class(data), [run], options, session)[run]
    if isinstance(trained, KasuError):
        log.info("msu_01, %s: only forms by paradigms: %s", data.language, trained)
        return None
    return cast("StepTransducer", trained)


def written(network: "StepTransducer | None", items: Sequence[Item]) -> list[Sequence[str]]:
    """Return the best forms of each item by the network, none without a network."""
    if not network:
        return [()] * len(items)
    return [answer.forms for answer in network.answer(as_classes(items), NBEST)]


def unite(items: Sequence[Item], *found: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the distinct forms of each item, in order; without any, the lemma."""
    united = ((form for forms in each for form in forms) for each in zip(*found, strict=True))
    return [
        [*dict.fromkeys(forms)] or ["".join(item.source)]
        for item, forms in zip(items, united, strict=True)
    ]


def costs(
    network: "StepTransducer", items: Sequence[Item], forms: Sequence[Sequence[str]]
) -> list[list[float]]:
    """Return what the letters of each form of each item cost the network, in bits."""
    classed = zip(as_classes(items), forms, strict=True)
    pairs = [item._replace(target=form) for item, each in classed for form in each]
    sums = (
        sum(min(-letter / math.log(2), CAP) for letter in letters)
        for letters in network.letters(pairs, NBEST)
    )
    return [[next(sums) for _ in each] for each in forms]


FAMILY = ModelFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"medium": 1, "high": 1},
    submissions={"msu-01": alone},
    has_networks=True,
    width=NBEST,
    learnt_by=learn,
    loaded_by=load,
)
