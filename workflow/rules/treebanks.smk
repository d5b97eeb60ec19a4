"""Treebanks of Universal Dependencies: CoNLL-U to parquet, without loss.

In: files of `treebanks` in the config. Out: <results>/treebanks/<file>.parquet and its counts.
Time: seconds.
"""


rule read_treebank:
    """Convert a CoNLL-U file to parquet, every cell unchanged."""
    input:
        lambda wildcards: str(TREEBANKS.file(wildcards.treebank_file).file),
    output:
        treebank=f"{RESULTS}/treebanks/{{treebank_file}}.parquet",
        counts=f"{RESULTS}/treebanks/{{treebank_file}}_counts.tsv",
    log:
        f"{RESULTS}/logs/read_treebank/{{treebank_file}}.log",
    params:
        code=code("read_treebank"),
    script:
        "../scripts/read_treebank.py"
