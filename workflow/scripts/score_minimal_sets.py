"""Score models on sets; preferences, correlations, paired tests, the paper's claims."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.minimal_sets.evaluation.scores import StudyTables, score_study

    files, params = snakemake.input, snakemake.params
    score_study(
        files.predictions,
        StudyTables(**dict(snakemake.output.items())),
        seed=params.seed,
        built=files.built,
        counterparts=params.counterparts,
        collections=params.collections,
        statistics=next(iter(files.statistics), None),
    )
