"""Split the words of a budget, the validation text or pairs into lemma and suffixes."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.data.lemmatise import lemmatise

    params, output = snakemake.params, snakemake.output
    lemmatise(
        snakemake.input.table,
        snakemake.input.suffixes,
        output.twin,
        output.counts,
        output.drops,
        dictionary=params.analyser["dictionary"],
        split=params.split,
        workers=snakemake.threads,
    )
