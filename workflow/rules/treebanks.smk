"""Treebanks of Universal Dependencies: CoNLL-U to parquet, lossless.

In: files of `treebanks` in the config. Out: <results>/treebanks/<file>.parquet and its counts.
Time: seconds.
"""

try:
    TREEBANKS = {
        treebank["name"]: {
            **treebank,
            "files": [resolve(file, REGISTRY, DOWNLOADS) for file in treebank["files"]],
        }
        for treebank in config["treebanks"]
    }
except KasuError as error:
    raise WorkflowError(str(error))
TREEBANK_FILES = {
    entry.slug: entry for treebank in TREEBANKS.values() for entry in treebank["files"]
}
register(*TREEBANK_FILES.values())


wildcard_constraints:
    treebank_file=one_of(TREEBANK_FILES),


def treebank_source(wildcards):
    return str(TREEBANK_FILES[wildcards.treebank_file].file)


def treebank_files(name):
    """The files of a treebank as parquet, in the config's order."""
    if name not in TREEBANKS:
        raise WorkflowError(
            f"treebank {name!r}: no such treebank; expected one of {', '.join(TREEBANKS) or 'none'}"
        )
    return [
        f"{RESULTS}/treebanks/{entry.slug}.parquet"
        for entry in TREEBANKS[name]["files"]
        if allowed(entry)
    ]


rule read_treebank:
    """Read a CoNLL-U file as parquet, every cell as it stands."""
    input:
        treebank_source,
    output:
        treebank=f"{RESULTS}/treebanks/{{treebank_file}}.parquet",
        counts=f"{RESULTS}/treebanks/{{treebank_file}}_counts.tsv",
    log:
        f"{RESULTS}/logs/read_treebank/{{treebank_file}}.log",
    conda:
        "../../envs/kasu.yaml"
    params:
        code=code("read_treebank"),
    script:
        "../scripts/read_treebank.py"
