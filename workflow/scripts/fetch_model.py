"""Fetch a model of the hub from a mirror, else from the net; check it; record what was checked."""

from kasu.job.run import job

# A download has its lock, and a lock its seal
with job(snakemake.log[0], outputs=[snakemake.output.lock]):
    from pathlib import Path

    from kasu.lm.models.hub import fetch_model
    from kasu.sources.registry import mirror_folders

    params = snakemake.params
    # A mirror is neither an input nor a parameter: switching mirrors re-runs nothing.
    mirrors = mirror_folders(snakemake.config)
    fetch_model(
        params.model,
        params.revision,
        params.files,
        Path(snakemake.output.folder),
        mirrors,
        Path(snakemake.output.lock),
        remote_code=params.remote_code,
    )
