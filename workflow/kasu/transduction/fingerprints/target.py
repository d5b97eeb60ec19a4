"""One target of fingerprints: a system in a setting, against a published column."""

import importlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kasu.base.errors import KasuError
from kasu.results.published import PublishedFiles
from kasu.results.reproduction import State
from kasu.results.statistics import span
from kasu.transduction.fingerprints.fingerprint import (
    CAPS,
    EARNED,
    MARGIN,
    Bounds,
    Column,
    Fingerprint,
    Panel,
    PublishedMembers,
    earns,
)
from kasu.transduction.fingerprints.noise import (
    SeedSpread,
    items_interval,
    resolution,
    seed_spread,
)

VOTE = "the vote of its members"  # the part that a member alone lacks of a submission of several

Target = Mapping[str, Any]
"""An entry of the config's `fingerprints`, with its variant, and all languages in place of panels.
`panel` is what the config names."""

Accuracies = dict[str, dict[int | None, Mapping]]
"""Rows of SCORES by language and seed."""

Found = Mapping[tuple[str, str | None, str], Accuracies]
"""What ran, by system, variant and setting."""

Origins = Mapping[str, Mapping[str, str | None]]
"""The default `variant` of each system's family, and the submission of members `alone`."""

Submitted = Mapping[str, Mapping[str, Collection[str]]]
"""The languages in which a system was to run, by setting."""


@dataclass(frozen=True)
class PublishedTask:
    """A study's facts on its scores and on what was published.

    Attributes:
        section: the section of the config.
        copy: the system that copies the lemma.
        cell_of: a function of the condition of a score that returns the setting and the language;
            None if it is not the accuracy in one language.
        columns: the published columns of a setting, by system.
        nulls: systems that cannot do what is tested.
        reruns: columns of a setting that were published after the task, for targets that name one.
        dev: columns of a setting that are accuracies on dev, for targets of that split.
        ablations: by column, the variants of its system that lack a part of the published one,
            each with that part. In the file of a family they would be part of its code, and a
            changed word would train it anew.
    """

    section: str
    copy: str
    cell_of: Callable[[str], tuple[str, str] | None]
    columns: Callable[[str], Mapping[str, Column]]
    nulls: Sequence[str]
    reruns: Callable[[str], Mapping[str, Column]] = lambda setting: {}
    dev: Callable[[str], Mapping[str, Column]] = lambda setting: {}
    ablations: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def columns_for(self, target: Target) -> Mapping[str, Column]:
        """Return the published columns of a target's setting and split, among them its own.

        On test its own may be a rerun, which no other target is compared with.

        Raises:
            KasuError: the column that the target asks for was not published.
        """
        system, _, setting, own = name_of(target)
        columns, reruns = self.columns(setting), self.reruns(setting)
        if on_dev(target):
            columns, reruns = self.dev(setting), {}
        if own in columns:
            return columns
        if own in reruns:
            return {**columns, own: reruns[own]}
        where = f"config {self.section}.fingerprints: {system}, {setting}"
        names = ", ".join([*columns, *reruns])
        raise KasuError(where, f"no column {own!r}", f"one of {names}" if names else "none")


def read_task(study: str, published: PublishedFiles) -> PublishedTask:
    """Return a study's facts on its scores and printed figures (`evaluation.fingerprints`)."""
    module = importlib.import_module(f"kasu.{study}.evaluation.fingerprints")
    task: PublishedTask = module.fingerprint_task(published)
    return task


@dataclass(frozen=True)
class Ran:
    """The scores of a system that ran, over languages that a column has.

    Attributes:
        cells: rows of SCORES by language and seed.
        published: how many members the published figures are from.
    """

    cells: Accuracies
    published: int

    @property
    def rows(self) -> list[Mapping]:
        """The row of all members together, for each language."""
        return [max(runs.values(), key=lambda row: row["runs"]) for runs in self.cells.values()]

    @property
    def accuracies(self) -> np.ndarray:
        """The accuracy in each language."""
        return np.array([row["value"] for row in self.rows])

    @property
    def members(self) -> list[int]:
        """The number of members that took part, for each language."""
        return [row["runs"] for row in self.rows]

    def items_interval(
        self, published: np.ndarray, spread: SeedSpread | None
    ) -> tuple[float, float] | tuple[None, None]:
        """Return the interval over items and seeds; None if the spread or the items are unknown."""
        items = [row.get("n") for row in self.rows]
        if not spread or not all(items):
            return None, None
        of_difference = spread.of_difference(self.members, self.published)
        return items_interval(self.accuracies, published, np.array(items, float), of_difference)


