"""Audit released files of MultiBLiMP."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.minimal_sets.pairs.audit import Ground, audit

    files, output, params = snakemake.input, snakemake.output, snakemake.params
    audit(
        files.released,
        {iso: Ground(**ground) for iso, ground in params.grounds.items()},
        output.audit,
        output.audit_items,
    )
