"""Take the morphology of a corpus from the annotation of its treebank."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.corpora.treebanks.annotated import read_annotation

    read_annotation(
        snakemake.input.sentences,
        snakemake.input.treebanks,
        snakemake.output.analyses,
        snakemake.output.counts,
        tagset=snakemake.input.tagset,
    )
