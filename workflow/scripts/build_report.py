"""Build the page that sets our figures next to the published ones."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.corpora.morphology.apertium import analyser_version
    from kasu.records.reading import read_record
    from kasu.records.tallies import on_record
    from kasu.report.page import build_page
    from kasu.report.provenance import package_versions
    from kasu.results.study import StudyReport

    studies = [StudyReport(**study) for study in snakemake.params.studies]
    dictionaries = snakemake.params.dictionaries
    build_page(
        snakemake.output[0],
        studies=studies,
        sources=snakemake.params.sources,
        inputs=snakemake.input,
        config=snakemake.params.config,
        versions=package_versions() | (analyser_version() if dictionaries else {}),
        dictionaries=dictionaries,
        record=on_record(studies, read_record()),
    )
