"""The report: one page that opens from disk, <results>/report/index.html, and its figures.

In: the tables, counts and drops of every study, the locks of the sources. Time: seconds.
"""


def corpus_reports(kind):
    """Counts or drops of every corpus and its sources, by what was counted."""
    found = {}
    for corpus in SETTINGS["corpora"]:
        for folder in source_folders(corpus):
            found[f"source {Path(folder).name}"] = f"{folder}/{kind}.tsv"
        found[f"corpus {corpus}"] = f"{RESULTS}/corpora/{corpus}/{kind}.tsv"
        if kind == "counts":
            found[f"analysis of {corpus}"] = (
                f"{RESULTS}/corpora/{corpus}/analyses_counts.tsv"
            )
        found[f"dataset {corpus}"] = f"{AGREEMENT}/datasets/{corpus}/{kind}.tsv"
    return found


def report_sources():
    """What the page says of each source: its lock, or the local file."""
    found = {}
    for sources in SOURCES.values():
        for _, _, entry in sources:
            where = (
                {"lock": f"{entry.file}.lock"}
                if entry.source
                else {"path": str(entry.file)}
            )
            found[str(entry.file)] = {**licence_of(entry), **where}
    return list(found.values())


STUDIES = [
    {
        "name": "agreement",
        "title": "Agreement: can a recurrent network recover what the Basque verb agrees with?",
        "citation": "Ravfogel, Goldberg & Tyers (2018)",
        "tables": {
            table: f"{AGREEMENT}/tables/{table}.tsv" for table in AGREEMENT_TABLES
        },
        "captions": {
            table: f"workflow/report/agreement_{table}.rst"
            for table in AGREEMENT_TABLES
        },
        "figures": {
            table: f"{AGREEMENT}/figures/{table}.svg" for table in AGREEMENT_FIGURES
        },
        "counts": corpus_reports("counts"),
        "drops": corpus_reports("drops"),
        "details": {
            "Claims of the paper": f"{AGREEMENT}/tables/claims.tsv",
            "Systems compared in pairs": f"{AGREEMENT}/tables/comparisons.tsv",
            **{
                f"Labels that differ between variants: {corpus}": (
                    f"{AGREEMENT}/datasets/{corpus}/variants.tsv"
                )
                for corpus in SETTINGS["corpora"]
            },
        },
    }
]


def report_inputs():
    """Every file that the page reads."""
    paths = [source.get("lock") or source["path"] for source in report_sources()]
    for study in STUDIES:
        for kind in ("tables", "captions", "figures", "counts", "drops", "details"):
            paths += study[kind].values()
    return sorted(set(paths))


rule draw_comparison:
    """Draw a table of ours beside published."""
    input:
        table=f"{RESULTS}/{{study}}/tables/{{table}}.tsv",
    output:
        report(
            f"{RESULTS}/{{study}}/figures/{{table}}.svg",
            caption="../report/agreement_comparison.rst",
            category="{study}",
        ),
    log:
        f"{RESULTS}/logs/draw_comparison/{{study}}-{{table}}.log",
    conda:
        "../../envs/kasu.yaml"
    params:
        title="Ours against published",
        code=code("draw_comparison"),
    script:
        "../scripts/draw_comparison.py"


rule build_report:
    """Build the page that sets our figures beside the published ones."""
    input:
        report_inputs(),
    output:
        f"{RESULTS}/report/index.html",
    log:
        f"{RESULTS}/logs/build_report.log",
    conda:
        "../../envs/kasu.yaml"
    params:
        title="Kasu: ours beside published",
        studies=STUDIES,
        sources=report_sources(),
        # The page prints the config: a change of it is a change of the page
        config={key: value for key, value in config.items() if key != "mirror"},
        dictionaries=[analyser["dictionary"] for analyser in config["analysers"]],
        code=code("build_report"),
    script:
        "../scripts/build_report.py"
