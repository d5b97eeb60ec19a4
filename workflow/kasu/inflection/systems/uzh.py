"""University of Zurich: an edit transducer trained by imitation, without an aligner.

A decoder reads the lemma with a pointer and copies, deletes or inserts one character at a time.
Training lets it act by itself more and more often, and tells it what would have been right after
each of its actions. The submissions are votes of all members and of the five best on dev.

Source: Makarov & Clematide (2018) §4; what the paper leaves open is as in the released code.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from kasu.config.settings import Size
from kasu.transduction.alignments.edit_distance import Columns, common_substring
from kasu.transduction.alignments.slide import shifted
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, Member, vote
from kasu.transduction.members.networks import NetworkFamily
from kasu.transduction.networks.zurich import (
    BEAM,
    PAPER,
    RELEASED,
    TransducerSettings,
    Variant,
    imitation_recipe,
    transducer,
)
from kasu.transduction.voting import best_on_dev

if TYPE_CHECKING:
    from kasu.transduction.edits.imitation import Teacher
    from kasu.transduction.networks.training import Recipe
    from kasu.transduction.networks.transducer import EditTransducer

VARIANTS = {
    "released": RELEASED,
    "paper": PAPER,
    "standard_cell": Variant(cell="lstm"),
    # From an aligner's actions to the released system, step by step
    "static": Variant(static=True),
    "expert": Variant(k=None, rolled_out=0.0),
    "explored": Variant(rolled_out=0.0),
}


def vote_of_five(members: Sequence[Member]) -> list[str]:
    """Let the five members of highest accuracy on dev vote."""
    accuracies = {place: member.dev_accuracy for place, member in enumerate(members)}
    return vote([members[place] for place in sorted(best_on_dev(accuracies, 5))])


class Settings(TransducerSettings):
    """Sizes of the University of Zurich's edit transducer."""

    feature: Size = Field(default=20, description="Width of an embedded feature.")


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Settings, variant: str
) -> "EditTransducer":
    """Return the network of a variant."""
    from kasu.transduction.features import Slots

    features = Slots(tags, settings.feature)
    return transducer(characters, features, settings, VARIANTS[variant].cell)


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return the recipe of a member."""
    taught = teacher(data, VARIANTS[variant])
    return imitation_recipe(data.dev, data.setting, settings, taught)


def teacher(data: Data, variant: Variant) -> "Teacher":
    """Return what says which actions are right: alignments, or an expert."""
    from kasu.transduction.edits.actions import aligned_oracle
    from kasu.transduction.edits.imitation import Alignments

    if variant.static:
        aligned = [align_by_substrings(item.source, item.target or "") for item in data.train]
        return Alignments(dict(zip(data.train, map(aligned_oracle, aligned), strict=True)))
    return variant.expert()


def align_by_substrings(source: Sequence[str], target: Sequence[str]) -> Columns:
    """Align by the shift of the source that makes a longest common substring meet.

    It goes word by word if source and target have equally many.

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


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 15, "medium": 12, "high": 10},
    submissions={"uzh-01": vote, "uzh-02": vote_of_five},
    network=network,
    recipe=recipe,
    width=BEAM,
)
