"""msu-02: forms by the abstract paradigms of the training set, ranked by two language models.

A paradigm is what changes between a lemma and its form: *volver : vuelvo* is `1+o+2+er#1+ue+2+o`.
Every frequent paradigm of the same features is applied to a lemma in each way that fits. Of the
forms, the one wins that is the most probable to two language models of characters together, one of
which reads from the end. Without a form, the answer is the lemma.

Source: Sorokin (2018) §4; details as in the released code.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

from pydantic import Field

from kasu.base.errors import KasuError
from kasu.config.settings import Section, Size
from kasu.job.run import log
from kasu.transduction.alignments.paradigms import (
    MOST,
    Paradigm,
    candidates,
    fewest_cuts,
    frequent,
)
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.bundles import of_class
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Answers, CustomFamily, Data, Run, Session, alone
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.transduction.networks.character_lm import CharacterLM
    from kasu.transduction.networks.training import Recipe

FREQUENT = 100
"""How many paradigms of the same features are applied, the most frequent ones."""

NBEST = 5
BATCH = 16
PATIENCE = 5  # epochs without a lower loss on dev

DIRECTIONS = {"forward": False, "backward": True}

FeatureWidth = Annotated[Size, Field(description="Width of embedded features.")]
DenseWidth = Annotated[Size, Field(description="Width of the layer before the output.")]
ModelEpochs = Annotated[
    Size,
    Field(description="As `epochs`, of language models; 5 without a lower loss on dev end one."),
]


class Settings(Section):
    """Sizes of MSU's language models."""

    history: Size = Field(default=5, description="Characters that a step reads.")
    layers: Size = Field(default=1, description="Layers of the LSTM.")
    hidden: Size = Field(default=64, description="Width of states.")
    feature: FeatureWidth = 32
    dense: DenseWidth = 32
    epochs: Size = Field(
        default=50, description="Epochs at most; 5 without a lower loss on dev end the training."
    )


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Settings, variant: str
) -> "CharacterLM":
    """Return a language model; `variant` is the direction in which it reads."""
    from kasu.neural.initial import draw_as_keras
    from kasu.transduction.networks.character_lm import CharacterLM

    return draw_as_keras(
        CharacterLM(
            characters, tags, history=settings.history, layers=settings.layers,
            size=settings.hidden, feature=settings.feature, dense=settings.dense,
            backward=DIRECTIONS[variant],
        )
    )  # fmt: skip


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with Nadam, which keeps the epoch of the lowest loss on dev."""
    from kasu.neural.optimizers import clip_norm, nadam
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe, bucket_size, by_length

    size = bucket_size(len(data.train), BATCH)
    return Recipe(
        batch_size=size,
        epochs=settings.epochs,
        stop=Patience(PATIENCE if data.dev else settings.epochs, settings.epochs),
        optimizers=nadam(0.002),
        clip=clip_norm(5),
        validated=data.dev,
        measure="loss",
        order=by_length([len(item.target or "") for item in data.train], size),
    )


def models(module: str) -> NetworkFamily:
    """Return the family of language models in a module; its variants are their directions."""
    return NetworkFamily(
        module,
        settings=Settings,
        variants=DIRECTIONS,
        members={"low": 1, "medium": 1, "high": 1},
        submissions={},
        network=network,
        recipe=recipe,
    )


def by_class(data: Data) -> Data:
    """Return the data with features as networks read them."""
    train, dev, test = map(as_classes, (data.train, data.dev, data.test))
    return data._replace(train=train, dev=dev, test=test)


def as_classes(items: Sequence[Item]) -> list[Item]:
    """Return items with features as networks read them."""
    return [item._replace(tags=of_class(item.tags)) for item in items]


def train(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Answers | KasuError]:
    """Make the forms of dev and test; let the two language models of each member rank them."""
    from kasu.neural.device import make_deterministic

    make_deterministic(threads=1)
    asked = [*data.dev, *data.test]
    found: dict[Run, Answers | KasuError] = {}
    forms = [
        made or ["".join(item.source)] for item, made in zip(asked, make_forms(data), strict=True)
    ]
    for member in members:
        models = train_models(data, member.seed, options, session)
        if isinstance(models, KasuError):
            found[member] = models
        else:
            answers = rank(models, asked, forms)
            found[member] = Answers(answers[: len(data.dev)], answers[len(data.dev) :])
    return found


def train_models(
    data: Data, seed: int | None, options: Mapping[str, object], session: Session
) -> "list[CharacterLM] | KasuError":
    """Train the two language models of a member; return the error of one that diverges."""
    runs = [Run(direction, seed) for direction in DIRECTIONS]
    trained = models(__name__).train_networks(by_class(data), runs, options, session)
    errors = [each for each in trained.values() if isinstance(each, KasuError)]
    return errors[0] if errors else cast("list[CharacterLM]", [*trained.values()])


def make_forms(data: Data) -> list[list[str]]:
    """Return the forms by paradigms of each item of dev and test, perhaps none."""
    words = ((each.tags, "".join(each.source), "".join(each.target or "")) for each in data.train)
    paradigms = frequent(words, fewest_cuts, FREQUENT)
    asked = [*data.dev, *data.test]
    log_cut(asked, paradigms)
    return [forms_of(item, paradigms) for item in asked]


def forms_of(item: Item, paradigms: Mapping[tuple[str, ...], Sequence[Paradigm]]) -> list[str]:
    """Return the forms by the paradigms of an item's features, perhaps none."""
    return candidates("".join(item.source), paradigms.get(item.tags, ()))[:MOST]


def log_cut(items: Sequence[Item], paradigms: Mapping[tuple[str, ...], Sequence[Paradigm]]) -> None:
    """Log how many items a paradigm fits in more ways than are tried."""
    cut = sum(
        any(each.count("".join(item.source)) > MOST for each in paradigms.get(item.tags, ()))
        for item in items
    )
    if cut:
        log.info(
            "msu_02: a paradigm fits %d items in more than %d ways; the first count", cut, MOST
        )


def rank(
    models: "Sequence[CharacterLM]", items: Sequence[Item], forms: Sequence[Sequence[str]]
) -> list[Answer]:
    """Return the most probable forms of each item, with the sum of their log probabilities.

    Of equals, the form by the more frequent paradigm is first, as it comes first.
    """
    return [*map(best, forms, log_probs(models, items, forms))]


def log_probs(
    models: "Sequence[CharacterLM]", items: Sequence[Item], forms: Sequence[Sequence[str]]
) -> list[list[float]]:
    """Return the log probability of each form of each item, summed over models."""
    strings = [form for each in forms for form in each]
    tags = [of_class(item.tags) for item, each in zip(items, forms, strict=True) for _ in each]
    scores = iter(sum(model.log_prob(strings, tags) for model in models).tolist())
    return [[next(scores) for _ in each] for each in forms]


def best(forms: Sequence[str], scores: Sequence[float]) -> Answer:
    """Return the forms of the highest scores; of equals, the first comes first."""
    ranked = sorted(zip(scores, forms, strict=True), key=lambda pair: -pair[0])[:NBEST]
    return Answer([form for _, form in ranked], [score for score, _ in ranked])


FAMILY = CustomFamily(
    __name__,
    settings=Settings,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"msu-02": alone},
    has_networks=True,
    trained_by=train,
)
