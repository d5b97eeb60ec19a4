"""Build the dataset of both tasks: filters, target verbs, labels, suffixes, splits."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.agreement.data.dataset import build_verb_number

    build_verb_number(
        snakemake.input.sentences,
        snakemake.input.analyses,
        Path(snakemake.output.card).parent,
        tagset=snakemake.input.tagset,
        settings=snakemake.params.settings,
        corpus=snakemake.params.corpus,
        sources=snakemake.params.sources,
    )
