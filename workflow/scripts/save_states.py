"""Save the states of the networks of suffix prediction at the words that are probed."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.models.states import save_states

    given, made = snakemake.input, snakemake.output
    save_states(
        {text: given[text] for text in snakemake.params.texts},
        given.model,
        given.vocabulary,
        made.words,
        made.states,
        seeds=snakemake.params.seeds,
        device=snakemake.params.device,
    )
