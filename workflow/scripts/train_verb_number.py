"""Train the verb number models of one system, all variants and seeds in one job."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from kasu.agreement.models.training import train_models

    train_models(
        snakemake.input.train,
        snakemake.input.validation,
        snakemake.output.model,
        snakemake.output.vocabulary,
        snakemake.output.history,
        snakemake.params.work,
        system=snakemake.wildcards.system,
        variants=snakemake.params.variants,
        seeds=snakemake.params.seeds,
        settings=snakemake.params.settings,
        device=snakemake.params.device,
        code=snakemake.params.code,
    )
