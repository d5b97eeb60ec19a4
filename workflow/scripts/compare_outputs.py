"""Compare our members with published outputs by item."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.inflection.ladder.steps import compare_outputs

    params = snakemake.params
    compare_outputs(
        params.published,
        params.members,
        params.datasets,
        dict(snakemake.output.items()),
        variants=params.variants,
        **{key: params.settings[key] for key in ("family", "order", "margin")},
    )
