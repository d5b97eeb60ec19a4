"""msu-02: forms by the abstract paradigms of the training set, ranked by two language models.

A paradigm is what changes between a lemma and its form: *volver : vuelvo* is `1+o+2+er#1+ue+2+o`.
Every frequent paradigm of the same features is applied to a lemma in each way that fits. Of the
forms, the one wins that is the most probable to two language models of characters together, one of
which reads from the end. Without a form, the answer is the lemma.

Source: Sorokin (2018) §4; details as in the released code.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

from pydantic import Field

from kasu.base.errors import KasuError
from kasu.config.settings import Section, Size
from kasu.transduction.alignments.paradigms import fewest_cuts, forms_of, frequent
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.bundles import as_classes
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Data, Run, Session, alone
from kasu.transduction.members.learning import ModelFamily, State, join_states, part_of
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


class Ranked:
    """The frequent paradigms of a training set, and language models that rank their forms.

    Attributes:
        models: in the order of DIRECTIONS.
    """

    def __init__(self, train: Sequence[Item], models: Iterable[object]) -> None:
        words = ((each.tags, "".join(each.source), "".join(each.target or "")) for each in train)
        self.paradigms = frequent(words, fewest_cuts, FREQUENT)
        self.models = cast("list[CharacterLM]", [*models])

    def forms(self, items: Sequence[Item]) -> list[list[str]]:
        """Return the forms by paradigms of each item, perhaps none."""
        words = ((each.tags, "".join(each.source)) for each in items)
        return forms_of(words, self.paradigms)

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the `width` most probable forms of each item; without any, the lemma."""
        from kasu.transduction.networks.character_lm import rank

        found = zip(items, self.forms(items), strict=True)
        forms = [each or ["".join(item.source)] for item, each in found]
        return rank(self.models, as_classes(items), forms, width)

    def state_dict(self) -> State:
        """Return the weights of the language models."""
        states = (model.state_dict() for model in self.models)
        return join_states(dict(zip(DIRECTIONS, states, strict=True)))


def learn(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Ranked | KasuError]:
    """Train the two language models of each member."""
    return {member: train_models(data, member.seed, options, session) for member in members}


def train_models(
    data: Data, seed: int | None, options: Mapping[str, object], session: Session
) -> Ranked | KasuError:
    """Train the two language models of a member; return the error of one that diverges."""
    runs = [Run(name, seed) for name in DIRECTIONS]
    trained = models(__name__).learn(by_class(data), runs, options, session).values()
    errors = [each for each in trained if isinstance(each, KasuError)]
    return errors[0] if errors else Ranked(data.train, trained)


def load(data: Data, member: Run, options: Mapping[str, object], state: State) -> Ranked:
    """Load the two language models."""
    family, known = models(__name__), by_class(data)
    return Ranked(
        data.train,
        [
            family.load(known, Run(name, member.seed), options, part_of(state, name))
            for name in DIRECTIONS
        ],
    )


FAMILY = ModelFamily(
    __name__,
    settings=Settings,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"msu-02": alone},
    has_networks=True,
    width=NBEST,
    learnt_by=learn,
    loaded_by=load,
)
