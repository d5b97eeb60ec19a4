"""Train a block of members of a family on the languages of a pack; answer dev and test."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.cloze.data.items import read_split
    from kasu.cloze.families import FAMILIES
    from kasu.corpora.texts.spelling import lower_case
    from kasu.transduction.members.jobs import train_members
    from kasu.transduction.members.packs import Job, Study

    wildcards, params = snakemake.wildcards, snakemake.params
    train_members(
        # As the scorer does, accuracy on dev takes capitals and small letters for the same
        Study(FAMILIES, read_split, lower_case, params.codes),
        Job(wildcards.family, wildcards.setting, params.options, params.device, params.code),
        params.members,
        params.splits,
        snakemake.output,
        params.work,
    )
