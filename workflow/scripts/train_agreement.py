"""Train the models of one task and system: all variants and seeds in one job."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.models.training import Outputs, TrainingData, train_models

    files, params = snakemake.output, snakemake.params
    train_models(
        TrainingData(snakemake.input.train, snakemake.input.validation),
        Outputs(files.model, files.vocabulary, files.history),
        params.work,
        task=snakemake.wildcards.task,
        system=snakemake.wildcards.system,
        models=params.models,
        settings=params.settings,
        device=params.device,
        code=params.code,
    )
