"""Compare each system with its published column language by language; judge, and draw."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.transduction.fingerprints.dev import read_dev
    from kasu.transduction.fingerprints.figure import draw_fingerprints
    from kasu.transduction.fingerprints.tables import write_fingerprints
    from kasu.transduction.fingerprints.target import read_task

    output, params = snakemake.output, snakemake.params
    write_fingerprints(
        read_task(snakemake.wildcards.study, snakemake.input.published),
        snakemake.input.scores,
        output.table,
        output.differences,
        params.targets,
        params.origins,
        params.published_members,
        params.submitted,
        read_dev(params.dev_members, params.released),
    )
    draw_fingerprints(output.table, output.differences, output.figure)
