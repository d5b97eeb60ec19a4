"""Gather the learning curves of Figures 1 to 4, ours and published."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.pretraining.evaluation.curves import write_curves

    published = Path(snakemake.input.published[0]).parent
    write_curves(snakemake.input.scores, published, snakemake.output[0])
