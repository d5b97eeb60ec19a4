"""Build type III: the sentences of type II resampled."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.blm.data.datasets import build_type_iii

    params = snakemake.params
    build_type_iii(
        snakemake.input.type_ii,
        Path(snakemake.output.card).parent,
        settings=params.settings,
        language=params.language,
        sources=params.sources,
    )
