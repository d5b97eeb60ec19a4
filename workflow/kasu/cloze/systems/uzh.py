"""University of Zurich: the edit transducer of task 1 that reads the adjacent words for features.

Characters of the words before and after, and their features if the track shows them, make a vector
that the decoder reads at every step. At low all is lowercased, since the score folds case.

Source: Makarov & Clematide (2018) §4.2. The paper does not state the size of the network that reads
the words: here it is as wide as its embeddings, in each of two directions.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from kasu.cloze.data.names import SETTINGS, TRACKS, split_setting
from kasu.config.settings import Size, SizeOrNull
from kasu.corpora.texts.spelling import lower
from kasu.transduction.alphabet import Alphabet, alphabets
from kasu.transduction.items import Context, Item
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import NetworkFamily
from kasu.transduction.networks.zurich import (
    BEAM,
    PAPER,
    RELEASED,
    TransducerSettings,
    imitation_recipe,
    transducer,
)

if TYPE_CHECKING:
    from kasu.cloze.context.characters import Around
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.transducer import EditTransducer

VARIANTS = {"released": RELEASED, "paper": PAPER}

TWO_WORDS = {(f"{track}-medium", language) for track in TRACKS for language in ("fr", "sv")}


class Settings(TransducerSettings):
    """Sizes of the University of Zurich's edit transducer."""

    character: Size = Field(
        default=20,
        description=(
            "Width of an embedded character of an adjacent word, and of the states of the network "
            "that reads them."
        ),
    )
    feature: Size = Field(default=10, description="Width of an embedded feature.")
    words: SizeOrNull = Field(
        default=None,
        description="Words read on each side; null: 1, but 2 in French and Swedish at medium.",
    )


def settle(settings: Settings, language: str, setting: str, seed: int | None) -> Settings:
    """Set how many words are read on each side."""
    words = settings.words or (2 if (setting, language) in TWO_WORDS else 1)
    return settings.model_copy(update={"words": words})


def symbols(items: Sequence[Item]) -> tuple[Alphabet, "Around"]:
    """Collect the characters of training items, and the symbols of their sentences."""
    from kasu.cloze.context.characters import read_around

    return alphabets(items)[0], read_around(items)


def network(
    characters: Alphabet, around: "Around", setting: str, settings: Settings, variant: str
) -> "EditTransducer":
    """Return the network of a variant."""
    from kasu.cloze.context.characters import NeighbouringWords

    kind = VARIANTS[variant].cell
    context = NeighbouringWords(
        kind, around, settings.words or 1, character=settings.character, feature=settings.feature
    )
    return transducer(characters, context, settings, kind)


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return the recipe of task 1."""
    _, size = split_setting(data.setting)
    return imitation_recipe(data.dev, size, settings, VARIANTS[variant].expert())


def prepare(data: Data) -> Data:
    """Lowercase the data at low."""
    if split_setting(data.setting)[1] != "low":
        return data
    train, dev, test = (
        [lowered(item, data.code) for item in items] for items in (data.train, data.dev, data.test)
    )
    return data._replace(train=train, dev=dev, test=test)


def lowered(item: Item, language: str) -> Item:
    """Return an item without capitals in lemma, form and the forms of its sentence."""

    def small(form: Sequence[str] | None) -> str | None:
        return None if form is None else lower("".join(form), language)

    context = item.context and Context(
        [each._replace(form=small(each.form)) for each in item.context.tokens], item.context.place
    )
    return Item(small(item.source) or "", item.tags, small(item.target), context)


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={setting: 1 for setting in SETTINGS if not setting.endswith("high")},
    submissions={"uzh": alone},
    symbols=symbols,
    prepare=prepare,
    settle=settle,
    network=network,
    recipe=recipe,
    width=BEAM,
)
