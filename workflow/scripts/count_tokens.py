"""Count the tokens of the released items with the tokenizer of a model of the paper."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.minimal_sets.models.token_counts import count_tokens

    files = snakemake.input
    count_tokens(files.model, files.sets, snakemake.output[0], system=snakemake.params.system)
