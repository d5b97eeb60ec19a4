"""The neural baseline (overview §4.2): an encoder and decoder that reads the adjacent words.

A bidirectional LSTM reads the characters of the lemma, each joined with embeddings of the words
before and after and of the lemma itself. Another attends to it, and writes the form. Both tracks
have the same network; what track 2 does not show is one symbol.

What the paper leaves open is as in the released code.
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from pydantic import Field

from kasu.cloze.data.items import sentences_of
from kasu.cloze.data.names import SETTINGS
from kasu.config.settings import Section, Share, Size
from kasu.transduction.alphabet import Alphabet, alphabets
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.cloze.context.words import Words
    from kasu.transduction.networks.contextual_seq2seq import ContextualSeq2Seq
    from kasu.transduction.networks.training import Recipe

LEARNING_RATE = 0.001


class Settings(Section):
    """Sizes and rates of the neural baseline."""

    hidden: Size = Field(default=100, description="Width of states, per direction in the encoder.")
    embedding: Size = Field(
        default=100, description="Width of embedded characters, words and features."
    )
    dropout: Share = Field(
        default=0.3,
        lt=1,
        title="a share of 0 or more, below 1",
        description="Share of what LSTMs read that training drops.",
    )
    unknown: Share = Field(
        default=0.1, description="Share of words and features that training reads as unknown."
    )
    share: Share = Field(
        default=0.3,
        gt=0,
        title="a share above 0, up to 1",
        description="Share of the training targets that an epoch draws.",
    )
    epochs: Size = Field(default=20, description="Epochs; the last one is kept.")


def symbols(items: Sequence[Item]) -> tuple[Alphabet, "Words"]:
    """Collect the characters and the words of training items."""
    from kasu.cloze.context.words import read_words

    return alphabets(items)[0], read_words(items)


def network(
    characters: Alphabet, words: "Words", setting: str, settings: Settings, variant: str
) -> "ContextualSeq2Seq":
    """Return the network."""
    from kasu.cloze.context.adjacent import AdjacentWords
    from kasu.transduction.networks.contextual_seq2seq import ContextualSeq2Seq

    return ContextualSeq2Seq(
        characters,
        AdjacentWords(words, settings.embedding),
        embedding=settings.embedding,
        size=settings.hidden,
        dropout=settings.dropout,
        unknown=settings.unknown,
    )


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with single items, Adam and gradient clipping by DyNet's defaults.

    An epoch shuffles the sentences; the targets of a sentence follow each other. The last epoch is
    kept: nothing is decided on dev.
    """
    from kasu.neural.optimizers import adam, clip_norm
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.by_language import take_turns
    from kasu.transduction.networks.training import Recipe

    return Recipe(
        batch_size=1,
        epochs=settings.epochs,
        stop=Patience(settings.epochs, settings.epochs),
        optimizers=adam(LEARNING_RATE),
        clip=clip_norm(5.0),
        order=partial(take_turns, [sentences_of(data.train)]),
        share=settings.share,
    )


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    members=dict.fromkeys(SETTINGS, 1),
    submissions={"neural-bl": alone},
    symbols=symbols,
    network=network,
    recipe=recipe,
)
