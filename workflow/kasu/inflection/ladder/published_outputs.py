"""Published outputs by item beside our members, for the same test items."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError
from kasu.inflection.data.triples import Triple, read_dataset, read_triples
from kasu.transduction.members.answers import read_members
from kasu.transduction.members.families import alone

OURS, THEIRS = "ours", "published"

Forms = dict[str, list[np.ndarray]]
"""The forms of each member by language, in the order of the test items, shape (items,)."""


class System(NamedTuple):
    """A system: ours by family and variant, or a published one.

    `variant` of a published system is the variant of ours that it is, if any. `single` tells models
    that stand alone from a vote.
    """

    side: str
    name: str
    variant: str | None
    single: bool = True


@dataclass(frozen=True)
class ComparedOutputs:
    """Forms of all systems for the test items of each language.

    `gold` are the right forms, shape (items,).
    """

    gold: Mapping[str, np.ndarray]
    systems: Mapping[System, Forms]

    def accuracies(self, system: System) -> dict[str, float]:
        """Return the accuracy in each language, as a mean over members."""
        return {
            language: float(np.mean([forms == self.gold[language] for forms in members]))
            for language, members in self.systems[system].items()
        }


def read_outputs(
    published: Iterable[Mapping],
    members: Mapping[str, Sequence[str | Path]],
    datasets: Mapping[str, str | Path],
    variants: Mapping[str, Sequence[str | None]],
) -> tuple[ComparedOutputs, Counter[str]]:
    """Read published outputs and our members, and count lines that answer no item by reason.

    Args:
        published: a row for each file: system, variant, seed (None for a vote), language, path.
        members: files of MEMBERS by family.
        datasets: the test set of each language.
        variants: the variants of each family that are compared.

    Raises:
        KasuError: as `read_output` and `read_members`, or members answered another test set.
    """
    items = {language: read_dataset(path) for language, path in datasets.items()}
    gold = {language: [item.form for item in items[language]] for language in items}
    systems: dict[System, Forms] = {}
    drops: Counter[str] = Counter()
    for file in published:
        forms, dropped = read_output(file["path"], items[file["language"]])
        system = System(THEIRS, file["system"], file["variant"], file["seed"] is not None)
        systems.setdefault(system, {}).setdefault(file["language"], []).append(np.array(forms))
        drops.update({f"{file['system']}: {why}": count for why, count in dropped.items()})
    for family, paths in members.items():
        for trained in read_members(paths):
            if trained.language not in gold:
                continue
            if trained.gold != gold[trained.language]:
                found = f"members of {family} answered other items"
                raise KasuError(f"test set of {trained.language}", found, "the same items")
            for run, member in trained.members.items():
                if run.variant in variants[family]:
                    forms_of = systems.setdefault(System(OURS, family, run.variant), {})
                    forms_of.setdefault(trained.language, []).append(np.array(alone([member])))
    return ComparedOutputs({name: np.array(gold[name]) for name in gold}, systems), drops


def read_output(path: str | Path, items: Sequence[Triple]) -> tuple[list[str], Counter[str]]:
    """Read a published output.

    Items are known by lemma and features.

    Returns:
        A form for each test item, and by reason the number of lines that answer none.

    Raises:
        KasuError: an item has no answer or two different ones, or as `read_triples`.
    """
    wanted = [(item.lemma, item.features) for item in items]
    known = set(wanted)
    answers: dict[tuple[str, str], str] = {}
    drops: Counter[str] = Counter()
    for lemma, form, features in read_triples(path):
        cell = lemma, features
        if cell not in known:
            drops["not in the test set"] += 1
        elif cell not in answers:
            answers[cell] = form
        elif answers[cell] == form:
            drops["the same answer again"] += 1
        else:
            raise KasuError(path, f"two answers to {lemma} {features}", "one")
    if missing := [cell for cell in wanted if cell not in answers]:
        found = f"no answer to {len(missing)} of {len(items)} test items, the first of them "
        raise KasuError(path, found + " ".join(missing[0]), "one to each")
    return [answers[cell] for cell in wanted], drops
