"""Compare each system with its published column language by language, and judge."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    import importlib

    from kasu.transduction.fingerprints.tables import write_fingerprints

    params = snakemake.params
    study = importlib.import_module(f"kasu.{snakemake.wildcards.study}.evaluation.fingerprints")
    write_fingerprints(
        study.fingerprint_task(snakemake.input.published),
        snakemake.input.scores,
        snakemake.output.table,
        snakemake.output.differences,
        params.targets,
        params.origins,
        params.published_members,
        params.submitted,
    )
