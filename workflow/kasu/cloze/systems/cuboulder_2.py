"""CU Boulder's second system, of track 1: it predicts the features of the word, then inflects.

One network reads the sentence and predicts all features as one class; another inflects the lemma
for the features predicted. Each is trained by itself, on the same words.

Source: Liu et al. (2018 §3.2). The paper's sum of three vectors of 100 can mean that each is 50
wide in each direction: the variant `narrow`. In `paper` a direction is 100 wide. Settings say what
else the paper leaves open. The last epoch of both networks is kept.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import Field

from kasu.base.errors import KasuError
from kasu.cloze.data.items import hold_out
from kasu.cloze.data.names import SETTINGS, split_setting
from kasu.config.settings import Positive, Section, Share, Size, SizeOrNull
from kasu.job.run import log
from kasu.transduction.items import Answer, Item, read_tags
from kasu.transduction.members.families import Answers, CustomFamily, Data, Run, Session, alone
from kasu.transduction.members.networks import SAVED_EVERY, expect_items, named_key

if TYPE_CHECKING:
    import torch

    from kasu.cloze.networks.msd_predictor import MsdPredictor
    from kasu.neural.resume import Work
    from kasu.transduction.networks.inflector import Inflector
    from kasu.transduction.networks.training import Recipe

VARIANTS = {"paper": 1, "narrow": 2}
"""In how many parts the directions of an encoder of the predictor divide its width."""


class Settings(Section):
    """Sizes and rates of CU Boulder's second system."""

    hidden: Size = Field(default=100, description="Width of states, per direction in encoders.")
    embedding: Size = Field(
        default=100, description="Width of embedded characters, words and features."
    )
    unknown: Share = Field(
        default=0.1,
        description="Share of words and features that training of the predictor reads as unknown.",
    )
    predictor_epochs: Size = Field(default=10, description="Epochs of the predictor.")
    predictor_batch: SizeOrNull = Field(
        default=None, description="Items in a batch of the predictor; null: 1 at low, 20 above."
    )
    epochs: SizeOrNull = Field(
        default=None, description="Epochs of the inflector; null: 200 at low, 100 above."
    )
    learning_rate: Positive = Field(
        default=0.1, description="Of stochastic gradient descent, of the inflector."
    )
    clip: Positive = Field(default=5.0, description="The largest norm of the inflector's gradient.")
    held_out: bool = Field(
        default=False,
        description=(
            "Learn nine tenths of the sentences, and log how many of the others' words have the "
            "right features and forms."
        ),
    )


class Pipeline(NamedTuple):
    """Both networks; the second reads the features that the first has predicted."""

    predictor: "MsdPredictor"
    inflector: "Inflector"

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """Return the form of each item, with its log probability, for the features predicted."""
        found = self.predictor.answer(items)
        features = [read_tags(answer.forms[0]) for answer in found]
        pairs = zip(items, features, strict=True)
        return self.inflector.answer([item._replace(tags=tags) for item, tags in pairs])


def network(items: Sequence[Item], settings: Settings, variant: str) -> "MsdPredictor":
    """Return the predictor."""
    from kasu.cloze.context.words import read_words
    from kasu.cloze.networks.msd_predictor import MsdPredictor, msd
    from kasu.transduction.alphabet import Alphabet, alphabets

    return MsdPredictor(
        alphabets(items)[0],
        read_words(items, hidden=False),
        Alphabet(map(msd, items)),
        embedding=settings.embedding,
        directed=max(1, settings.hidden // VARIANTS[variant]),
        size=settings.hidden,
        unknown=settings.unknown,
    )


def inflector(items: Sequence[Item], settings: Settings) -> "Inflector":
    """Return the inflector."""
    from kasu.transduction.alphabet import alphabets
    from kasu.transduction.networks.inflector import Inflector

    return Inflector(*alphabets(items), embedding=settings.embedding, size=settings.hidden)


def recipes(setting: str, settings: Settings) -> tuple["Recipe", "Recipe"]:
    """Return how predictor and inflector are trained: for a fixed number of epochs."""
    from kasu.neural.optimizers import adam, clip_norm, sgd
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe

    low = split_setting(setting)[1] == "low"
    predicting = settings.predictor_epochs
    inflecting = settings.epochs or (200 if low else 100)
    return (
        Recipe(
            batch_size=settings.predictor_batch or (1 if low else 20),
            epochs=predicting,
            stop=Patience(predicting, predicting),
            optimizers=adam(0.0005),
        ),
        Recipe(
            batch_size=20,
            epochs=inflecting,
            stop=Patience(inflecting, inflecting),
            optimizers=sgd(settings.learning_rate),
            clip=clip_norm(settings.clip),
        ),
    )


def train(
    data: Data, members: Sequence[Run], options: Mapping[str, Any], session: Session
) -> dict[Run, Answers | KasuError]:
    """Train members on one language; answer its items."""
    from kasu.neural.device import make_deterministic, pick_device
    from kasu.neural.resume import Work

    make_deterministic(threads=1)
    device = pick_device(session.device)
    # States depend on more than the device: the name of the folder says the rest
    work = Work(session.work, {"device": device.type}, SAVED_EVERY)
    settings, held = Settings(**options), list[Item]()
    if settings.held_out:
        kept, held = hold_out(data.train, 9)
        data = data._replace(train=kept)
    expect_items(data)
    found: dict[Run, Answers | KasuError] = {}
    for member in members:
        try:
            pipeline = train_pipeline(data, settings, member, work, device)
        except KasuError as error:
            found[member] = error
            continue
        if held:
            log.info("%s, %s: %s", data.language, data.setting, count_right(pipeline, held))
        found[member] = Answers(pipeline.answer(data.dev), pipeline.answer(data.test))
    return found


def train_pipeline(
    data: Data, settings: Settings, member: Run, work: "Work", device: "torch.device"
) -> Pipeline:
    """Train both networks of a member.

    Raises:
        KasuError: a training diverges.
    """
    from kasu.transduction.networks import training

    variant = member.variant or ""
    title, key = named_key((FAMILY.name, data.language, data.setting), member, VARIANTS)

    def trained(make: Any, how: "Recipe", *further: str) -> Any:
        keys = {"-".join([title, *further]): (*key, *further)}
        (made,) = training.train(make, data.train, how, keys, work, device)
        if isinstance(made, KasuError):
            raise made
        return made

    predicting, inflecting = recipes(data.setting, settings)
    return Pipeline(
        trained(lambda: network(data.train, settings, variant), predicting),
        trained(lambda: inflector(data.train, settings), inflecting, "inflector"),
    )


def count_right(pipeline: Pipeline, held: Sequence[Item]) -> str:
    """Say in words how many items held out are right, by each network and by both."""
    from kasu.cloze.networks.msd_predictor import msd
    from kasu.transduction.networks.training import accuracy

    labelled = [item._replace(target=msd(item)) for item in held]
    shares = (
        accuracy(pipeline.predictor.answer(held), labelled),
        accuracy(pipeline.inflector.answer(held), held),
        accuracy(pipeline.answer(held), held),
    )
    return (
        "of {} items held out, {:.1%} have the right features, {:.1%} the right form for the right "
        "features, {:.1%} for those predicted".format(len(held), *shares)
    )


FAMILY = CustomFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={setting: 1 for setting in SETTINGS if split_setting(setting)[0] == "track1"},
    submissions={"cuboulder-2": alone},
    has_networks=True,
    trained_by=train,
)
