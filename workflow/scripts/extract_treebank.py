"""Extract the sentences of a treebank's file, as a source of a corpus."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.corpora.treebanks.annotated import extract_sentences

    extract_sentences(snakemake.input.treebank, *snakemake.output)
