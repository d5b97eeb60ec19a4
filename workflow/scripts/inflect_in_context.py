"""Train a block of members of a family on each language of a pack; answer dev and test."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from pathlib import Path

    from kasu.cloze.data.items import read_split
    from kasu.cloze.families import FAMILIES
    from kasu.cloze.names import split_setting
    from kasu.transduction.members.families import Run
    from kasu.transduction.members.packs import Job, Outputs, Study, Task, train_pack

    wildcards, params = snakemake.wildcards, snakemake.params
    splits = (split_setting(wildcards.setting)[1], "dev", "test")
    tasks = []
    for language, runs in params.members.items():
        files = (Path(params.datasets, language, f"{split}.parquet") for split in splits)
        tasks.append(Task(language, tuple(Run(*run) for run in runs), *files))
    shared = (params.options, params.device, params.code)
    train_pack(
        Study(FAMILIES, read_split),
        Job(wildcards.family, wildcards.setting, *shared),
        tasks,
        Outputs(*map(Path, snakemake.output)),
        params.work,
    )
