"""Check the organisers' statements on the datasets; list the missing languages."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.files.tables import write_drops
    from kasu.inflection.data.properties import write_properties

    params = snakemake.params
    write_properties(
        snakemake.output.properties,
        params.datasets,
        params.words,
        params.drawn,
        codes=params.languages,
    )
    write_drops(snakemake.output.drops, {r: n for r, n in params.drops.items() if n})
