"""Sources: files listed in config/sources.tsv, or addresses in the config.

In: a mirror or the network. Out: resources/downloads/<path> and <path>.lock, which records what was
checked. Time: that of the downloads, one after another.
"""


def source_facts(wildcards):
    """The facts that the fetch of a source depends on."""
    return [WORKSPACE.source_at(wildcards.path).facts()]


def planned_downloads():
    """Return the sources that a run fetches, known once it is planned."""
    files = files_to_make()
    paths = [os.path.relpath(file, WORKSPACE.downloads) for file in sorted(files)]
    return [
        WORKSPACE.source_at(path)
        for path in paths
        if str(WORKSPACE.downloads / f"{path}.lock") in files
    ]


# No code hash: a changed downloader must not fetch anything again
rule fetch_source:
    """Fetch one source from a mirror or the network and check it."""
    output:
        files=["resources/downloads/{path}"],
        locks=["resources/downloads/{path}.lock"],
    log:
        "<logs>/fetch_source/{path}.log",
    wildcard_constraints:
        path=r".+(?<!\.lock)",
    localrule: True
    resources:
        downloads=1,
    params:
        sources=source_facts,
    script:
        "../scripts/fetch_source.py"
