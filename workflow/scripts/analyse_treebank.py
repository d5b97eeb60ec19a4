"""Analyse the text of a treebank, for networks that read what the analyser says."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.data.treebank import analyse_treebank

    given, made, params = snakemake.input, snakemake.output, snakemake.params
    analyse_treebank(
        {split: given[split] for split in params.splits},
        made.treebank,
        made.counts,
        made.drops,
        dictionary=params.analyser["dictionary"],
        tagset=given.tagset,
        settings=params.settings,
    )
