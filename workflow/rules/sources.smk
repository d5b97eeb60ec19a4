"""Sources: files of config/sources.tsv, or of an address in the config.

In: a mirror or the network. Out: resources/downloads/<path> and <path>.lock, which says what was
checked. Time: that of the download; one at a time.
"""


def source_facts(wildcards):
    """What the fetch of a source depends on."""
    return [WORKSPACE.source_at(wildcards.path).facts()]


localrules:
    fetch_source,


# No code hash: a change of the downloader is no reason to fetch anything again
rule fetch_source:
    """Fetch one source from a mirror or the network and check it."""
    output:
        files=["resources/downloads/{path}"],
        locks=["resources/downloads/{path}.lock"],
    log:
        f"{RESULTS}/logs/fetch_source/{{path}}.log",
    wildcard_constraints:
        # The released files of task 1 come one language at a time: inflection.smk
        path=r"(?!sigmorphon2018/task1/).+(?<!\.lock)",
    resources:
        downloads=1,
    params:
        sources=source_facts,
    script:
        "../scripts/fetch_source.py"
