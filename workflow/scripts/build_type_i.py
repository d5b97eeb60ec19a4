"""Build type I: every sequence of every seed."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.blm.data.datasets import build_type_i

    params = snakemake.params
    build_type_i(
        snakemake.input.seeds,
        Path(snakemake.output.card).parent,
        settings=params.settings,
        language=params.language,
        sources=params.sources,
    )
