"""Train a block of members of a family on all languages of a setting at once."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from pathlib import Path

    from kasu.inflection.data.triples import read_items
    from kasu.inflection.families import FAMILIES
    from kasu.transduction.members.families import Run
    from kasu.transduction.members.packs import Job, Outputs, Study, Task
    from kasu.transduction.members.pooled import train_pooled

    wildcards, params = snakemake.wildcards, snakemake.params
    splits = (wildcards.setting, "dev", "test")
    tasks = []
    for language, runs in params.members.items():
        files = (Path(params.datasets, language, f"{split}.parquet") for split in splits)
        tasks.append(Task(language, tuple(Run(*run) for run in runs), *files))
    shared = (params.options, params.device, params.code, params.stack)
    train_pooled(
        Study(FAMILIES, lambda path, setting, split: read_items(path)),
        Job(wildcards.family, wildcards.setting, *shared),
        tasks,
        Outputs(*map(Path, snakemake.output)),
        params.work,
    )
