"""University of Zurich: an edit transducer trained by imitation, without an aligner.

A decoder reads the lemma with a pointer and copies, deletes or inserts one character at a time.
Training lets it act by itself more and more often, and tells it what would have been right after
each of its actions. The submissions are votes of all members and of the five best on dev.

Source: Makarov & Clematide (2018) §4; what the paper leaves open is as in the released code.
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pydantic import Field

from kasu.base.settings import Section, Size, SizeOrNull
from kasu.transduction.alignments.edit_distance import Columns, common_substring
from kasu.transduction.alignments.slide import shifted
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, Member, vote
from kasu.transduction.members.networks import train_networks
from kasu.transduction.voting import best_on_dev

if TYPE_CHECKING:
    from kasu.neural.recurrent import Kind
    from kasu.transduction.edits.imitation import Teacher
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.transducer import EditTransducer


class Variant(NamedTuple):
    """What differs between variants.

    Attributes:
        static: learn alignments by longest common substrings instead; the rest but `cell` is void.
        others: see kasu.transduction.edits.imitation.Expert.
    """

    k: float | None = 12.0
    uniform: bool = False
    rolled_out: float = 0.5
    beta: float = 0.0
    static: bool = False
    cell: "Kind" = "coupled"


VARIANTS = {
    "released": Variant(),
    # In the paper's equations the expert draws uniformly, and roll-outs pay for their distance
    "paper": Variant(uniform=True, beta=5.0),
    "standard_cell": Variant(cell="lstm"),
    # From an aligner's actions to the released system, step by step
    "static": Variant(static=True),
    "expert": Variant(k=None, rolled_out=0.0),
    "explored": Variant(rolled_out=0.0),
}


def vote_of_five(members: Sequence[Member]) -> list[str]:
    """The submission in which the five members of highest accuracy on dev vote."""
    accuracies = {place: member.dev_accuracy for place, member in enumerate(members)}
    return vote([members[place] for place in sorted(best_on_dev(accuracies, 5))])


WIDTH = 4
LIMIT = 150  # actions
MEMBERS = {"low": 15, "medium": 12, "high": 10}
SUBMISSIONS = {"uzh-01": vote, "uzh-02": vote_of_five}

EPOCHS = {"low": 60, "medium": 50, "high": 30}
PATIENCE = {"low": 20, "medium": 15, "high": 5}


class Settings(Section):
    """Sizes of the University of Zurich's network."""

    hidden: Size = Field(default=200, description="Width of states, per direction in the encoder.")
    embedding: Size = Field(default=100, description="Width of embedded characters and actions.")
    feature: Size = Field(default=20, description="Width of an embedded feature.")
    epochs: SizeOrNull = Field(
        default=None, description="Epochs at most; null: 60, 50 and 30 by setting."
    )


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Settings, variant: str
) -> "EditTransducer":
    """The network of a variant."""
    from kasu.transduction.edits.actions import COPY, DELETE, ActionAlphabet
    from kasu.transduction.features import Slots
    from kasu.transduction.networks.transducer import EditTransducer

    return EditTransducer(
        ActionAlphabet(characters.symbols, [COPY, DELETE]),
        Slots(tags, settings.feature),
        embedding=settings.embedding,
        size=settings.hidden,
        kind=VARIANTS[variant].cell,
        limit=LIMIT,
    )


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Single items, Adadelta and gradient clipping by DyNet's defaults; the best epoch on dev."""
    from kasu.neural.optimizers import adadelta, clip_norm
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.training import Recipe

    epochs = settings.epochs or EPOCHS[data.setting]
    return Recipe(
        batch_size=1,
        epochs=epochs,
        stop=Patience(PATIENCE[data.setting] if data.dev else epochs, epochs),
        optimizers=adadelta(),
        clip=clip_norm(5.0),
        validated=data.dev,
        teacher=teacher(data, VARIANTS[variant]),
    )


def teacher(data: Data, variant: Variant) -> "Teacher":
    """Who says which actions are right."""
    from kasu.transduction.edits.actions import aligned_oracle
    from kasu.transduction.edits.imitation import Alignments, Expert

    if variant.static:
        aligned = [align_by_substrings(item.source, item.target or "") for item in data.train]
        return Alignments(dict(zip(data.train, map(aligned_oracle, aligned), strict=True)))
    return Expert(LIMIT, variant.k, variant.uniform, variant.rolled_out, variant.beta)


def align_by_substrings(source: Sequence[str], target: Sequence[str]) -> Columns:
    """Shift the source so that a longest common substring meets.

    Word by word, if source and target have as many.

    Source: the released code, where it is called `cls`.
    """
    sources, targets = "".join(source).split(" "), "".join(target).split(" ")
    if len(sources) != len(targets):
        sources, targets = [" ".join(sources)], [" ".join(targets)]
    columns: Columns = []
    for place, (word, other) in enumerate(zip(sources, targets, strict=True)):
        i, j, _ = common_substring(word, other)
        columns += [(" ", " ")] * (place > 0) + shifted(word, other, j - i)
    return columns


train = partial(train_networks, __name__)
