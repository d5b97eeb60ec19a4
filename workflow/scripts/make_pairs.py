"""Read minimal pairs."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.data.pairs import make_pairs

    params, output = snakemake.params, snakemake.output
    make_pairs(
        snakemake.input[0],
        output.pairs,
        output.counts,
        output.drops,
        fields=params.fields,
        types=params.types,
        levels=params.levels,
        licence=params.licence,
    )
