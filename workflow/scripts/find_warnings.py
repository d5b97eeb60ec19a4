"""Find what makes the results of a study meaningless."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    import importlib

    from kasu.results.warnings.table import write_warnings

    files = {name: list(paths) for name, paths in snakemake.input.items()}
    study = importlib.import_module(snakemake.params.study)
    write_warnings(snakemake.output[0], study.find_warnings(files, **snakemake.params.settings))
