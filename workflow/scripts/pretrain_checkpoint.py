"""Train a masked language model to its next checkpoint, on one device or several."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from kasu.lm.pretraining.parallel import launch
    from kasu.lm.pretraining.pretrain import pretrain_checkpoint

    source, output, params = snakemake.input, snakemake.output, snakemake.params
    arguments = {
        "tokens": source.tokens,
        "validation": source.validation,
        "tokenizer": source.tokenizer,
        "previous": source.get("state") or None,
        "model": output.model,
        "state": output.get("state"),
        "history": output.history,
        "work": params.work,
        "epoch": params.epoch,
        "settings": params.settings,
        "seed": params.seed,
        "device": params.device,
        "code": params.code,
    }
    processes = snakemake.resources.get("gpu") or 1
    if processes > 1:
        launch(arguments, processes)
    else:
        pretrain_checkpoint(**arguments)
