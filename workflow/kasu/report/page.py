"""The report: one page that opens from disk and sets our figures next to the published ones."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kasu.base.visible import visible
from kasu.files.tables import write_text
from kasu.report.display import columns
from kasu.report.on_record import OnRecord, chips
from kasu.report.provenance import describe_source, used_dictionaries, used_sources
from kasu.report.views import LISTED, StudyView, view_study
from kasu.results.reproduction import FLOOR, HALF, MARGIN, MOST, NEAR, WIDE, State
from kasu.results.study import Data, StudyReport
from kasu.results.verdicts import About, Verdict

WHOLE = r"-?(?:0|[1-9]\d*)"
DECIMAL = rf"{WHOLE}\.\d+(?:e-?\d+)?"
NAMES = {
    "a", "b", "best_null", "cell", "column", "comparison", "condition", "corpus", "definition",
    "feature", "features", "figure", "form", "grammatical", "group", "item", "label",
    "language", "lemma", "line", "model", "nearest_other", "original", "other", "over", "panel",
    "paper", "part", "phenomenon", "preferred", "reason", "seed", "sen", "sent_id", "sentence",
    "set", "sets", "setting", "slot", "split", "step", "subject", "system", "table", "test",
    "text", "tokenizer", "train", "training_set", "type", "variant", "variant_a", "variant_b",
    "what", "where", "wrong_sen",
}  # fmt: skip
"""Columns of further tables, counts and drops that hold names. One that looks like a number, as a
system called 2024, stays as it is."""
TITLE, YOUR_TITLE = "Kasu: ours next to published", "Kasu: your data"
JUDGED_BY = {About.OURS: "about our figures", About.PRINT: "about print alone"}
FOLDED = 50  # rows of a table; more open at a click
EXAMPLES = 3  # of a study; more open at a click

# Of a study whose figures cannot reproduce printed ones
ASIDE = {
    Data.YOURS: "your data. Their figures stand by themselves; what the paper prints, of its own "
    "data, is folded below them.",
    Data.DEMO: "the demo's data, invented for it, not the paper's. They show that the workflow "
    "runs and what it finds there; none of their figures can reproduce a printed one.",
    Data.UNKNOWN: "the folder does not say whose data these are, nor which systems are nulls. So "
    "no figure is judged.",
}
# What each word means, as the page says it; `kasu.results.reproduction` has the rules
RULES = {
    State.AGREES: "Ours shows the printed digits, or our whole 95 % interval lies within "
    f"{100 * MARGIN:.0f} points of the printed figure and within {100 * NEAR:.0f} % of the way to "
    "it from the nearest null.",
    State.CONSISTENT: "Our interval contains the printed figure but reaches further.",
    State.IN_KIND: "Our interval misses it and contains no null; ours lies between a null and it, "
    f"within {100 * NEAR:.0f} % of the way from the nearest null.",
    State.DIFFERS: "None of these.",
    State.UNINFORMATIVE: "It fits but shows nothing: a null fits as well, our interval contains a "
    f"null or is wider than {100 * WIDE:.0f} points, or the printed share is below "
    f"{100 * FLOOR:.0f} %. Or the paper prints a whole number among decimals, such as 0, which has "
    "no digits to show.",
    State.IN_PART: f"Of a table: fewer than {100 * HALF:.0f} % of its figures have one of ours.",
    State.NOT_RUN: "No figure of ours by the default variant, or none on the paper's data.",
    State.YOURS: "Of a table: its figures are of your own data. None stands beside a printed one, "
    "and none is judged.",
}


def build_page(
    out: str | Path,
    *,
    studies: Sequence[StudyReport],
    sources: Sequence[Mapping[str, str]],
    inputs: Iterable[str] = (),
    config: Mapping[str, object],
    versions: Mapping[str, str],
    dictionaries: Iterable[str] = (),
    record: Sequence[OnRecord] = (),
    notices: Sequence[str] = (),
    partial: bool = False,
) -> None:
    """Write the report as one HTML file: no network, no fonts, no wall clock.

    Args:
        studies: what to show, in order, those of the user's data first; their sources are not read.
        sources: for each, what `kasu.report.provenance.describe_source` takes.
        inputs: all files that the page is of; their seals tell which sources were read.
        config: the config as used, shown as YAML; its `summary` stands at the top, and its
            `results` is the folder of all outputs. Nothing is shown of a config of these two alone.
        versions: by name of a package or tool, as far as they are known.
        dictionaries: those of analysers; the page prints the hashes that they were read with.
        record: what earlier runs have measured, shown before this run; behind it, if the run has
            figures of the user's data.
        notices: what a reader must know of the page, a line each.
        partial: whether sources may be missing; the page then says so of each.

    Raises:
        KasuError: an input is missing or cannot be read.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["number"] = _number
    environment.filters["whole"] = lambda number: "" if number is None else f"{number:,.0f}"
    environment.tests["number_in"] = _is_number
    environment.filters["chips"] = chips
    environment.filters["columns"] = columns
    environment.filters["parts"] = lambda condition: condition.replace("|", " · ")
    results, folder = str(config["results"]), Path(out).parent
    used = used_sources(inputs)
    ordered = sorted(studies, key=lambda study: study.data is not Data.YOURS)
    shown = [view_study(study, results, folder) for study in ordered]
    page = environment.get_template("page.html.j2").render(
        title=YOUR_TITLE if all(study.yours for study in shown) else TITLE,
        studies=shown,
        states=RULES,
        judged_by=JUDGED_BY,
        unreached=State.NOT_RUN,
        most=MOST,
        first=_read_first(shown),
        sources=[describe_source(source, used, partial=partial) for source in sources],
        config=config,
        folded=FOLDED,
        listed=LISTED,
        shown_at_once=EXAMPLES,
        config_text=yaml.safe_dump(config, allow_unicode=True, sort_keys=False)
        if len(config) > 2
        else "",
        versions={**versions, **used_dictionaries(dictionaries, used)},
        record=record,
        notices=notices,
        aside=ASIDE,
        own_first=any(study.yours for study in shown),
    )
    write_text(out, page)


