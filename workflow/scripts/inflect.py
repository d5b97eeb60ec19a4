"""Train a system on each language of a pack and predict the test sets."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from pathlib import Path

    from kasu.inflection.packs import Task, inflect_pack

    params = snakemake.params
    files = zip(
        snakemake.input.train,
        snakemake.input.dev,
        snakemake.input.test,
        snakemake.output,
        strict=True,
    )
    inflect_pack(
        [
            Task(language, *map(Path, paths))
            for language, paths in zip(params.languages, files, strict=True)
        ],
        params.work,
        system=params.system,
        variants=params.variants,
        seeds=params.seeds,
        settings=params.settings,
        code=params.code,
    )
