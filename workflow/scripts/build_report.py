"""Build the page that sets our figures beside the published ones."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from kasu.corpora.apertium import analyser_versions
    from kasu.report.page import build_page
    from kasu.report.provenance import package_versions

    build_page(
        snakemake.output[0],
        title=snakemake.params.title,
        studies=snakemake.params.studies,
        sources=snakemake.params.sources,
        config=snakemake.params.config,
        versions=package_versions() | analyser_versions(snakemake.params.dictionaries),
    )
