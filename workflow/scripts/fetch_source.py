"""Fetch a source from a mirror, else from the net; check it; record what was checked."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from pathlib import Path

    from kasu.base.download import fetch
    from kasu.base.sources import Source

    # A mirror is neither an input nor a parameter: switching mirrors re-runs nothing.
    mirrors = snakemake.config.get("mirror") or []
    mirrors = [mirrors] if isinstance(mirrors, str) else mirrors
    fetch(
        Source(**snakemake.params.source),
        Path(snakemake.output.file),
        [Path(mirror) for mirror in mirrors],
        Path(snakemake.output.lock),
    )
