"""The report: printed tables, ours beside published, and one page that opens from disk.

In: the scores, counts and drops of every study, the locks of the sources. Out:
<results>/<study>/tables/ and figures/, <results>/report/index.html. Time: seconds.
"""


def report_source(entry):
    """What the page says of a source: its lock, or the local file."""
    where = (
        {"lock": f"{entry.file}.lock"} if entry.source else {"path": str(entry.file)}
    )
    return {**licence_of(entry), **where}


def report_studies():
    """What the page takes of each study, its tables by where they lie."""
    return [
        {
            **{
                key: value
                for key, value in study.items()
                if key not in ("paper", "printed", "sources")
            },
            "tables": {
                slug: f"{RESULTS}/{study['name']}/tables/{slug}.tsv"
                for slug in study["printed"]
            },
        }
        for study in STUDIES
    ]


# A source that two studies use stands once
REPORT_SOURCES = list(
    {
        str(entry.file): report_source(entry)
        for study in STUDIES
        for entry in study["sources"]
    }.values()
)


def report_inputs():
    """Every file that the page reads."""
    paths = [source.get("lock") or source["path"] for source in REPORT_SOURCES]
    for study in report_studies():
        for kind in ("tables", "captions", "figures", "counts", "drops", "details"):
            paths += study[kind].values()
    return sorted(set(paths))


# Snakemake takes no wildcard in a caption, so each printed table has a rule of its own
for study in STUDIES:
    for slug, table in study["printed"].items():

        rule:
            name:
                f"tabulate_{study['name']}_{re.sub('[.-]', '_', slug)}"
            # Set the scores of one printed table beside the published ones
            input:
                scores=f"{RESULTS}/{study['name']}/scores.parquet",
                published=PUBLISHED,
            output:
                report(
                    f"{RESULTS}/{study['name']}/tables/{slug}.tsv",
                    caption=f"../../{study['captions'][slug]}",
                    category=study["name"],
                ),
            log:
                f"{RESULTS}/logs/tabulate/{study['name']}-{slug}.log",
            conda:
                "../../envs/kasu.yaml"
            params:
                paper=study["paper"],
                table=table,
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
        studies=report_studies(),
        sources=REPORT_SOURCES,
        # The page prints the config: a change of it is a change of the page
        config={key: value for key, value in config.items() if key != "mirror"},
        dictionaries=[analyser["dictionary"] for analyser in config["analysers"]],
        code=code("build_report"),
    script:
        "../scripts/build_report.py"
