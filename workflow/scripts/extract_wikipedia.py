"""Extract the sentences of the articles in a Wikipedia dump."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.corpora.wiki.articles import extract_articles

    extract_articles(
        snakemake.input.dump,
        snakemake.output.sentences,
        snakemake.output.counts,
        snakemake.output.drops,
        source=snakemake.wildcards.wiki,
        language=snakemake.params.language,
        patterns=snakemake.params.patterns,
        templates=snakemake.params.templates,
        broken_share=snakemake.params.broken_share,
        workers=snakemake.threads,
    )
