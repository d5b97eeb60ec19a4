"""Learn the most frequent form of each sequence of suffixes."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.data.lemmatise import learn_suffixes

    learn_suffixes(snakemake.input[0], snakemake.output[0], split=snakemake.params.split)
