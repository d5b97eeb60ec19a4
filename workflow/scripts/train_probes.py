"""Train diagnostic classifiers on saved states, and their nulls."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.models.diagnosis import diagnose

    given, params = snakemake.input, snakemake.params
    diagnose(
        given.words,
        given.states,
        snakemake.output[0],
        params.work,
        settings=params.settings,
        code=params.code,
    )
