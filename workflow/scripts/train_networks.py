"""Train FFNN and CNN for every cell of Table 1 and let them choose, in one job."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.blm.data.names import RegimeData
    from kasu.blm.models.training import Grid, train_networks

    params = snakemake.params
    variants = [variant["name"] for variant in params.settings["variants"]]
    regimes = [RegimeData(*regime) for regime in params.regimes]
    train_networks(
        Grid(regimes, params.models, params.seeds, params.settings),
        dict(zip(variants, snakemake.input.embeddings, strict=True)),
        params.work,
        predictions=snakemake.output.predictions,
        history=snakemake.output.history,
        device=params.device,
        code=params.code,
    )
