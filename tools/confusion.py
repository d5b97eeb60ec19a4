"""What fingerprints cannot tell apart: wrong programs made from the published columns of task 1.

    python tools/confusion.py

writes the tables of docs/how-it-works.md anew, by panel and setting, under the default bounds:

- every published system in place of ours, beside every column of another team. Its own column is
  left out, as that of a program that nobody published would be;
- a right program, and one that is right but for a mean loss, by draws with SEED_SDS in each
  language;
- a half-wrong program, which answers 70 % of the items of each language as its own column does and
  30 % as the nearest other team's, by such draws.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import yaml

from kasu.files.parts import write_text
from kasu.inflection.data.triples import SETTINGS
from kasu.inflection.evaluation.fingerprints import fingerprint_task
from kasu.results.published import PUBLISHED_FOLDER
from kasu.results.reproduction import State
from kasu.transduction.fingerprints.fingerprint import (
    CAPS,
    FEWEST,
    Bounds,
    Column,
    Fingerprint,
    Panel,
    team,
)
from kasu.transduction.fingerprints.target import PublishedTask

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "how-it-works.md"
PANELS = ("p6", "p12", "p24", "all")
WRONG = 0.3  # of a half-wrong program
LOSSES = (0.02, 0.03)
# Of a member in one language: iitbhu-iiith-01 at low, tuebingen-oslo-03 at medium and high
SEED_SDS = {"low": 0.018, "medium": 0.012, "high": 0.011}
DRAWS = 40  # of each column, both sides with their seeds
PASSED = (State.AGREES, State.CONSISTENT)


@cache
def columns(setting: str, panel: str) -> dict[str, Column]:
    """The published columns over a panel, those of three languages or more."""
    config = yaml.safe_load((ROOT / "config" / "real.yaml").read_text("utf-8"))
    names = config["inflection"]["panels"].get(panel)
    found = {}
    for system, column in _task().columns(setting).items():
        kept = {name: value for name, value in column.items() if not names or name in names}
        if len(kept) >= FEWEST:
            found[system] = kept
    return found


@cache
def _task() -> PublishedTask:
    return fingerprint_task(PUBLISHED_FOLDER)


def others(setting: str, panel: str) -> Iterator[tuple[str, str, State]]:
    """Each system beside each column of another team that it shares languages with: the word."""
    named = columns(setting, panel)
    for system, ours in named.items():
        rest = {name: column for name, column in named.items() if name != system}
        for own in rest:
            shared = sum(name in rest[own] for name in ours)
            if team(own) != team(system) and shared >= FEWEST:
                found = Fingerprint.of(ours, own, rest)
                yield system, own, found.judge(Bounds(cap=CAPS[setting]))[0]


def losing(setting: str, panel: str, loss: float, wrong: float = 0.0) -> Counter[State]:
    """The words that programs earn which lose, or are partly wrong: DRAWS of each system.

    Args:
        loss: in every language, of what its own column has.
        wrong: the share of the items answered as by the nearest other team.
    """
    named, random = columns(setting, panel), np.random.default_rng(1)
    bounds = Bounds(cap=CAPS[setting])
    states: Counter[State] = Counter()
    for own, theirs in named.items():
        beside = Panel.of([*theirs], own, named)
        # Both sides were trained once
        noise = random.normal(0.0, 2**0.5 * SEED_SDS[setting], (DRAWS, len(theirs)))
        near = beside.measure(np.zeros((1, len(theirs))))[0].nearest
        if wrong and near:
            # Where the other team has no figure, the own one stays
            noise -= wrong * np.nan_to_num(beside.gaps[beside.others.index(near.column)])
        if near or not wrong:
            states.update(each.judge(bounds)[0] for each in beside.measure(noise - loss))
    return states


def table() -> str:
    """The table of the page, in Markdown."""
    heads = ["setting", "panel", "another team's program", "right program"]
    heads += [f"loss of {100 * loss:.0f} points" for loss in LOSSES] + ["half-wrong program"]
    lines = [heads, ["---"] * len(heads)]
    for setting in SETTINGS:
        for panel in PANELS:
            found = Counter(state for *_, state in others(setting, panel))
            drawn = [losing(setting, panel, loss) for loss in (0.0, *LOSSES)]
            drawn.append(losing(setting, panel, 0.0, WRONG))
            cells = [setting, panel if panel == "all" else panel.upper(), _counts(found)]
            cells += [_shares(states) for states in drawn]
            lines.append(cells)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _judged(states: Counter[State]) -> int:
    return states.total() - states[State.UNINFORMATIVE]


def _counts(states: Counter[State]) -> str:
    """How many agree, how many are consistent, and of how many."""
    return " + ".join(str(states[state]) for state in PASSED) + f" of {_judged(states)}"


def _shares(states: Counter[State]) -> str:
    """How many percent agree, and how many are consistent."""
    return " + ".join(f"{100 * states[state] / _judged(states):.0f}" for state in PASSED) + " %"


def write_page(page: Path = PAGE) -> None:
    """Put the table in its place: between the comments that name this script."""
    text = page.read_text("utf-8")
    write_text(page, re.sub(PLACE, lambda found: found[1] + table() + found[3], text))


PLACE = re.compile(r"(<!-- tools/confusion.py -->\n)(.*?)(<!-- end -->)", re.DOTALL)

if __name__ == "__main__":
    write_page()
