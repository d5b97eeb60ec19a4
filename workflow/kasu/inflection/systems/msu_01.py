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
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from kasu.base.errors import KasuError
from kasu.inflection.systems import msu_02, msu_04
from kasu.job.run import log
from kasu.transduction.items import Item
from kasu.transduction.members.families import Answers, CustomFamily, Data, Run, Session, alone
from kasu.transduction.members.networks import log_unknown

if TYPE_CHECKING:
    from kasu.transduction.networks.pointer_lm import StepTransducer

NBEST = 5  # forms of the network, and the width of its beam
CAP = -math.log(0.01)
"""The most that a letter costs, in bits; the program caps bits by a bound in nats."""

VARIANTS = {"ranked": False, "summed": True}
"""Whether the network's own score of a form is added."""


class Settings(msu_04.Settings):
    """Sizes of MSU's network whose forms language models rank."""

    model_epochs: msu_02.ModelEpochs = 50


def train(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Answers | KasuError]:
    """Train the networks of each seed once, and rank as each variant does."""
    from kasu.neural.device import make_deterministic

    make_deterministic(threads=1)
    log_unknown(data)
    models_options = {"epochs": Settings.model_validate(options).model_epochs}
    found: dict[Run, Answers | KasuError] = {}
    asked, made = [*data.dev, *data.test], msu_02.make_forms(data)
    for seed in dict.fromkeys(member.seed for member in members):
        own = [member for member in members if member.seed == seed]
        models = msu_02.train_models(data, seed, models_options, session)
        if isinstance(models, KasuError):
            found |= dict.fromkeys(own, models)
            continue
        network = train_network(data, seed, options, session)
        preferred = [answer.forms for answer in msu_02.rank(models, asked, made)]
        forms = unite(asked, written(network, asked), preferred)
        log_probs = msu_02.log_probs(models, asked, forms)
        for member in own:
            scores = log_probs
            if network and VARIANTS[member.variant or ""]:
                pairs = zip(log_probs, costs(network, asked, forms), strict=True)
                scores = [[one - cost for one, cost in zip(*each, strict=True)] for each in pairs]
            answers = [*map(msu_02.best, forms, scores)]
            found[member] = Answers(answers[: len(data.dev)], answers[len(data.dev) :])
    return {member: found[member] for member in members}


def train_network(
    data: Data, seed: int | None, options: Mapping[str, object], session: Session
) -> "StepTransducer | None":
    """Train the network of a seed; log one that diverges, and do without it."""
    family = replace(msu_04.FAMILY, settings=Settings)
    run = Run(family.default, seed)
    trained = family.train_networks(family.prepare(data), [run], options, session)[run]
    if isinstance(trained, KasuError):
        log.info("msu_01, %s: only forms by paradigms: %s", data.language, trained)
        return None
    return cast("StepTransducer", trained)


def written(network: "StepTransducer | None", items: Sequence[Item]) -> list[Sequence[str]]:
    """Return the best forms of each item by the network, none without a network."""
    if not network:
        return [()] * len(items)
    return [answer.forms for answer in network.answer(msu_02.as_classes(items), NBEST)]


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
    classed = zip(msu_02.as_classes(items), forms, strict=True)
    pairs = [item._replace(target=form) for item, each in classed for form in each]
    sums = (
        sum(min(-letter / math.log(2), CAP) for letter in letters)
        for letters in network.letters(pairs, NBEST)
    )
    return [[next(sums) for _ in each] for each in forms]


FAMILY = CustomFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"medium": 1, "high": 1},
    submissions={"msu-01": alone},
    has_networks=True,
    trained_by=train,
)
