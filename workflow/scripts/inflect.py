"""Train a block of members of a family on each language of a pack; answer dev and test."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from pathlib import Path

    from kasu.inflection.members.families import Run
    from kasu.inflection.members.packs import Job, Outputs, Task, inflect_pack

    wildcards, params = snakemake.wildcards, snakemake.params
    splits = (wildcards.setting, "dev", "test")
    tasks = []
    for language, runs in params.members.items():
        files = (Path(params.datasets, language, f"{split}.parquet") for split in splits)
        tasks.append(Task(language, tuple(Run(*run) for run in runs), *files))
    shared = (params.options, params.device, params.code, params.stack)
    inflect_pack(
        Job(wildcards.family, wildcards.setting, *shared),
        tasks,
        Outputs(*map(Path, snakemake.output)),
        params.work,
    )
