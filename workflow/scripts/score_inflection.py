"""Score all systems, with oracles, sign tests and means over languages."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.inflection.evaluation.scores import score_study

    params = snakemake.params
    score_study(
        snakemake.input.predictions,
        snakemake.input.missing,
        params.datasets,
        snakemake.input.published,
        dict(snakemake.output.items()),
        submitted=params.submitted,
        published_members=params.published_members,
        texts=params.texts,
        released=params.released,
        seed=params.seed,
    )
