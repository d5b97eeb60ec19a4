"""The report: printed tables, ours beside published, and one page that opens from disk.

In: the scores, counts and drops of every study, the locks of the sources. Out:
<results>/<study>/tables/ and figures/, <results>/report/index.html. Time: seconds.
"""


def caption_of_table(wildcards):
    """The caption of a printed table."""
    caption = STUDIES[wildcards.study].report.captions[wildcards.table]
    return Path(caption).read_text(encoding="utf-8")


def report_sources():
    """What the page says of each source, its lock or the local file; once for all studies."""
    entries = {
        str(entry.file): entry
        for plan in STUDIES.values()
        for entry in plan.report.sources
    }
    return [
        {
            **describe(entry),
            **({"lock": f"{file}.lock"} if entry.source else {"path": file}),
        }
        for file, entry in entries.items()
    ]


def report_studies():
    """What the page shows of each study."""
    return [
        {
            "name": shown.name,
            "title": shown.title,
            "citation": shown.citation,
            "tables": {
                slug: f"{RESULTS}/{shown.name}/tables/{slug}.tsv"
                for slug in shown.printed
            },
            "captions": dict(shown.captions),
            "figures": dict(shown.figures),
            "legends": dict(shown.legends),
            "counts": dict(shown.counts),
            "drops": dict(shown.drops),
            "details": dict(shown.details),
            "nulls": list(shown.nulls),
        }
        for shown in (plan.report for plan in STUDIES.values())
    ]


def report_inputs(wildcards):
    """Every file that the page reads."""
    paths = {source.get("lock") or source.get("path") for source in report_sources()}
    for study in report_studies():
        for kind in ("tables", "captions", "figures", "counts", "drops", "details"):
            paths.update(study[kind].values())
    return sorted(paths)


rule tabulate:
    """Set the scores of one printed table beside the published ones."""
    input:
        scores=f"{RESULTS}/{{study}}/scores.parquet",
        published=PUBLISHED,
    output:
        report(
            f"{RESULTS}/{{study}}/tables/{{table}}.tsv",
            caption="../report/caption.rst",
            category="{study}",
        ),
    log:
        f"{RESULTS}/logs/tabulate/{{study}}-{{table}}.log",
    wildcard_constraints:
        study=one_of(STUDIES),
        table=one_of(
            sorted(
                {
                    slug
                    for plan in STUDIES.values()
                    for slug in if_resolved(lambda: plan.printed)
                }
            )
        ),
    params:
        paper=lambda wildcards: STUDIES[wildcards.study].report.paper,
        table=lambda wildcards: STUDIES[wildcards.study].printed[wildcards.table],
        caption=caption_of_table,
        code=code("tabulate"),
    script:
        "../scripts/tabulate.py"


rule draw_comparison:
    """Draw a table of ours beside published."""
    input:
        table=f"{RESULTS}/{{study}}/tables/{{table}}.tsv",
    output:
        report(
            f"{RESULTS}/{{study}}/figures/{{table}}.svg",
            caption="../report/caption.rst",
            category="{study}",
        ),
    log:
        f"{RESULTS}/logs/draw_comparison/{{study}}-{{table}}.log",
    wildcard_constraints:
        study=one_of(STUDIES),
    params:
        title="Ours against published",
        caption=lambda wildcards: (
            Path(f"workflow/report/{wildcards.study}_comparison.rst").read_text(
                encoding="utf-8"
            )
        ),
        code=code("draw_comparison"),
    script:
        "../scripts/draw_comparison.py"


rule build_report:
    """Build the page that sets our figures beside the published ones."""
    input:
        report_inputs,
    output:
        f"{RESULTS}/report/index.html",
    log:
        f"{RESULTS}/logs/build_report.log",
    params:
        title="Kasu: ours beside published",
        studies=lambda wildcards: report_studies(),
        sources=lambda wildcards: report_sources(),
        # The page prints the config: a change of it is a change of the page
        config={key: value for key, value in config.items() if key != "mirror"},
        dictionaries=[analyser.dictionary for analyser in SETTINGS.analysers],
        code=code("build_report"),
    script:
        "../scripts/build_report.py"
