"""Read the files of a language into a dataset; check what participants saw against it."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.cloze.data.datasets import read_splits

    read_splits(
        dict(snakemake.input.items()),
        Path(snakemake.output.card).parent,
        language=snakemake.wildcards.language,
        sources=snakemake.params.sources,
        code=snakemake.params.language_code,
    )
