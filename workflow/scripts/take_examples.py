"""Draw ten items of a study, with what systems answered."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    import importlib

    files = {name: list(paths) for name, paths in snakemake.input.items()}
    study = importlib.import_module(snakemake.params.study)
    params = snakemake.params
    study.take_examples(files, snakemake.output[0], **params.settings, seed=params.seed)
