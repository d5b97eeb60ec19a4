"""The outputs of the minimal sets study, as its rules write them."""

PATHS = {
    "items": "<results>/minimal_sets/datasets/{set}/items.parquet",
    "card": "<results>/minimal_sets/datasets/{set}/README.md",
    "counts": "<results>/minimal_sets/datasets/{set}/counts.tsv",
    "drops": "<results>/minimal_sets/datasets/{set}/drops.tsv",
    "agreement": "<results>/minimal_sets/datasets/{set}/agreement.tsv",
    "pool": "<results>/minimal_sets/datasets/{set}/pool.tsv",
    "overlap": "<results>/minimal_sets/datasets/{set}/overlap.tsv",
    "predictions": "<results>/minimal_sets/predictions/{model}.parquet",
    "predictions_drops": "<results>/minimal_sets/predictions/{model}_drops.tsv",
    "tokens": "<results>/minimal_sets/tokens/{model}/{set}.parquet",
}
