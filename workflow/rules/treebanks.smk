"""Treebanks of Universal Dependencies: CoNLL-U to parquet, without loss.

In: files of `treebanks` in the config. Out: <results>/treebanks/<file>.parquet and its counts.
Time: seconds.
"""


rule read_treebank:
    """Convert a CoNLL-U file to parquet, every cell unchanged."""
    input:
        from_plan(TREEBANKS, "file", "file"),
    output:
        treebank="<results>/treebanks/{treebank_file}.parquet",
        counts="<results>/treebanks/{treebank_file}_counts.tsv",
    log:
        "<logs>/read_treebank/{treebank_file}.log",
    params:
        code=code("read_treebank"),
    script:
        "../scripts/read_treebank.py"
