"""Analyse the morphology of a corpus with Apertium, keeping all readings."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.corpora.morphology.apertium import analyse_corpus

    analyse_corpus(
        snakemake.input.sentences,
        snakemake.output.analyses,
        snakemake.output.counts,
        dictionary=snakemake.params.analyser["dictionary"],
        tagset=snakemake.input.tagset,
        workers=snakemake.threads,
    )
