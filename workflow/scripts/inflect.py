"""Train a block of members of a family on each language of a pack; answer dev and test."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from pathlib import Path

    from kasu.inflection.packs import Block, Task, inflect_pack

    wildcards, params, output = snakemake.wildcards, snakemake.params, snakemake.output
    inflect_pack(
        Block(
            family=wildcards.family,
            setting=wildcards.setting,
            members=tuple(params.members),
            options=params.options,
            code=params.code,
        ),
        [
            Task(
                language,
                *(
                    Path(folder) / f"{split}.parquet"
                    for split in (wildcards.setting, "dev", "test")
                ),
            )
            for language, folder in params.datasets.items()
        ],
        output.members,
        output.failures,
        params.work,
    )
