"""What each part adds to systems of the shared task on inflection: a table and docs/parts.svg.

    python tools/parts.py

draws docs/parts.svg from resources/measured/inflection.tsv: pairs of systems or variants that
differ in one part, on the same languages.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from by_language import BY_LANGUAGE
from matplotlib.figure import Figure

from kasu.figures.style import COLOURS, GREY, INK, figure_style, write_figure
from kasu.files.tables import read_tsv
from kasu.inflection.evaluation.printed import Printed, read_printed
from kasu.inflection.plan import InflectionPlan
from kasu.results.paths import pdf_of
from kasu.results.published import published_files
from kasu.results.statistics import mean_interval

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "resources/measured/inflection.tsv"
FEWEST = 3  # languages; of two the interval says nothing

Side = tuple[str, str]
"""System and variant, which is empty if it has none."""


class Part(NamedTuple):
    """A part, and the two sides that differ in it: with the part, and without."""

    kind: str
    name: str
    setting: str
    one: Side
    other: Side


class Difference(NamedTuple):
    """What a part adds, in points of accuracy; `printed` over the same languages."""

    part: Part
    languages: int
    value: float
    low: float
    high: float
    printed: float | None


_IITBHU = ("iitbhu-iiith-01", "released")
_OSLO = ("tuebingen-oslo-03", "keras")
_MSU = ("msu-04", "released")
PARTS = (
    Part("votes", "five members", "low", ("iitbhu-iiith-02", "released"), _IITBHU),
    Part("votes", "members, by plurality", "low", ("uzh-02", "released"), ("uzh", "released")),
    Part("votes", "members, by plurality", "medium", ("uzh-02", "released"), ("uzh", "released")),
    Part("attention", "to the features", "low", _IITBHU, ("iitbhu-iiith-01", "no_tag_attention")),
    Part("copying", "a gate", "low", _MSU, ("msu-04", "no_gate")),
    Part("copying", "patches of letters", "low", ("hamburg-01", "chosen"), ("hamburg-01", "plain")),
    Part("alignment", "a start from paradigms", "low", _MSU, ("msu-04", "no_paradigms")),
    Part("alignment", "symbols of endings", "low", _MSU, ("msu-04", "no_endings")),
    Part("alignment", "states that it reaches", "low", ("uzh", "explored"), ("uzh", "static")),
    Part("alignment", "roll-outs", "low", ("uzh", "released"), ("uzh", "explored")),
    Part("alignment", "tags that yield endings", "low", ("ua-06", "many_to_many"), ("ua-06", "lm")),
    Part("augmentation", "random copies", "medium", ("tuebingen-oslo-02", "keras"), _OSLO),
    Part("augmentation", "made words", "low", ("waseda-01", "augmented"), ("waseda-01", "seq2seq")),
    Part("text", "a model of characters", "low", ("msu-03", ""), _MSU),
    Part(
        "reading", "a third order", "medium",
        ("kucst-01", "three_orders"), ("kucst-01", "two_orders"),
    ),
    Part(
        "reading", "the encoder by position", "low",
        ("iit-varanasi-01", "by_position"), ("iit-varanasi-01", "vector"),
    ),
    Part(
        "reading", "the encoder by position", "medium",
        ("iit-varanasi-01", "by_position"), ("iit-varanasi-01", "vector"),
    ),
    Part("training", "all languages", "medium", ("tuebingen-oslo-01", "keras"), _OSLO),
    Part("training", "rewards", "low", ("ua-04", "refined"), ("ua-04", "likelihood")),
)  # fmt: skip


@cache
def _record() -> dict[tuple[str, str, str, str], list[float]]:
    """Accuracies of all seeds, by system, variant, setting and language."""
    found: dict[tuple[str, str, str, str], list[float]] = {}
    # A vote of many members is of another size on few languages: the largest counts
    for row in sorted(read_tsv(RECORD, BY_LANGUAGE), key=lambda row: int(row["members"])):
        key = (row["system"], row["variant"], row["setting"], row["language"])
        if int(row["members"]) > 1:
            found[key] = []
        found.setdefault(key, []).append(float(row["accuracy"]))
    return found


@cache
def _printed() -> Printed:
    return read_printed(published_files(*InflectionPlan.papers))


def difference(part: Part) -> Difference | None:
    """Return what a part adds, over the languages in which both sides ran; None if too few."""
    accuracies = _record()

    def side(system: str, variant: str) -> dict[str, float]:
        return {
            language: mean(values)
            for (name, of, setting, language), values in accuracies.items()
            if (name, of, setting) == (system, variant, part.setting)
        }

    one, other = side(*part.one), side(*part.other)
    languages = sorted(one.keys() & other.keys())
    if len(languages) < FEWEST:
        return None
    points = [100 * (one[language] - other[language]) for language in languages]
    printed = _printed_difference(part, languages)
    return Difference(part, len(languages), mean(points), *mean_interval(points), printed)


def _printed_difference(part: Part, languages: Sequence[str]) -> float | None:
    """The same of the published systems, of their reruns if both had one; None of variants."""
    systems = [part.one[0], part.other[0]]
    if systems[0] == systems[1]:
        return None
    reruns = _printed().reruns(part.setting)
    columns = [reruns.get(f"rerun {system}") for system in systems]
    if None in columns:
        columns = [
            {each: _printed().value(system, part.setting, each) for each in languages}
            for system in systems
        ]
    pairs = [[column.get(language) for column in columns] for language in languages]
    if any(None in pair for pair in pairs):
        return None
    return mean(100 * (one - other) for one, other in pairs)


def differences() -> list[Difference]:
    """What each part adds, as far as both sides ran."""
    return [found for part in PARTS if (found := difference(part))]


def lines() -> Iterator[str]:
    """The table of `docs/systems.md`."""
    yield "| part | systems | items | languages | gain in points | printed |"
    yield "|---|---|---|---|---|---|"
    for part in PARTS:
        found = difference(part)
        gain = _points(*found[2:5]) if found else "has not run"
        cells = (
            f"{part.kind}: {part.name}",
            _systems(part),
            part.setting,
            str(found.languages) if found else "–",
            gain,
            _points(found.printed) if found and found.printed is not None else "–",
        )
        yield f"| {' | '.join(cells)} |"


def _points(value: float, *interval: float) -> str:
    shown, *ends = (f"{each:+.1f}".replace("-", "−") for each in (value, *interval))
    return f"{shown} ({' to '.join(ends)})" if ends else shown


def _systems(part: Part) -> str:
    (one, variant), (other, against) = part.one, part.other
    return f"{one} over {other}" if one != other else f"{one}: {variant} over {against}"


def draw(path: Path) -> None:
    """Draw the gains with their intervals, and printed ones where two submissions differ."""
    found = differences()
    kinds = list(dict.fromkeys(each.part.kind for each in found))
    # What each mark of the legend looks like
    ours = {"marker": "o", "linestyle": "none"}
    published = {"marker": "D", "linestyle": "none", "fillstyle": "none", "color": INK}
    with figure_style("parts"):
        figure = Figure(figsize=(6.4, 0.9 + 0.26 * len(found)), layout="constrained")
        axes = figure.add_subplot()
        axes.axvline(0, color=GREY, linewidth=0.8)
        for at, each in enumerate(found):
            colour = COLOURS[kinds.index(each.part.kind) % len(COLOURS)]
            axes.plot([each.low, each.high], [at, at], color=colour, linewidth=1.4)
            axes.plot([each.value], [at], color=colour, **ours)
            if each.printed is not None:
                axes.plot([each.printed], [at], **published)
        axes.plot([], [], color=INK, label="ours, 95 % interval over languages", **ours)
        axes.plot([], [], label="published", **published)
        named = [f"{each.part.kind}: {each.part.name}, {each.part.setting}" for each in found]
        axes.set_yticks(range(len(found)), named)
        axes.invert_yaxis()
        axes.set_xlabel("gain in accuracy, points")
        figure.legend(loc="outside upper center", ncols=2)
        write_figure(figure, path)
    pdf_of(path).unlink()  # pages of a repository show none


if __name__ == "__main__":
    draw(ROOT / "docs/parts.svg")
