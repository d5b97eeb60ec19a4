"""Set the nulls beside the networks and the published figures of Table 1."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.blm.evaluation.nulls import tabulate_nulls

    tabulate_nulls(snakemake.input[0], snakemake.output[0])
