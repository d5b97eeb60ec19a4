"""Compare each system with its published column language by language, and judge."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from pathlib import Path

    from kasu.inflection.evaluation.fingerprint_table import write_fingerprints

    params = snakemake.params
    write_fingerprints(
        snakemake.input.scores,
        Path(snakemake.input.published[0]).parent,
        snakemake.output.table,
        snakemake.output.differences,
        params.targets,
        params.origins,
        params.published_members,
    )
