"""BME-HAS: a decoder that attends to the lemma and to its features, none of it masked.

Fifteen configurations, found by a random search over three languages, were trained on each language
and setting. bme-01 is the network of highest accuracy on dev. The authors recorded its
configuration, so one training stands for fifteen here.

The paper says that bme-03 is the same network answering by batches of 16 rather than 128, so that
fewer answers see padding, which nothing masks. Its published figures do not show that: in 66 of 102
languages at medium, accuracy and Levenshtein distance equal those of bme-01 to the last digit. In
the authors' notebook, batches of 16 answered dev only, which chose among the fifteen anew, and the
test set was answered by batches of 128. With one training there is nothing to choose, so the first
variant of bme-03 answers as bme-01 does, and `by_sixteen` as the paper says.

Source: Ács (2018); what the paper leaves open is as in the released code.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pydantic import Field

from kasu.base.errors import KasuError
from kasu.config.settings import FilePath, Section, Size
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import NetworkFamily
from kasu.transduction.recorded import configuration_of, read_sizes

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.two_headed import TwoHeaded

VARIANTS = {"recorded": 128, "by_sixteen": 16}
"""How many items are answered as one batch."""

BATCH = {"kurmanji": 16}  # its words are too long for the memory of 128
WINDOW, FEWEST = 5, 20  # epochs
PARTS = ("lemma", "tag", "inflected")
SIZES = ("embedding_size", "hidden_size", "num_layers")
COUNTS = (*(f"{part}_{size}" for part in PARTS for size in SIZES), "batch_size", "epochs")


class Configuration(NamedTuple):
    """A configuration: sizes of both encoders and of the decoder, and how they are trained.

    Attributes:
        parts: width of embeddings, width of states, and number of layers, by encoder or decoder.

    The record also says whether lemmata and forms had one alphabet. Here they do.
    """

    parts: tuple[tuple[int, int, int], ...]
    dropout: float
    batch: int
    epochs: int


class Settings(Section):
    """Sizes of BME-HAS's networks."""

    configurations: FilePath = Field(
        default="resources/authors/sigmorphon2018_bme_configurations.tsv",
        description=(
            "Table of configurations by language and setting. Where it lacks a language, the one "
            "that is most frequent in the setting is trained."
        ),
    )
    epochs: Size = Field(default=200, description="Epochs at most.")


def settle(settings: Settings, language: str, setting: str, seed: int | None) -> Configuration:
    """Return the configuration on record; without one, the most frequent of the setting."""
    path = settings.configurations
    found = configuration_of(read_configurations(path), language, setting, path)
    return found._replace(
        batch=BATCH.get(language, found.batch), epochs=min(found.epochs, settings.epochs)
    )


@lru_cache
def read_configurations(path: str) -> dict[tuple[str, str], Configuration]:
    """Read the configurations by language and setting.

    Raises:
        KasuError: a column is missing, a value is no number or out of its range, or the decoder has
            more layers than states to start from.
    """
    from kasu.files.tables import read_tsv  # slow to import, and plans import families

    rows = read_tsv(path, ["language", "setting", *COUNTS, "dropout"])
    return {
        (row["language"], row["setting"]): _read_row(row, f"{path}:{number}")
        for number, row in enumerate(rows, 2)
    }


def _read_row(row: Mapping[str, str], where: str) -> Configuration:
    counts, dropout = read_sizes(row, COUNTS, where)
    *sizes, batch, epochs = counts.values()
    layers = sizes[2::3]
    # Both directions of an encoder's layer start a layer of the decoder each
    if layers[2] > (most := 2 * min(layers[:2])):
        expected = f"{most} or less, twice the layers of either encoder"
        raise KasuError(where, f"inflected_num_layers {layers[2]}", expected)
    parts = tuple(zip(sizes[0::3], sizes[1::3], layers, strict=True))
    return Configuration(parts, dropout, batch, epochs)


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Configuration, variant: str
) -> "TwoHeaded":
    """Return the network of a configuration."""
    from kasu.transduction.networks.two_headed import NetworkSizes, TwoHeaded

    parts = (NetworkSizes(*part) for part in settings.parts)
    together = min(VARIANTS[variant], settings.batch)
    return TwoHeaded(characters, tags, *parts, dropout=settings.dropout, together=together)


def recipe(data: Data, settings: Configuration, variant: str) -> "Recipe":
    """Return a recipe with Adam, which keeps the epoch of the lowest loss on dev.

    Batches keep the order of the data.
    """
    from kasu.neural.optimizers import adam
    from kasu.neural.stopping import Window
    from kasu.transduction.networks.training import Recipe

    return Recipe(
        batch_size=settings.batch,
        epochs=settings.epochs,
        stop=Window(WINDOW, FEWEST, settings.epochs),
        optimizers=adam(0.001),
        validated=data.dev,
        measure="loss",
        shuffled=False,
    )


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    of_variant={"bme-01": "recorded"},
    trained_as={"by_sixteen": "recorded"},
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"bme-01": alone, "bme-03": alone},
    files=("configurations",),
    settle=settle,
    network=network,
    recipe=recipe,
)
