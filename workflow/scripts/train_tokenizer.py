"""Train a tokenizer on a text; encode the text and its validation text."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.lm.pretraining.packing import encode_corpus
    from kasu.lm.pretraining.tokenizer import write_tokenizer

    source, output, params = snakemake.input, snakemake.output, snakemake.params
    write_tokenizer(
        source.corpus,
        output.tokenizer,
        vocabulary=params.vocabulary,
        length=params.length,
        fewer=params.fewer,
    )
    encode_corpus(source.corpus, output.tokenizer, output.tokens, output.counts)
    encode_corpus(source.validation, output.tokenizer, output.validation, output.validation_counts)
