"""Convert a CoNLL-U file to parquet, every cell unchanged."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.corpora.treebanks.treebank import build_treebank

    build_treebank(snakemake.input[0], snakemake.output.treebank, snakemake.output.counts)
