"""Fetch a model of the hub from a mirror, else from the net; check it; record what was checked."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from pathlib import Path

    from kasu.lm.hub import fetch_model

    params = snakemake.params
    # A mirror is neither an input nor a parameter: switching mirrors re-runs nothing.
    mirrors = snakemake.config.get("mirror") or []
    mirrors = [mirrors] if isinstance(mirrors, str) else mirrors
    fetch_model(
        params.model,
        params.revision,
        params.files,
        Path(snakemake.output.folder),
        [Path(mirror) for mirror in mirrors],
        Path(snakemake.output.lock),
    )
