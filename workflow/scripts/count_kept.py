"""Count the pairs that the length filter keeps under simple tokenizers."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.data.filters import count_kept

    count_kept(snakemake.input[0], snakemake.output[0])
