"""The outputs of the inflection study, as its rules write them."""

PATHS = {
    "low": "<results>/inflection/datasets/{language}/low.parquet",
    "medium": "<results>/inflection/datasets/{language}/medium.parquet",
    "high": "<results>/inflection/datasets/{language}/high.parquet",
    "dev": "<results>/inflection/datasets/{language}/dev.parquet",
    "test": "<results>/inflection/datasets/{language}/test.parquet",
    "card": "<results>/inflection/datasets/{language}/README.md",
    "counts": "<results>/inflection/datasets/{language}/counts.tsv",
    "drops": "<results>/inflection/datasets/{language}/drops.tsv",
    "output_drops": "<results>/inflection/outputs.drops.tsv",
}
