"""Split type I or II by lexical seed: what is tested has no seed in training."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.blm.data.datasets import split_by_seed

    params = snakemake.params
    split_by_seed(
        snakemake.input.problems,
        Path(snakemake.output.card).parent,
        type_=snakemake.wildcards.type,
        settings=params.settings,
        language=params.language,
        sources=params.sources,
    )
