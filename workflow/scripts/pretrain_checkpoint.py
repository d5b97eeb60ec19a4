"""Train a masked language model to its next checkpoint, on one device or several."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.lm.pretraining.pretrain import CheckpointJob, pretrain_checkpoint
    from kasu.lm.pretraining.torchrun_process import launch

    source, output, params = snakemake.input, snakemake.output, snakemake.params
    checkpoint = CheckpointJob(
        tokens=source.tokens,
        validation=source.validation,
        tokenizer=source.tokenizer,
        previous=next(iter(source.state), None),
        model=output.model,
        state=output.get("state"),
        history=output.history,
        work=params.work,
        epoch=params.epoch,
        settings=params.settings,
        seed=params.seed,
        device=params.device,
        code=params.code,
    )
    processes = snakemake.resources.get("gpu") or 1
    if processes > 1:
        launch(checkpoint, processes)
    else:
        pretrain_checkpoint(checkpoint)
