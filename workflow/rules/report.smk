"""The report: printed tables, ours next to published, and one page that opens from disk.

In: the scores, predictions, counts and drops of every study, the locks of the sources. Out:
<results>/<study>/tables/, figures/, examples.tsv and warnings.tsv, <results>/report/index.html.
Time: seconds.
"""

from kasu.report.provenance import named_dictionaries


def tables_of(plan):
    """The paper's names of a study's tables, by slug; none if its config has an error."""
    slugs = if_resolved(from_plan(plan, "printed"))
    return {slug: plan.printed[slug] for slug in slugs}


def drawn_tables(plan):
    """The slugs of the tables that are drawn as they are, at `figures/<slug>.svg`."""
    tables = tables_of(plan)
    return [
        table
        for table in if_resolved(from_plan(plan, "figures"))
        if table in tables and Path(plan.figures[table]).stem == table
    ]


def is_apart(plan):
    """Make the function that tells whether the figures of a study are of the user's data.

    Then none stands beside a printed one.
    """

    def found(wildcards):
        return plan.report.data is Data.YOURS

    return found


def files_of_examples(wildcards):
    """What the examples of a study are drawn from."""
    return dict(STUDIES[wildcards.study].examples.files)


def settings_of_examples(wildcards):
    """The settings by which the examples of a study are drawn."""
    return dict(STUDIES[wildcards.study].examples.settings)


def module_of_examples(wildcards):
    """The module that draws the examples of a study."""
    return f"kasu.{wildcards.study}.evaluation.examples"


def files_of_warnings(wildcards):
    """What the warnings of a study are found in."""
    return dict(STUDIES[wildcards.study].warnings.files)


def settings_of_warnings(wildcards):
    """The settings by which the warnings of a study are found."""
    return dict(STUDIES[wildcards.study].warnings.settings)


def toys_of_study(wildcards):
    """The networks of a study that have toy sizes."""
    return toys_of(STUDIES[wildcards.study])


def module_of_warnings(wildcards):
    """The module that finds the warnings of a study."""
    return f"kasu.{wildcards.study}.warnings"


def reported_plans():
    """The plans of the studies that the page shows: those named beside it as targets, else all."""
    named = [study for study in STUDIES if is_target(study)]
    if not named or is_target("all"):
        return STUDIES
    return {study: STUDIES[study] for study in named}


def announce_studies():
    """Print which studies of the config the page leaves out."""
    left_out = [study for study in STUDIES if study not in reported_plans()]
    line = f"the page leaves out {', '.join(left_out)}, not named beside `report`"
    if left_out and workflow.is_main_process and line not in ANNOUNCED:
        ANNOUNCED.add(line)
        print(line, file=sys.stderr)


def name_page():
    """Print where the page of a run that has ended is."""
    if own_name("build_report") in planned_rules() and workflow.is_main_process:
        print("page:", Path(RESULTS, "report", "index.html"), file=sys.stderr)


def sources_of(plans):
    """The facts on each source of plans for the page, with its lock or local file, once."""
    entries = {
        str(entry.file): entry for plan in plans for entry in plan.report.sources
    }
    return [
        {
            **describe(entry),
            **({"lock": f"{file}.lock"} if entry.source else {"path": file}),
        }
        for file, entry in entries.items()
    ]


def report_sources(wildcards=None):
    """The facts on each source of the page."""
    return sources_of(reported_plans().values())


def reported_studies(wildcards):
    """The parts of the page on each study."""
    return [plan.report.dump() for plan in reported_plans().values()]


def report_inputs(wildcards):
    """Every file that the page reads."""
    if not STUDIES:
        raise KasuError(
            "config", "no study", f"one section or more of {', '.join(SECTIONS)}"
        )
    paths = {source.get("lock") or source.get("path") for source in report_sources()}
    announce_studies()
    for plan in reported_plans().values():
        announce(plan)
        paths.update(plan.report.files(RESULTS))
    return sorted(paths)


