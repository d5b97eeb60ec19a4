"""Fetch sources from a mirror, else from the net; check them and record what was checked."""

from kasu.job.run import job

# A download has its lock, and a lock its seal
with job(snakemake.log[0], outputs=snakemake.output.locks):
    from pathlib import Path

    from kasu.sources.download import fetch
    from kasu.sources.registry import Source, mirror_folders

    # Neither inputs nor parameters: switching mirrors re-runs nothing.
    mirrors, contact = mirror_folders(snakemake.config), snakemake.config.get("contact", "")
    outputs = zip(snakemake.output.files, snakemake.output.locks, strict=True)
    for facts, (file, lock) in zip(snakemake.params.sources, outputs, strict=True):
        fetch(Source(**facts), Path(file), mirrors, Path(lock), contact=contact)
