"""Read the released files of a language into a dataset."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from pathlib import Path

    from kasu.inflection.data.triples import build_released

    build_released(
        dict(snakemake.input.items()),
        Path(snakemake.output.card).parent,
        language=snakemake.wildcards.language,
        sources=snakemake.params.sources,
    )
