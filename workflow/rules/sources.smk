"""Sources: files of config/sources.tsv, or of an address in the config.

In: a mirror or the network. Out: resources/downloads/<path> and <path>.lock, which says what was
checked. Time: that of the download; one at a time.
"""

# The registry, and what studies take from addresses of the config
BY_PATH = {source.path: source for source in REGISTRY.values()}


def register(*entries):
    """Make the sources of entries known to the fetch."""
    BY_PATH.update(
        {entry.source.path: entry.source for entry in entries if entry.source}
    )


for sources in SOURCES.values():
    register(*(entry for _, _, entry in sources))


def source_facts(wildcards):
    """What the fetch of a source depends on."""
    if wildcards.path not in BY_PATH:
        raise WorkflowError(f"{wildcards.path}: no such path in config/sources.tsv")
    source = BY_PATH[wildcards.path]
    if not admits(config["licences"], source.licence):
        raise WorkflowError(
            f"source {source.name}: licence {source.licence or 'not stated'!r}; expected one of"
            f" `licences` in the config: {', '.join(config['licences'])}"
        )
    return [source.facts()]


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
        # The released files of task 1 come a language at a time: inflection.smk
        path=r"(?!sigmorphon2018/task1/).+(?<!\.lock)",
    conda:
        "../../envs/kasu.yaml"
    resources:
        downloads=1,
    params:
        sources=source_facts,
    script:
        "../scripts/fetch_source.py"