@dataclass(frozen=True)
class Evidence:
    """The evidence by which targets are judged: all that ran and was published.

    Attributes:
        found: accuracies on test.
        published_members: how many members are behind each column.
        submitted: what was to run, for targets that name no languages.
        dev: accuracies on dev.
    """

    task: PublishedTask
    found: Found
    origins: Origins
    published_members: PublishedMembers
    submitted: Submitted
    dev: Found

    def ablations(self, target: Target) -> Mapping[str, str]:
        """Return the variants that lack a part of a target's column, and the part."""
        return self.task.ablations.get(column_of(target), {})

    def ablated(self, target: Target) -> Iterator[Target]:
        """Yield the ablations of a target that ran wherever it did."""
        ran = self._ran(target)
        for variant in self.ablations(target):
            other = {**target, "variant": variant}
            if variant != target["variant"] and ran and ran.keys() <= self._ran(other).keys():
                yield other

    def take(self, target: Target) -> tuple[dict, list[dict]] | None:
        """Return the row of a target and its differences by language; None if no language ran."""
        cells = self._ran(target)
        if not cells:
            return None
        _, _, setting, own = name_of(target)
        columns, wanted = self.task.columns_for(target), self._wanted(target)
        ran = Ran(cells, self.published_members.get(own, {}).get(setting, 1))
        copies = self._cells(self.task.copy, None, target, cells)
        copied = dict(zip(copies, Ran(copies, 1).accuracies, strict=True))
        panel = Panel.of([*cells], own, columns, copied)
        (taken,) = panel.measure((ran.accuracies - panel.published)[None])
        spread = self._spread(target, cells)
        chance = spread.bound(ran.members, ran.published) if spread else None
        bounds = _bounds(target, len(wanted), chance)
        verdict, reason, unseen = self._judge(target, taken, bounds, cells)
        # Where seeds were not measured, a right program has at most the spread of the cap
        noise = min(taken.sd, taken.sd if bounds.cap is None else bounds.cap)
        if spread:
            noise = spread.of_difference(ran.members, ran.published)
        loss = resolution(panel, bounds, noise, verdict) if len(cells) > 1 else None
        low, high = ran.items_interval(panel.published, spread)
        key = dict(zip(("system", "variant", "setting", "column"), name_of(target), strict=True))
        key["panel"] = target.get("panel")
        over = f"{len(cells)} of {len(wanted)} languages"
        notes = [over] if len(cells) < len(wanted) and over not in reason else []
        if verdict in EARNED and loss is not None:
            notes.append(f"would see a loss of {100 * loss:.1f} points")
        row = key | {
            "wanted": len(wanted), "members": span(ran.members),
            "published_members": ran.published, "items_low": low, "items_high": high,
            "seed_sd": spread and spread.sd, "resolution": loss, "unseen": "; ".join(unseen),
            "verdict": str(verdict), "reason": "; ".join([reason, *notes]),
        }  # fmt: skip
        by_language = [
            key | {"language": name, "ours": ours, "published": theirs, "difference": ours - theirs}
            for name, ours, theirs in zip(cells, ran.accuracies, panel.published, strict=True)
        ]
        return row | _figures(taken, bounds), by_language

    def _wanted(self, target: Target) -> list[str]:
        """Return the languages of a target that its column has."""
        system, variant, setting, own = name_of(target)
        column = self.task.columns_for(target)[own]
        names = target.get("languages")
        if names is None:
            names = self._accuracies(system, variant, target)
            if variant == self.origins.get(system, {}).get("variant"):
                names = self.submitted.get(system, {}).get(setting, names)
        excluded = target.get("excluded", ())
        return [name for name in names if name in column and name not in excluded]

    def _ran(self, target: Target) -> Accuracies:
        """Return what ran of a target in its languages."""
        system, variant, _, _ = name_of(target)
        return self._cells(system, variant, target, self._wanted(target))

    def _cells(
        self, system: str, variant: str | None, target: Target, wanted: Iterable[str]
    ) -> Accuracies:
        """Return what ran of a system in some languages, in the setting and split of a target."""
        cells = self._accuracies(system, variant, target)
        return {name: cells[name] for name in wanted if name in cells}

    def _accuracies(self, system: str, variant: str | None, target: Target) -> Accuracies:
        # Nulls answer test alone. Dev was drawn as test was, so their figures there stand for both
        null = system in (self.task.copy, *self.task.nulls)
        found = self.dev if on_dev(target) and not null else self.found
        return found.get((system, variant, target["setting"]), {})

    def _alone(self, target: Target) -> str:
        """Return the submission of single members of a target's system."""
        return self.origins.get(target["system"], {}).get("alone") or ""

    def _spread(self, target: Target, languages: Iterable[str]) -> SeedSpread | None:
        """Return how far members of a target's system differ, in the languages compared."""
        cells = self._cells(self._alone(target), target["variant"], target, languages)
        return seed_spread(
            {seed: row["value"] for seed, row in runs.items()} for runs in cells.values()
        )

    def _judge(
        self, target: Target, taken: Fingerprint, bounds: Bounds, languages: Collection[str]
    ) -> tuple[State, str, list[str]]:
        """Return the verdict, its reason, and the parts without which the system earns it too."""
        nulls = {
            null: found
            for null in self.task.nulls
            if null != target["system"]
            and (found := self._beside(null, None, target, taken.panel, languages))
        }
        verdict, reason = taken.judge_beside(nulls, bounds)
        lacking = self.ablations(target).get(target["variant"] or "")
        if lacking and verdict in EARNED:
            # A variant that is known to lack a part earns no word that speaks for the system
            return State.UNINFORMATIVE, f"{verdict} even without {lacking}", [lacking]
        if lacking:
            return verdict, f"without {lacking}: {reason}", []
        unseen = [
            part
            for part, found in self._lacking(target, taken.panel, languages)
            if earns(found.earn(bounds)[0], verdict)
        ]
        if unseen:
            reason += f"; cannot see {' or '.join(unseen)}"
        return verdict, reason, unseen

    def _lacking(
        self, target: Target, panel: Panel, languages: Collection[str]
    ) -> Iterator[tuple[str, Fingerprint]]:
        """Yield what ran without a part of the system in all languages, and the part."""
        system, alone = target["system"], self._alone(target)
        others = [(system, variant, part) for variant, part in self.ablations(target).items()]
        if alone not in ("", system):
            others.append((alone, target["variant"], VOTE))
        for other, variant, part in others:
            if found := self._beside(other, variant, target, panel, languages):
                yield part, found

    def _beside(
        self,
        system: str,
        variant: str | None,
        target: Target,
        panel: Panel,
        languages: Collection[str],
    ) -> Fingerprint | None:
        """Measure another system in place of a target's.

        None if it did not run in all of the languages.
        """
        cells = self._cells(system, variant, target, languages)
        if len(cells) < len(languages):
            return None
        return panel.measure((Ran(cells, 1).accuracies - panel.published)[None])[0]


