"""BME-HAS: an LSTM over the characters of every word of the sentence, and LSTMs over the words.

It learns every word of a training sentence, in track 2 those with a lemma. The authors chose a
configuration for each language and setting by accuracy on dev, and recorded it; one training of it
stands for theirs.

The variants differ in when a training ends. The record has a window for some cells, and none for
others, which were trained before there was one: they end by the ratio of the losses on dev and in
training. The record does not say that a window is used where there is one: `ratio` leaves it out.

Not as published: sentences without a target are not learnt, and the loss on dev is that of some
sentences, drawn once.

Source: Ács (2018 §4); what the paper leaves open is as in the released code.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pydantic import Field

from kasu.base.errors import KasuError
from kasu.cloze.data.items import draw_sentences, every_word
from kasu.cloze.data.names import SETTINGS, TRACKS, split_setting
from kasu.config.settings import FilePath, Section, Size
from kasu.job.run import seed_of
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import NetworkFamily
from kasu.transduction.recorded import configuration_of, read_sizes

if TYPE_CHECKING:
    from kasu.cloze.context.padded_words import FirstAlphabet
    from kasu.cloze.networks.sentence_characters import SentenceCharacters
    from kasu.transduction.networks.training import Recipe

    Alphabets = tuple[FirstAlphabet, FirstAlphabet]

VARIANTS = {"window": True, "ratio": False}
"""Whether a window ends the training where the record has one."""

RATIO = 1.5  # of the losses on dev and in training
COUNTS = ("batch_size", "char_embedding_size", "word_hidden_size", "word_num_layers")
CONTEXT_COUNTS = ("context_hidden_size", "context_num_layers", "decoder_num_layers")
TAG_COUNTS = ("tag_embedding_size", "tag_hidden_size", "tag_num_layers")
"""Columns of sizes; those of tags are empty in track 2, which shows none."""


class Configuration(NamedTuple):
    """A configuration: sizes of a network, and how it is trained.

    Attributes:
        characters, tags: width of embeddings.
        words, tag_layers, context, decoder: width of states and number of layers.
        window: epochs; None: the ratio of losses ends a training.
        epochs: how many at most.
        drawn: sentences of dev at most.

    The record also has sizes of an encoder of lemmata, which is that of words.
    """

    batch: int
    characters: int
    tags: int
    words: tuple[int, int]
    tag_layers: tuple[int, int]
    context: tuple[int, int]
    decoder: tuple[int, int]
    dropout: float
    window: int | None
    epochs: int
    drawn: int = 0


class Settings(Section):
    """Sizes of BME-HAS's networks."""

    configurations: FilePath = Field(
        default="resources/authors/sigmorphon2018_bme_configurations_task2.tsv",
        description=(
            "Table of configurations by track, language and setting. Where it lacks a language, "
            "the one that is most frequent in the track and setting is trained."
        ),
    )
    epochs: Size = Field(default=200, description="Epochs at most.")
    dev_sentences: Size = Field(
        default=300,
        description="Sentences of dev, drawn once, that the loss is measured on after each epoch.",
    )


def settle(settings: Settings, language: str, setting: str, seed: int | None) -> Configuration:
    """Return the configuration on record; without one, the most frequent of the setting."""
    path = settings.configurations
    found = configuration_of(read_configurations(path), language, setting, path)
    epochs = min(found.epochs, settings.epochs)
    return found._replace(epochs=epochs, drawn=settings.dev_sentences)


@lru_cache
def read_configurations(path: str) -> dict[tuple[str, str], Configuration]:
    """Read the configurations by language and setting.

    Raises:
        KasuError: a column is missing, a value is no number or out of its range, or the decoder has
            more layers than states to start from.
    """
    from kasu.files.tables import read_tsv  # slow to import, and plans import families

    named = ("track", "language", "setting", "epochs", "dropout", "early_stopping_window")
    rows = read_tsv(path, [*named, *COUNTS, *CONTEXT_COUNTS, *TAG_COUNTS])
    return {
        (row["language"], f"{row['track']}-{row['setting']}"): _read_row(row, f"{path}:{number}")
        for number, row in enumerate(rows, 2)
    }


def _read_row(row: Mapping[str, str], where: str) -> Configuration:
    full = row["track"] == TRACKS[0]
    stated = ["epochs", *COUNTS, *CONTEXT_COUNTS, *(TAG_COUNTS if full else ())]
    if row["early_stopping_window"]:
        stated.append("early_stopping_window")
    counts, dropout = read_sizes(row, stated, where)
    batch, characters, size, layers = (counts[name] for name in COUNTS)
    context, context_layers, decoder = (counts[name] for name in CONTEXT_COUNTS)
    # Both directions of a layer start a layer of the decoder each
    if decoder > 2 * layers:
        expected = f"{2 * layers} or less, twice word_num_layers"
        raise KasuError(where, f"decoder_num_layers {decoder}", expected)
    tags, tag_size, tag_layers = (counts.get(name, 1) for name in TAG_COUNTS)
    return Configuration(
        batch, characters, tags, (size, layers), (tag_size, tag_layers),
        (context, context_layers), (size, decoder), dropout,
        counts.get("early_stopping_window"), counts["epochs"],
    )  # fmt: skip


def prepare(data: Data) -> Data:
    """Learn every word of the sentences."""
    return data._replace(train=every_word(data.train, tagged=reads_all(data.setting)))


def reads_all(setting: str) -> bool:
    """Return whether a setting shows lemmata and tags of the sentence."""
    return split_setting(setting)[0] == TRACKS[0]


def symbols(items: Sequence[Item]) -> tuple["Alphabets", "Alphabets"]:
    """Collect the characters and tags of training items, for track 1 and for track 2."""
    from kasu.cloze.context.padded_words import read_alphabets

    return read_alphabets(items, full=True), read_alphabets(items, full=False)


def network(
    track1: "Alphabets", track2: "Alphabets", setting: str, settings: Configuration, variant: str
) -> "SentenceCharacters":
    """Return the network of a configuration."""
    from kasu.cloze.networks.sentence_characters import Layers, SentenceCharacters

    full = reads_all(setting)
    return SentenceCharacters(
        *(track1 if full else track2),
        full=full,
        embedding=settings.characters,
        tag_embedding=settings.tags,
        words=Layers(*settings.words),
        tag_layers=Layers(*settings.tag_layers),
        context=Layers(*settings.context),
        decoder=Layers(*settings.decoder),
        dropout=settings.dropout,
        together=settings.batch,
    )


def recipe(data: Data, settings: Configuration, variant: str) -> "Recipe":
    """Return a recipe with Adam, which keeps the epoch of the lowest loss on dev.

    Batches keep the order of the data. Losses are means of batches, which are means by symbol.
    """
    from kasu.neural.optimizers import adam
    from kasu.neural.stopping import Ratio, Window
    from kasu.transduction.networks.training import Recipe

    window, most = settings.window, settings.epochs
    seed = seed_of("bme_has", data.language, "dev sentences")
    dev = draw_sentences(data.dev, settings.drawn, seed)
    return Recipe(
        batch_size=settings.batch,
        epochs=most,
        stop=Window(window, 2 * window + 1, most)
        if window and VARIANTS[variant]
        else Ratio(RATIO, most),
        optimizers=adam(0.001),
        validated=every_word(dev, tagged=reads_all(data.setting)),
        measure="loss",
        shuffled=False,
    )


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members=dict.fromkeys(SETTINGS, 1),
    submissions={"bme-has": alone},
    files=("configurations",),
    symbols=symbols,
    prepare=prepare,
    settle=settle,
    network=network,
    recipe=recipe,
)
