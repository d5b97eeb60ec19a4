"""Train a block of members of a family on the languages of a pack; answer dev and test."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    import importlib
    from dataclasses import replace

    from kasu.transduction.members.families import Families
    from kasu.transduction.members.jobs import train_members
    from kasu.transduction.members.packs import Job

    wildcards, params = snakemake.wildcards, snakemake.params
    study = importlib.import_module(f"kasu.{wildcards.study}.reader")
    family = Families(f"kasu.{wildcards.study}.systems").load(wildcards.family)
    train_members(
        replace(study.READER, codes=params.codes),
        Job(family, wildcards.setting, params.options, params.device, params.code, params.stack),
        params.members,
        params.splits,
        snakemake.output,
        params.work,
    )
