"""Make a dataset from a treebank and paradigms, and a sheet for annotators."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.cloze.data.made import build_dataset

    build_dataset(
        dict(snakemake.input.items()),
        Path(snakemake.output.card).parent,
        name=snakemake.wildcards.language,
        settings=snakemake.params.settings,
        seed=snakemake.params.seed,
        sources=snakemake.params.sources,
    )
