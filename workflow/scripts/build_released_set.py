"""Read the items of a released set."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.minimal_sets.released.items import build_released

    params = snakemake.params
    build_released(
        snakemake.input[0],
        Path(snakemake.output.card).parent,
        licence=params.source["licence"],
        language=params.language,
        sources=[params.source],
    )
