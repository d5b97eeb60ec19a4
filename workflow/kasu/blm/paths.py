"""The outputs of the BLM study, as its rules write them."""

PATHS = {
    "problems": "<results>/blm/{folder}/{type}/problems.parquet",
    "train": "<results>/blm/{folder}/{type}/train.parquet",
    "validation": "<results>/blm/{folder}/{type}/validation.parquet",
    "test": "<results>/blm/{folder}/{type}/test.parquet",
    "card": "<results>/blm/{folder}/{type}/README.md",
    "counts": "<results>/blm/{folder}/{type}/counts.tsv",
    "drops": "<results>/blm/{folder}/{type}/drops.tsv",
    "embeddings": "<results>/blm/embeddings/{encoding}.parquet",
    "embeddings_counts": "<results>/blm/embeddings/{encoding}_counts.tsv",
    "predictions": "<results>/blm/predictions/{solvers}.parquet",
    "history": "<results>/blm/predictions/networks_history.tsv",
}
