"""Compare each system with its published column language by language, and judge."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.transduction.fingerprints.tables import write_fingerprints
    from kasu.transduction.fingerprints.target import read_task

    params = snakemake.params
    write_fingerprints(
        read_task(snakemake.wildcards.study, snakemake.input.published),
        snakemake.input.scores,
        snakemake.output.table,
        snakemake.output.differences,
        params.targets,
        params.origins,
        params.published_members,
        params.submitted,
    )
