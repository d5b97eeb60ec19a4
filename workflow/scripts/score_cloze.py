"""Score all systems on original and plausible forms, with means over languages."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.cloze.evaluation.scores import score_study
    from kasu.files.tables import write_drops

    params = snakemake.params
    score_study(
        snakemake.input.predictions,
        snakemake.input.missing,
        params.datasets,
        snakemake.input.published,
        dict(snakemake.output.items()),
        submitted=params.submitted,
        released=params.released,
        made=params.made,
        codes=params.codes,
        seed=params.seed,
    )
    write_drops(snakemake.output.drops, params.drops)
