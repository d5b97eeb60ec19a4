"""Prefer the shorter sentence of each pair, and the longer one."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.models.trigram import LENGTHS, score_length

    for number, pairs in enumerate(snakemake.input):
        score_length(pairs, {null: snakemake.output[null][number] for null in LENGTHS})