def on_dev(target: Target) -> bool:
    """Return whether a target compares accuracies on dev."""
    return target.get("split") == "dev"


def column_of(target: Target) -> str:
    """Return the published column that a target is compared with."""
    return target.get("column") or target["system"]


def name_of(target: Target) -> tuple[str, str | None, str, str]:
    """Return the key of a target: system, variant, setting and column."""
    return target["system"], target["variant"], target["setting"], column_of(target)


def _bounds(target: Target, wanted: int, chance: float | None) -> Bounds:
    # A setting is a size, in some studies after something else
    cap = target.get("cap", CAPS[target["setting"].rpartition("-")[2]])
    margin, why = target.get("margin", MARGIN), target.get("why", "")
    return Bounds(target.get("expected", 0.0), margin, cap, why, chance, wanted)


def _figures(taken: Fingerprint, bounds: Bounds) -> dict[str, object]:
    """Return the measures of a fingerprint, and its bounds."""
    spread = len(taken.differences) > 1  # one language has none
    low, high = taken.interval if spread else (None, None)
    near = taken.nearest
    return {
        "languages": len(taken.differences), "difference": taken.mean, "low": low, "high": high,
        "expected": bounds.expected, "margin": bounds.margin, "sd": taken.sd if spread else None,
        "cap": bounds.cap, "seed_cap": bounds.chance, "rms": taken.rms, "rank": taken.rank,
        "columns": len(taken.panel.others) + 1, "nearest_other": near and near.column,
        "nearest_rms": near and near.rms,
    }  # fmt: skip
