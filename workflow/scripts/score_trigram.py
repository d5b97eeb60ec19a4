"""Score pairs with a word trigram trained on a text."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.models.trigram import score_trigram

    files = zip(snakemake.input.pairs, snakemake.output, strict=True)
    score_trigram(snakemake.input.corpus, files)
