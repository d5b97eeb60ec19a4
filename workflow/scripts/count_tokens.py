"""Count the tokens of released items as a model of the paper makes them."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from kasu.minimal_sets.models.token_counts import count_tokens

    files = snakemake.input
    count_tokens(files.model, files.sets, snakemake.output[0], system=snakemake.params.system)
