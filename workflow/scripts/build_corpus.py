"""Merge the sources of a corpus without duplicates, and add split keys."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.corpora.texts.sentences import build_corpus

    build_corpus(
        snakemake.input.sources,
        snakemake.output.sentences,
        snakemake.output.counts,
        snakemake.output.drops,
        refused=snakemake.params.refused,
    )
