"""Train all small masked language models, each from checkpoint to checkpoint."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.lm.pretraining.pretrain import CheckpointJob, pretrain_together

    params = snakemake.params
    rest = {"previous": None, "work": "", "device": params.device}
    trainings = {
        name: [CheckpointJob(**each, **rest, code=params.code) for each in jobs]
        for name, jobs in params.trainings.items()
    }
    pretrain_together(trainings, params.work)
