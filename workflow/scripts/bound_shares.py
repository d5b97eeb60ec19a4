"""Work out what printed accuracies and recalls imply together, beside our figures."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.evaluation.implied import write_implied

    write_implied(snakemake.input.published, snakemake.input.scores, snakemake.output[0])
