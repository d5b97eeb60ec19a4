"""The groups that the paper averages over: its systems and sets at one level (GEO-13)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kasu.minimal_sets.data.paper import DECODERS, ENCODERS, RELEASED_SETS, SETS
from kasu.minimal_sets.evaluation.scored_sets import ScoredSets, comparable
from kasu.results.verdicts import About


class Group(NamedTuple):
    """The scores of the paper's systems on its sets at one level.

    variant: of the encoders; if the decoders have another one, it follows after a plus sign.
    systems: those that the paper averages at this level.
    """

    variant: str
    level: str
    sets: ScoredSets
    systems: tuple[str, ...]

    def of_case(self, case: str) -> ScoredSets:
        """Return the sets whose right value is `case`."""
        return {key: scored for key, scored in self.sets.items() if SETS[key.set] == case}

    @property
    def about(self) -> About:
        """The source of the scores: claims on the authors' own scores are about print."""
        released = any(scored.released for scored in self.sets.values())
        return About.PRINT if released else About.OURS

    def complete(self, case: str | None = None) -> bool:
        """Return whether every system scored every set (of a case)."""
        sets = [name for name, right in SETS.items() if case in (None, right)]
        present = {(key.system, key.set) for key in self.sets}
        return all((system, name) in present for system in self.systems for name in sets)

    def coverage(self, case: str) -> str:
        """Say how many of the paper's sets and systems of a case there are."""
        sets = self.of_case(case)
        count = sum(right == case for right in SETS.values())
        systems = f"{len({key.system for key in sets})} of {len(self.systems)} systems"
        return f"{len({key.set for key in sets})} of {count} {case} sets, {systems}"


def paper_groups(sets: ScoredSets) -> Iterator[Group]:
    """Yield a group per variant: encoders at word level, then all models at sentence level.

    A user's own set with the name of a set of the paper belongs to no group.
    """
    sets = {key: scored for key, scored in sets.items() if scored.collection in ("", RELEASED_SETS)}
    for variant in _variants(sets, "word", ENCODERS):
        yield _group(sets, "word", {variant: ENCODERS})
    of_encoders = _variants(sets, "sentence", ENCODERS)
    of_decoders = _variants(sets, "sentence", DECODERS)
    for variant in of_encoders:
        # Released results share one variant; our definitions differ by kind of model
        others = [other for other in of_decoders if comparable(variant, other)]
        for other in others or [variant]:
            if variant == other:
                yield _group(sets, "sentence", {variant: ENCODERS + DECODERS})
            else:
                yield _group(sets, "sentence", {variant: ENCODERS, other: DECODERS})
    if not of_encoders:
        for variant in of_decoders:
            yield _group(sets, "sentence", {variant: DECODERS})


def _variants(sets: ScoredSets, level: str, systems: Sequence[str]) -> list[str]:
    return sorted({key.variant for key in sets if key.level == level and key.system in systems})


def _group(sets: ScoredSets, level: str, wanted: Mapping[str, Sequence[str]]) -> Group:
    """Return the group of some variants, each with its systems."""
    chosen = {
        key: scored
        for key, scored in sets.items()
        if key.level == level and key.set in SETS and key.system in wanted.get(key.variant, ())
    }
    systems = ENCODERS if level == "word" else ENCODERS + DECODERS
    return Group("+".join(wanted), level, chosen, systems)
