"""Write the map of all systems of the shared tasks, docs/systems.md.

    python tools/systems_map.py >docs/systems.md

Everything is read where it stands: ideas and blocks in the families' files, costs and verdicts in
resources/measured.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from by_language import BY_LANGUAGE
from fingerprints import RECORD, STUDIES
from parts import lines as parts_lines

from kasu.files.tables import read_tsv
from kasu.transduction.members.families import Families, Family

ROOT = Path(__file__).resolve().parent.parent
STORE = ROOT / "resources/measured"
# Parts of every family, which tell nothing of one
EVERYWHERE = {"alphabet", "items", "members", "recorded", "task", "training"}
SHORT = "below 1 s"
HEADINGS = {
    "inflection": "Inflection, task 1 of 2018",
    "cloze": "Inflection in context, task 2 of 2018",
}
INTRODUCTION = """\
# The systems of the shared tasks

Each line is a family: a file that makes one system or several. Its CPU time is the median of a
member in one language (of all languages, where one network learns from all), by size of the
training set. A verdict says [how near ours is to the published
figures](inflection.md#is-it-the-published-system). Choices and what the runs say stand in
[inflection-systems](inflection-systems.md), [cloze-systems](cloze-systems.md) and
[findings](findings.md). `make docs` writes this page from the files and the
[record](../resources/measured/README.md).
"""
GAINS = """\
## What each part adds

Pairs of systems or variants that differ in one part, on the same languages, with 95 % intervals of
the mean over languages. Members are paired as they ran, so a gain is of these programs at these
sizes, and of no other.

![Gains with their intervals, beside the printed ones](parts.svg)
"""


def families_of(study: str) -> Families:
    """The families of a study."""
    found: Families = importlib.import_module(f"kasu.{study}.families").FAMILIES
    return found


def idea(tree: ast.Module) -> str:
    """What a family does: the first line of its file after the name."""
    line = (ast.get_docstring(tree) or "").splitlines()[0]
    _, _, said = line.rpartition(": ")
    return said.removesuffix(".").removeprefix("it ")


def blocks(tree: ast.Module) -> list[str]:
    """The shared blocks and other families that a family imports."""
    found = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.module:
            continue
        names = [node.module]
        if node.module.endswith(".systems"):
            names = [f"{node.module}.{each.name}" for each in node.names]
        for name in names:
            match = re.match(r"kasu\.(?:transduction|\w+\.(?:context|systems))\.(.+)", name)
            if match and not EVERYWHERE & set(match[1].split(".")):
                found.add(match[1].rpartition(".")[2])
    return sorted(found)


def cost(study: str, family: Family) -> str:
    """The median CPU seconds of a member in a language, by setting, of the default variant."""
    spent: dict[str, list[float]] = {}
    for row in read_tsv(STORE / f"{study}.tsv", BY_LANGUAGE):
        # What learns from all languages at once has no seconds of one
        if row["members"] == "1" and is_default(family, row) and float(row["cpu_seconds"] or 0):
            spent.setdefault(row["setting"], []).append(float(row["cpu_seconds"]))
    by_setting = {
        setting: _rounded(median(spent[setting]))
        for setting in families_of(study).settings
        if setting in spent
    }
    if set(by_setting.values()) == {SHORT}:
        return SHORT
    return ", ".join(f"{setting} {time}" for setting, time in by_setting.items())


def is_default(family: Family, row: dict[str, str]) -> bool:
    """Whether a row of the record is of the variant that stands for one of a family's systems."""
    system = row["system"]
    if system not in family.all_submissions:
        return False
    return row["variant"] == (family.variant_of(system) or "")


def _rounded(seconds: float) -> str:
    if seconds < 1:
        return SHORT
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def verdicts(study: str, family: Family) -> str:
    """The verdicts of the variant that stands for each system, else those of others by name."""
    rows = [row for row in read_tsv(STORE / "fingerprints.tsv", RECORD) if row["study"] == study]
    said = []
    for system in family.all_submissions:
        own = [row for row in rows if row["system"] == system]
        default = [row for row in own if is_default(family, row)]
        by_place = {
            (row["setting"], "" if default else row["variant"]): row
            # Of two panels the larger one counts
            for row in sorted(default or own, key=lambda row: int(row["languages"]))
        }
        several = system if len(family.all_submissions) > 1 else ""
        for setting in families_of(study).settings:
            for (of, variant), row in by_place.items():
                if of == setting:
                    place = " ".join(filter(None, (several, variant, setting)))
                    said.append(f"{place} *{row['verdict']}*")
    return ", ".join(said)


def lines(study: str) -> Iterator[str]:
    """The table of a study."""
    yield "| system | file | idea | blocks | CPU time | verdict |"
    yield "|---|---|---|---|---|---|"
    families = families_of(study)
    for name in families.names:
        family = families.load(name)
        path = f"workflow/kasu/{study}/systems/{name}.py"
        text = (ROOT / path).read_text("utf-8")
        tree = ast.parse(text)
        spent = cost(study, family)
        verdict = verdicts(study, family) or ("none published" if spent else "has not run")
        cells = (
            ", ".join(family.submissions),
            f"[{name}](../{path}), {len(text.splitlines())} lines",
            idea(tree),
            ", ".join(blocks(tree)) or "–",
            spent or "–",
            verdict,
        )
        yield f"| {' | '.join(cells)} |"


def page() -> str:
    """The page of all systems."""
    parts = [INTRODUCTION]
    for study in STUDIES:
        parts += [f"## {HEADINGS[study]}\n", "\n".join(lines(study)) + "\n"]
    parts += [GAINS, "\n".join(parts_lines()) + "\n"]
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
