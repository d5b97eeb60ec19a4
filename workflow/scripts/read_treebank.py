"""Read a CoNLL-U file as parquet, every cell as it stands."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from kasu.corpora.treebank import build_treebank

    build_treebank(snakemake.input[0], snakemake.output.treebank, snakemake.output.counts)
