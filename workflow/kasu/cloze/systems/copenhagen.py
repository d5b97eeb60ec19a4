"""Copenhagen: the neural baseline that reads the whole sentence, and learns to write features too.

LSTMs read the words before and after the one asked for. In track 1 a second decoder writes the
features of the word from what they have read. A member draws groups of two or three languages,
which share the weights of this decoder alone; each language is then trained further on its own. The
submission is a vote of the five members that are best on dev.

Source: Kementchedjhieva, Bjerva & Augenstein (2018). `released` differs as their program does: it
weights the losses, reads the words after forward, does not read the lemma of the first word of a
sentence, and takes sentences of the languages in turn until the shortest training set ends. Both
keep the weights of the lowest held-out loss on forms; in `released` that loss is one with dropout.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import Field

from kasu.base.errors import KasuError
from kasu.cloze.data.items import hold_out, sentences_of
from kasu.cloze.data.names import SETTINGS, split_setting
from kasu.cloze.systems import neural_baseline
from kasu.config.settings import Share, Size
from kasu.job.run import seed_of
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Item, named
from kasu.transduction.members.families import (
    Answers,
    CustomFamily,
    Data,
    Member,
    Run,
    Session,
    alone,
    vote_by_dev,
)
from kasu.transduction.members.networks import SAVED_EVERY, named_key

if TYPE_CHECKING:
    import torch

    from kasu.cloze.context.words import Words
    from kasu.neural.resume import Work
    from kasu.transduction.networks.by_language import ByLanguage
    from kasu.transduction.networks.contextual_seq2seq import ContextualSeq2Seq
    from kasu.transduction.networks.feature_writer import FeatureWriter
    from kasu.transduction.networks.training import Recipe

VARIANTS = {"paper": (1.0, 1.0), "released": (0.7, 0.3)}
"""The weights of the losses of forms and of features, by variant."""


def draw_groups(languages: Sequence[str], setting: str, seed: int | None) -> list[list[str]]:
    """Divide languages at random into pairs; if their number is odd, one group has three."""
    draw = np.random.default_rng(seed_of("copenhagen", setting, seed, "groups"))
    names = [sorted(languages)[place] for place in draw.permutation(len(languages))]
    # Pairs in drawn order; the last one also takes the language that is left
    pairs = [names[at : at + 2] for at in range(0, max(len(names) - 1, 1), 2)]
    pairs[-1] += names[2 * len(pairs) :]
    return pairs


def vote_of_five(members: Sequence[Member]) -> list[str]:
    """Let the five members of highest accuracy on dev vote; the best one decides a tie."""
    return vote_by_dev(members, 5)


POOLS = {setting: draw_groups for setting in SETTINGS if split_setting(setting)[0] == "track1"}


class Settings(neural_baseline.Settings):
    """Sizes and rates of Copenhagen's networks, those of the neural baseline but for training."""

    share: Share = Field(
        default=1.0,
        gt=0,
        title="a share above 0, up to 1",
        description="Share of the training set that an epoch draws.",
    )
    epochs: Size = Field(default=50, description="Most epochs, on all languages of a group.")
    patience: Size = Field(
        default=5, description="Epochs without a lower loss of what is held out that end training."
    )
    tuned: Size = Field(
        default=5, description="Epochs that follow on each language of a group, in track 1."
    )


def network(
    characters: Alphabet,
    words: "Words",
    setting: str,
    settings: Settings,
    variant: str,
    writer: "FeatureWriter | None",
) -> "ContextualSeq2Seq":
    """Return the network of a language; `writer` writes features, in track 1."""
    from kasu.cloze.context.sentence import WholeSentence
    from kasu.transduction.networks.contextual_seq2seq import ContextualSeq2Seq
    from kasu.transduction.networks.feature_writer import WritingFeatures

    context = WholeSentence(
        words, settings.embedding, settings.hidden, forward=variant == "released"
    )
    sizes: Any = {
        "embedding": settings.embedding,
        "size": settings.hidden,
        "dropout": settings.dropout,
        "unknown": settings.unknown,
    }
    if writer is None:
        return ContextualSeq2Seq(characters, context, **sizes)
    return WritingFeatures(characters, context, writer, VARIANTS[variant], **sizes)


