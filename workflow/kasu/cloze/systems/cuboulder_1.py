"""CU Boulder's first system: the program of a tutorial, which reads the adjacent words too.

A GRU reads the characters of the lemma, each joined with embeddings of the words before and after
and of the lemma. Another writes the form; it attends to positions of the lemma without seeing what
stands there. The epoch that is best on dev is kept.

Source: Liu et al. (2018 §3.1); what it leaves open is as in PyTorch's tutorial on translation, from
which the program was made, or a setting. The tutorial's attention also gives weight to positions
behind the lemma, where there is nothing: the variant `unmasked`. `forced` always reads the target
in training.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pydantic import Field

from kasu.cloze.data.names import SETTINGS, split_setting
from kasu.config.settings import Positive, Section, Share, Size, SizeOrNull
from kasu.transduction.alphabet import END, START, Alphabet, alphabets
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.cloze.context.words import Words
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.tutorial_seq2seq import TutorialSeq2Seq


class Variant(NamedTuple):
    """What differs between variants.

    Attributes:
        forced: share of the words for which the decoder reads the target in training.
        masked: nothing is attended to where there is nothing.
    """

    forced: float
    masked: bool


VARIANTS = {
    "paper": Variant(0.5, masked=True),
    "forced": Variant(1.0, masked=True),
    "unmasked": Variant(0.5, masked=False),
}
HIDDEN = {"track1": 800, "track2": 400}
LIMIT = 50
"""Positions of the lemma, its boundaries included, and characters of an answer."""


class Settings(Section):
    """Sizes and rates of CU Boulder's first system."""

    hidden: SizeOrNull = Field(
        default=None, description="Width of states; null: 800 in track 1, 400 in track 2."
    )
    embedding: Size = Field(
        default=100, description="Width of embedded characters, words and features."
    )
    dropout: Share = Field(
        default=0.1,
        lt=1,
        title="a share of 0 or more, below 1",
        description="Share of what the decoder reads that training drops.",
    )
    unknown: Share = Field(
        default=0.1, description="Share of words and features that training reads as unknown."
    )
    epochs: SizeOrNull = Field(default=None, description="Epochs; null: 50 at low, 40 above.")
    learning_rate: Positive = Field(default=0.00005, description="Of Adam.")


def symbols(items: Sequence[Item]) -> tuple[Alphabet, "Words"]:
    """Collect the characters and the words of training items; what is hidden is unknown."""
    from kasu.cloze.context.words import read_words

    return alphabets(items)[0], read_words(items, hidden=False)


def network(
    characters: Alphabet, words: "Words", setting: str, settings: Settings, variant: str
) -> "TutorialSeq2Seq":
    """Return the network of a variant."""
    from kasu.cloze.context.adjacent import FEATURES, FORM, LEMMA, AdjacentWords
    from kasu.transduction.networks.tutorial_seq2seq import TutorialSeq2Seq

    track, _ = split_setting(setting)
    read = (FORM, LEMMA, FEATURES) if track == "track1" else (FORM,)
    before, after = ([(step, kind) for kind in read] for step in (-1, 1))
    parts = [*before, (0, LEMMA), *after]
    forced, masked = VARIANTS[variant]
    return TutorialSeq2Seq(
        characters,
        AdjacentWords(words, settings.embedding, parts, ends=(START, END)),
        embedding=settings.embedding,
        size=settings.hidden or HIDDEN[track],
        dropout=settings.dropout,
        unknown=settings.unknown,
        forced=forced,
        limit=LIMIT,
        masked=masked,
    )


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with single items and Adam, for a fixed number of epochs."""
    from kasu.neural.optimizers import adam
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe

    epochs = settings.epochs or (50 if split_setting(data.setting)[1] == "low" else 40)
    return Recipe(
        batch_size=1,
        epochs=epochs,
        stop=Patience(epochs, epochs),
        optimizers=adam(settings.learning_rate),
        validated=data.dev,
    )


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members=dict.fromkeys(SETTINGS, 1),
    submissions={"cuboulder-1": alone},
    symbols=symbols,
    network=network,
    recipe=recipe,
)
