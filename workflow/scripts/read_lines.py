"""Read a text with one item per line, or JSON lines, as a source of a corpus."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.corpora.texts.sentences import LineFormat, read_lines

    read_lines(
        snakemake.input.text,
        snakemake.output.sentences,
        snakemake.output.counts,
        snakemake.output.drops,
        source=snakemake.wildcards.text,
        form=LineFormat(**snakemake.params.format),
    )
