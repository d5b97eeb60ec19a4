"""Gather the learning curves of Figures 1 to 4, ours and published."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.evaluation.curves import write_curves

    write_curves(snakemake.input.scores, snakemake.input.published, snakemake.output[0])
