"""Use a whole corpus as a budget or as validation text."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.data.budgets import take_corpus

    output = snakemake.output
    take_corpus(snakemake.input[0], output.budget, output.counts)