def shown_results(wildcards):
    """What the page shows of the results.

    Targets name it beside the page: Snakemake makes no input anew that only a finished page has read.
    """
    reports = [plan.report for plan in reported_plans().values()]
    return [
        file
        for report in reports
        for file in report.files(RESULTS)
        if file not in report.readers
    ]


def describe_studies(ended=False):
    """Write down, for each study that this run builds, what `kasu page` needs to know of it.

    This happens as the run begins, for a run that is killed, and once it has `ended` well.
    """
    from kasu.corpora.morphology.apertium import analyser_version
    from kasu.report.described import Described, write_described
    from kasu.report.provenance import package_versions

    planned = planned_rules()
    plans = {name: plan for name, plan in STUDIES.items() if own_name(name) in planned}
    if own_name("build_report") in planned:
        plans |= reported_plans()
    config = shown_config()
    versions = package_versions() if plans else {}
    if plans and named_dictionaries(config):
        versions |= analyser_version()
    for plan in plans.values():
        facts = Described(plan.report, sources_of([plan]), config, versions)
        write_described(facts, RESULTS, ended=ended)


def dictionaries_of_page(wildcards):
    """The dictionaries of analysers that a corpus names."""
    return named_dictionaries(CONFIG)


def shown_config(wildcards=None):
    """The config as the page prints it, so that a change of the config changes the page."""
    return redact_values({key: CONFIG[key] for key in CONFIG if key != "mirror"})


for study, plan in STUDIES.items():

    # One job for all tables of a study, since starting one takes longer than a table; seconds, which
    # would wait longer in the queue of a cluster
    rule:
        name:
            f"tabulate_{study}"
        input:
            scores=expand("<results>/{study}/scores.parquet", study=study),
            published=published_files(*plan.papers),
        output:
            tables=[
                report(
                    expand(
                        "<results>/{study}/tables/{table}.tsv",
                        study=study,
                        table=table,
                    ),
                    caption=f"../report/{Path(plan.captions[table]).name}",
                    category=study,
                )
                for table in tables_of(plan)
            ],
            figures=report(
                expand(
                    "<results>/{study}/figures/{table}.svg",
                    study=study,
                    table=drawn_tables(plan),
                ),
                caption=f"../report/{study}_comparison.rst",
                category=study,
            ),
            pdfs=expand(
                "<results>/{study}/figures/{table}.pdf",
                study=study,
                table=drawn_tables(plan),
            ),
        log:
            expand("<logs>/tabulate/{study}.log", study=study),
        localrule: True
        params:
            paper=from_plan(plan, "report.paper"),
            tables=tables_of(plan),
            drawn=drawn_tables(plan),
            apart=is_apart(plan),
            code=code("tabulate"),
        script:
            "../scripts/tabulate.py"


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


# Apart from the scoring, as examples are
rule find_warnings:
    """Find what makes the results of a study meaningless."""
    input:
        unpack(files_of_warnings),
    output:
        "<results>/{study}/warnings.tsv",
    log:
        "<logs>/find_warnings/{study}.log",
    wildcard_constraints:
        study=one_of(STUDIES),
    localrule: True
    params:
        study=module_of_warnings,
        settings=settings_of_warnings,
        toys=toys_of_study,
        code=code("find_warnings", "kasu.{study}.warnings"),
    script:
        "../scripts/find_warnings.py"


rule build_report:
    """Build the page that sets our figures next to the published ones."""
    input:
        report_inputs,
        record=record_files(),
    output:
        "<results>/report/index.html",
    log:
        "<logs>/build_report.log",
    # On a cluster, only the process that was started knows which studies are named
    localrule: True
    params:
        studies=reported_studies,
        sources=report_sources,
        config=shown_config,
        dictionaries=dictionaries_of_page,
        code=code("build_report"),
    script:
        "../scripts/build_report.py"


rule report:
    """Build the page of the studies that are named beside it, or of all."""
    input:
        "<results>/report/index.html",
        shown_results,
    localrule: True
