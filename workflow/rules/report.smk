"""The report: printed tables, ours next to published, and one page that opens from disk.

In: the scores, predictions, counts and drops of every study, the locks of the sources. Out:
<results>/<study>/tables/, figures/ and examples.tsv, <results>/report/index.html. Time: seconds.
"""


def paper_of_study(wildcards):
    """The paper whose figures the tables of a study are set next to."""
    return STUDIES[wildcards.study].report.paper


def printed_table(wildcards):
    """The paper's name of a table."""
    return STUDIES[wildcards.study].printed[wildcards.table]


def caption_of_table(wildcards):
    """The caption of a printed table."""
    caption = STUDIES[wildcards.study].report.captions[wildcards.table]
    return Path(caption).read_text(encoding="utf-8")


def caption_of_comparison(wildcards):
    """The caption of a study's figures of ours next to published."""
    caption = own(f"workflow/report/{wildcards.study}_comparison.rst")
    return caption.read_text(encoding="utf-8")


def files_of_examples(wildcards):
    """What the examples of a study are drawn from."""
    return dict(STUDIES[wildcards.study].examples.files)


def settings_of_examples(wildcards):
    """The settings by which the examples of a study are drawn."""
    return dict(STUDIES[wildcards.study].examples.settings)


def module_of_examples(wildcards):
    """The module that draws the examples of a study."""
    return f"kasu.{wildcards.study}.evaluation.examples"


def published_of_study(wildcards):
    """The figures printed in the papers of a study."""
    return published_files(*STUDIES[wildcards.study].papers)


def printed_tables():
    """List the slugs of the printed tables of all studies."""
    tables = (if_resolved(from_plan(plan, "printed")) for plan in STUDIES.values())
    return sorted(set().union(*tables))


def report_sources(wildcards=None):
    """The facts on each source for the page, with its lock or local file; once for all studies."""
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


def reported_studies(wildcards):
    """The parts of the page on each study."""
    return [plan.report.dump() for plan in STUDIES.values()]


def local_studies(wildcards):
    """The studies whose data are local files alone."""
    return [name for name, plan in STUDIES.items() if plan.report.local]


def report_inputs(wildcards):
    """Every file that the page reads."""
    if not STUDIES:
        raise KasuError(
            "config", "no study", f"one section or more of {', '.join(SECTIONS)}"
        )
    paths = {source.get("lock") or source.get("path") for source in report_sources()}
    for plan in STUDIES.values():
        announce(plan)
        paths.update(plan.report.files(RESULTS))
    return sorted(paths)


# Some fifty jobs of a second each, which would wait longer in the queue of a cluster
rule tabulate:
    """Set our scores next to the figures of one printed table."""
    input:
        scores="<results>/{study}/scores.parquet",
        published=published_of_study,
    output:
        report(
            "<results>/{study}/tables/{table}.tsv",
            caption="../report/caption.rst",
            category="{study}",
        ),
    log:
        "<logs>/tabulate/{study}-{table}.log",
    wildcard_constraints:
        study=one_of(STUDIES),
        table=one_of(printed_tables()),
    localrule: True
    params:
        paper=paper_of_study,
        table=printed_table,
        caption=caption_of_table,
        code=code("tabulate"),
    script:
        "../scripts/tabulate.py"


rule draw_comparison:
    """Draw a table of ours next to published."""
    input:
        table="<results>/{study}/tables/{table}.tsv",
    output:
        report(
            "<results>/{study}/figures/{table}.svg",
            caption="../report/caption.rst",
            category="{study}",
        ),
    log:
        "<logs>/draw_comparison/{study}-{table}.log",
    wildcard_constraints:
        study=one_of(STUDIES),
    localrule: True
    params:
        title="Ours against published",
        caption=caption_of_comparison,
        code=code("draw_comparison"),
    script:
        "../scripts/draw_comparison.py"


# Apart from the scoring, which a change of what examples show must not repeat
rule take_examples:
    """Draw ten items of a study, with what systems answered."""
    input:
        unpack(files_of_examples),
    output:
        "<results>/{study}/examples.tsv",
    log:
        "<logs>/take_examples/{study}.log",
    wildcard_constraints:
        study=one_of(STUDIES),
    localrule: True
    params:
        study=module_of_examples,
        settings=settings_of_examples,
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
        "<results>/report/index.html",
    log:
        "<logs>/build_report.log",
    params:
        title="Kasu: ours next to published",
        studies=reported_studies,
        local=local_studies,
        sources=report_sources,
        # The page prints the config, so a change of the config changes the page
        config=redact_values(
            {key: value for key, value in SETTINGS.dump().items() if key != "mirror"}
        ),
        dictionaries=[analyser.dictionary for analyser in SETTINGS.analysers],
        code=code("build_report"),
    script:
        "../scripts/build_report.py"
