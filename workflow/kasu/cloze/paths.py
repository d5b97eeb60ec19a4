"""The outputs of the cloze study, as its rules write them."""

PATHS = {
    "low": "<results>/cloze/datasets/{language}/low.parquet",
    "medium": "<results>/cloze/datasets/{language}/medium.parquet",
    "high": "<results>/cloze/datasets/{language}/high.parquet",
    "dev": "<results>/cloze/datasets/{language}/dev.parquet",
    "test": "<results>/cloze/datasets/{language}/test.parquet",
    "card": "<results>/cloze/datasets/{language}/README.md",
    "counts": "<results>/cloze/datasets/{language}/counts.tsv",
    "drops": "<results>/cloze/datasets/{language}/drops.tsv",
    "conversion": "<results>/cloze/datasets/{language}/conversion.tsv",
    "features": "<results>/cloze/datasets/{language}/features.tsv",
    "recovered": "<results>/cloze/datasets/{language}/recovered.tsv",
    "agreement": "<results>/cloze/datasets/{language}/agreement.tsv",
    "sheet": "<results>/cloze/datasets/{language}/sheet.tsv",
    "page": "<results>/cloze/datasets/{language}/sheet.html",
}
