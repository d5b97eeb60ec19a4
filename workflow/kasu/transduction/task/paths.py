"""The outputs of the common rules of studies that train members, as these rules write them."""

PATHS = {
    "language_drops": "<results>/{study}/datasets/drops.tsv",
    "members": "<results>/{study}/members/{family}/{setting}/{pack}-{block}.parquet",
    "member_failures": "<results>/{study}/members/{family}/{setting}/{pack}-{block}.failures.tsv",
    "member_seconds": (
        "<results>/benchmarks/inflect/{study}/{family}/{setting}/{pack}-{block}.seconds.tsv"
    ),
    "predictions": "<results>/{study}/predictions/{system}/{setting}.parquet",
    "missing": "<results>/{study}/predictions/{system}/{setting}.missing.tsv",
    "failures": "<results>/{study}/failures.tsv",
}
