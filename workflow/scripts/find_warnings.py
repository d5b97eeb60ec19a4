"""Find what makes the results of a study meaningless."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    import importlib

    from kasu.results.warnings.table import ResultWarning, write_warnings

    params = snakemake.params
    files = {name: list(paths) for name, paths in snakemake.input.items()}
    study = importlib.import_module(params.study)
    toys = [ResultWarning("networks", toys) for toys in params.toys]
    found = study.find_warnings(files, **params.settings)
    write_warnings(snakemake.output[0], [*toys, *found])
