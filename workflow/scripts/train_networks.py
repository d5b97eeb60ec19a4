"""Train FFNN and CNN in every cell of Table 1 and let them choose, in one job."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from kasu.blm.models.training import train_networks

    params = snakemake.params
    train_networks(
        params.regimes,
        snakemake.input.embeddings,
        snakemake.output.predictions,
        snakemake.output.history,
        params.work,
        models=params.models,
        seeds=params.seeds,
        settings=params.settings,
        device=params.device,
        code=params.code,
    )
