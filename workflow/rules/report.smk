"""The report: printed tables, ours next to published, and one page that opens from disk.

In: the scores, predictions, counts and drops of every study, the locks of the sources. Out:
<results>/<study>/tables/, figures/ and examples.tsv, <results>/report/index.html. Time: seconds.
"""


def caption_of_table(wildcards):
    """The caption of a printed table."""
    caption = STUDIES[wildcards.study].report.captions[wildcards.table]
    return Path(caption).read_text(encoding="utf-8")


def published_of_study(wildcards):
    """The figures printed in the papers of a study."""
    return published_files(*STUDIES[wildcards.study].papers)


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


def report_inputs(wildcards):
    """Every file that the page reads."""
    paths = {source.get("lock") or source.get("path") for source in report_sources()}
    for plan in STUDIES.values():
        announce(plan)
        paths.update(plan.report.files(RESULTS))
    return sorted(paths)


# Some fifty jobs of a second each, which would wait longer in the queue of a cluster
rule tabulate:
    """Set our scores next to the figures of one printed table."""
    input:
        scores=f"{RESULTS}/{{study}}/scores.parquet",
        published=published_of_study,
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
    localrule: True
    params:
        paper=lambda wildcards: STUDIES[wildcards.study].report.paper,
        table=lambda wildcards: STUDIES[wildcards.study].printed[wildcards.table],
        caption=caption_of_table,
        code=code("tabulate"),
    script:
        "../scripts/tabulate.py"


rule draw_comparison:
    """Draw a table of ours next to published."""
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
    localrule: True
    params:
        title="Ours against published",
        caption=lambda wildcards: (
            own(f"workflow/report/{wildcards.study}_comparison.rst").read_text(
                encoding="utf-8"
            )
        ),
        code=code("draw_comparison"),
    script:
        "../scripts/draw_comparison.py"


# Apart from the scoring, which a change of what examples show must not repeat
rule take_examples:
    """Draw ten items of a study, with what systems answered."""
    input:
        unpack(lambda wildcards: dict(STUDIES[wildcards.study].examples.files)),
    output:
        f"{RESULTS}/{{study}}/examples.tsv",
    log:
        f"{RESULTS}/logs/take_examples/{{study}}.log",
    wildcard_constraints:
        study=one_of(STUDIES),
    localrule: True
    params:
        study=lambda wildcards: f"kasu.{wildcards.study}.evaluation.examples",
        settings=lambda wildcards: dict(STUDIES[wildcards.study].examples.settings),
        seed=SETTINGS.seeds[0],
        code=code("take_examples", "kasu.{study}.evaluation.examples"),
    script:
        "../scripts/take_examples.py"


rule build_report:
    """Build the page that sets our figures next to the published ones."""
    input:
        report_inputs,
        record=record_files(),
    output:
        f"{RESULTS}/report/index.html",
    log:
        f"{RESULTS}/logs/build_report.log",
    params:
        title="Kasu: ours next to published",
        studies=lambda wildcards: [plan.report.dump() for plan in STUDIES.values()],
        local=lambda wildcards: [
            name for name, plan in STUDIES.items() if plan.report.local
        ],
        sources=lambda wildcards: report_sources(),
        # The page prints the config: a change of it is a change of the page
        config=redact_values(
            {key: value for key, value in SETTINGS.dump().items() if key != "mirror"}
        ),
        dictionaries=[analyser.dictionary for analyser in SETTINGS.analysers],
        code=code("build_report"),
    script:
        "../scripts/build_report.py"
