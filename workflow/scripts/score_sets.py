"""Score the forms of all sets of a model, under all definitions."""

from kasu.base.run import job

with job(snakemake.log[0]):
    import shutil
    from pathlib import Path

    from kasu.lm.scoring.score import score_file
    from kasu.minimal_sets.models.predictions import predict_scores

    params, output = snakemake.params, snakemake.output
    files = zip(snakemake.input.sets, output.predictions, output.drops, strict=True)
    for items, predictions, drops in files:
        work = Path(params.work) / Path(predictions).stem
        scores = Path(f"{work}.parquet")
        score_file(
            snakemake.input.model,
            items,
            scores,
            drops,
            work,
            definitions=params.definitions,
            remote_code=params.remote_code,
            device=params.device,
            too_long="drop",
            code=params.code,
            # Snakemake drops the predictions of a job that is killed in a later set
            keep=True,
            **params.settings,
        )
        predict_scores(items, scores, predictions, system=params.system)
    shutil.rmtree(params.work)