def recipe(
    languages: Mapping[str, Data], held: Sequence[Item], settings: Settings, variant: str
) -> "Recipe":
    """Return the recipe of the baseline, which ends when the held-out loss no longer falls.

    Args:
        languages: the training items of each language.
        held: the items held out.
    """
    from kasu.neural.optimizers import adam
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.by_language import take_turns

    learnt = [sentences_of(data.train) for data in languages.values()]
    return replace(
        neural_baseline.recipe(next(iter(languages.values())), settings, variant),
        stop=Patience(settings.patience, settings.epochs),
        optimizers=adam(neural_baseline.LEARNING_RATE, coasting=True),
        validated=held,
        measure="dropped_loss" if variant == "released" else "loss",
        order=partial(take_turns, learnt) if variant == "released" else None,
    )


def train(
    data: Data, members: Sequence[Run], options: Mapping[str, Any], session: Session
) -> dict[Run, Answers | KasuError]:
    """Train members on the languages of their group; answer the items of each."""
    from kasu.neural.device import make_deterministic, pick_device
    from kasu.neural.resume import Work
    from kasu.transduction.members.pooled import by_language, joined

    make_deterministic(threads=1)
    device = pick_device(session.device)
    # States depend on more than the device: the name of the folder says the rest
    work = Work(session.work, {"device": device.type}, SAVED_EVERY)
    languages = by_language(data)
    found: dict[Run, Answers | KasuError] = {}
    for member in members:
        try:
            networks = train_group(languages, Settings(**options), member, work, device)
        except KasuError as error:
            found[member] = error
            continue
        found[member] = joined(
            Answers(networks[name].answer(each.dev), networks[name].answer(each.test))
            for name, each in languages.items()
        )
    return found


def train_group(
    languages: Mapping[str, Data],
    settings: Settings,
    member: Run,
    work: "Work",
    device: "torch.device",
) -> "dict[str, ContextualSeq2Seq]":
    """Train the networks of some languages together, then each further on its own.

    Raises:
        KasuError: a training diverges.
    """
    from kasu.neural.optimizers import adam
    from kasu.transduction.networks import training

    (setting,) = {data.setting for data in languages.values()}
    variant = member.variant or ""
    title, key = named_key(("copenhagen", "+".join(languages), setting), member, VARIANTS)
    # The released program holds out the eighth tenth
    parts = {name: hold_out(data.train, 7) for name, data in languages.items()}
    learnt = {name: languages[name]._replace(train=kept) for name, (kept, _) in parts.items()}
    items, held = (
        [named(item, name) for name in parts for item in parts[name][part]] for part in (0, 1)
    )

    def trained(make: Any, items: Sequence[Item], how: "Recipe", *further: str) -> Any:
        keys = {"-".join([title, *further]): (*key, *further)}
        (network,) = training.train(make, items, how, keys, work, device)
        if isinstance(network, KasuError):
            raise network
        return network

    make = partial(draw_networks, languages, setting, settings, variant)
    group = trained(make, items, recipe(learnt, held, settings, variant))
    if setting not in POOLS:
        return {name: group[name] for name in languages}
    found, further = {}, settings.model_copy(update={"epochs": settings.tuned})
    for name, (kept, held) in parts.items():
        slower = recipe({name: learnt[name]}, held, further, variant)
        # A copy, since the decoder of features is that of the other languages too
        make = partial(copy.deepcopy, group[name])
        tuned = replace(slower, optimizers=adam(neural_baseline.LEARNING_RATE / 10))
        found[name] = trained(make, kept, tuned, name)
    return found


def draw_networks(
    languages: Mapping[str, Data], setting: str, settings: Settings, variant: str
) -> "ByLanguage":
    """Draw the untrained networks of some languages."""
    from kasu.transduction.networks.by_language import ByLanguage
    from kasu.transduction.networks.feature_writer import FeatureWriter

    writer = None
    if setting in POOLS:
        items = [item for data in languages.values() for item in data.train]
        tags = Alphabet(tag for item in items for tag in item.tags)
        width = 2 * settings.hidden + settings.embedding  # of the context
        writer = FeatureWriter(tags, settings.hidden, width, settings.embedding)
    return ByLanguage(
        {
            name: network(*neural_baseline.symbols(data.train), setting, settings, variant, writer)
            for name, data in languages.items()
        }
    )


FAMILY = CustomFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    # In track 1 fifty groups were trained, so a language was in some 19 of them
    members={setting: 20 if setting in POOLS else 50 for setting in SETTINGS},
    submissions={"copenhagen": vote_of_five, "copenhagen-single": alone},
    pools=POOLS,
    has_networks=True,
    trained_by=train,
)
