"""Export a dataset in a form that another program reads."""

from collections.abc import Callable
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.paths import expect_empty, expect_no_input
from kasu.exports.croissant import write_croissant
from kasu.exports.dataset import Dataset, Stated, read_dataset
from kasu.exports.harness import write_harness
from kasu.exports.hub import write_hub
from kasu.exports.pairs import write_blimp, write_multiblimp
from kasu.files.locks import held
from kasu.files.parts import landing_folder
from kasu.job.run import log

OF_DATASETS: dict[str, Callable[[Path, Dataset], None]] = {
    "hub": write_hub,
    "croissant": write_croissant,
}
OF_ITEMS: dict[str, Callable[[Path, Dataset, str | None], None]] = {
    "blimp": write_blimp,
    "multiblimp": write_multiblimp,
    "lm-eval": write_harness,
}
"""The forms of pairs, sets and choices, by phenomenon."""
FORMS = (*OF_ITEMS, *OF_DATASETS)


def export_dataset(
    path: str | Path,
    form: str,
    out: str | Path | None = None,
    by: str | None = None,
    stated: Stated | None = None,
) -> Path:
    """Write an export to a new folder, and return that.

    Args:
        form: one of FORMS.
        out: by default `<dataset>.<form>` in the working directory.
        by: the column of phenomena of OF_ITEMS.

    Raises:
        KasuError: an unknown form, `by` with one of OF_DATASETS, or as `read_dataset`; the dataset
            has nothing for the form; or the folder is not empty, or an input.
    """
    if form not in FORMS:
        raise KasuError("--to", repr(form), f"one of {', '.join(FORMS)}")
    if form in OF_DATASETS and by is not None:
        raise KasuError("--by", f"with --to {form}", f"one of {', '.join(OF_ITEMS)}")
    dataset = read_dataset(path, stated or Stated())
    out = Path(out or f"{dataset.name}.{form}")
    expect_no_input(out, dataset.path, emptied=True)
    with held(out):
        expect_empty(out)
        with landing_folder(out.absolute()) as part:
            if form in OF_ITEMS:
                OF_ITEMS[form](part, dataset, by)
            else:
                OF_DATASETS[form](part, dataset)
    rows = ", ".join(f"{split} {table.num_rows}" for split, table in dataset.tables.items())
    log.info("%s: %s", dataset.licence, rows)
    return out
