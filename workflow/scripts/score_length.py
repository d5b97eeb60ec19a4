"""Prefer the shorter sentence of each pair, and the longer one."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.models.trigram import score_length

    score_length(snakemake.input[0], dict(snakemake.output.items()))