def _read_first(studies: Sequence[StudyView]) -> list[tuple[str, str]]:
    """Return what to read before all else, as (anchor, text).

    For each study: the first table that is reproduced, the first that differs (a study has its main
    tables first), and its claims if any fails.
    """
    links = []
    for study in studies:
        for states in ((State.AGREES, State.CONSISTENT, State.IN_KIND), (State.DIFFERS,)):
            tables = [table for table in study.reached if table.judged.state in states]
            for table in tables[:1]:
                count = sum(table.judged.states[state] for state in states)
                share = f"{count:,} of {table.judged.run:,} figures"
                text = f"{study.short}, {table.title} {table.judged.state}: {share}"
                links.append((table.anchor, text))
        for about, counts in study.verdicts.items():
            if study.claims and (failed := counts.get(Verdict.FAILS)):
                share = f"{failed} of {sum(counts.values())} claims {JUDGED_BY[about]} fail"
                links.append((study.claims.anchor, f"{study.short}: {share}"))
    return links


def _shown(value: object) -> object:
    """Return what the page shows of a value that is no markup."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(value, kept="\n")
    return value


def _is_number(text: str, column: str) -> bool:
    """Return whether a cell of a column is a number, not a name."""
    return column not in NAMES and bool(re.fullmatch(f"{WHOLE}|{DECIMAL}", text))


def _number(text: str) -> str:
    """Group the thousands of a whole number, round a decimal to four digits, keep other text."""
    if re.fullmatch(WHOLE, str(text)):
        return f"{int(text):,}"
    return f"{float(text):.4g}" if re.fullmatch(DECIMAL, str(text)) else text
