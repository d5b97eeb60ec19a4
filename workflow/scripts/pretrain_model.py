"""Train a tokenizer and a small masked language model on a corpus."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.lm.pretraining.pretrain import pretrain

    params = snakemake.params
    pretrain(
        snakemake.input.corpus,
        snakemake.output.model,
        snakemake.output.history,
        params.work,
        settings=params.settings,
        seed=params.seed,
        device=params.device,
        code=params.code,
    )
