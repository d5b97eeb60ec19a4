"""Train a block of members of a family on the languages of a pack; answer dev and test."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.inflection.data.triples import read_items
    from kasu.inflection.families import FAMILIES
    from kasu.transduction.members.jobs import train_members
    from kasu.transduction.members.packs import Job, Study

    wildcards, params = snakemake.wildcards, snakemake.params
    shared = (params.options, params.device, params.code, params.stack)
    train_members(
        Study(FAMILIES, lambda path, setting, split: read_items(path)),
        Job(wildcards.family, wildcards.setting, *shared),
        params.members,
        params.splits,
        snakemake.output,
        params.work,
    )
