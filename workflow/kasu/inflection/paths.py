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
    "language_drops": "<results>/inflection/datasets/drops.tsv",
    "properties": "<results>/inflection/tables/properties.tsv",
    "failures": "<results>/inflection/failures.tsv",
    "scores": "<results>/inflection/scores.parquet",
    "claims": "<results>/inflection/tables/claims.tsv",
    "comparisons": "<results>/inflection/tables/comparisons.tsv",
    "learning_curves": "<results>/inflection/tables/learning_curves.tsv",
    "power": "<results>/inflection/tables/power.tsv",
    "ladder": "<results>/inflection/tables/ladder.tsv",
    "agreement": "<results>/inflection/tables/agreement_by_item.tsv",
    "output_drops": "<results>/inflection/outputs.drops.tsv",
    "languages_figure": "<results>/inflection/figures/languages.svg",
}
