"""Sources: files of config/sources.tsv, or of an address in the config.

In: a mirror or the network. Out: resources/downloads/<path> and <path>.lock, which says what was
checked. Time: that of the download; one at a time.
"""

BY_PATH = {source.path: source for source in REGISTRY.values()}
BY_PATH |= {
    entry.source.path: entry.source
    for sources in SOURCES.values()
    for _, _, entry in sources
    if entry.source
}


def source_facts(wildcards):
    """What the fetch of a source depends on."""
    if wildcards.path not in BY_PATH:
        raise WorkflowError(f"{wildcards.path}: no such path in config/sources.tsv")
    return BY_PATH[wildcards.path].facts()


localrules:
    fetch_source,


# No code hash: a change of the downloader is no reason to fetch anything again
rule fetch_source:
    """Fetch one source from a mirror or the network and check it."""
    output:
        file="resources/downloads/{path}",
        lock="resources/downloads/{path}.lock",
    log:
        f"{RESULTS}/logs/fetch_source/{{path}}.log",
    wildcard_constraints:
        path=r".+(?<!\.lock)",
    conda:
        "../../envs/kasu.yaml"
    resources:
        downloads=1,
    params:
        source=source_facts,
    script:
        "../scripts/fetch_source.py"
