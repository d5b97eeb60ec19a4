"""Score, audit and export minimal pairs and sets."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kasu.config.annotations import checked, listed

if TYPE_CHECKING:
    import pandas as pd

    from kasu.config.settings import Size, Threads


@checked
def score(
    model: str | Path,
    items: "str | Path | pd.DataFrame",
    *,
    definition: str | Sequence[str] | None = None,
    columns: str | Sequence[str] | None = None,
    device: str = "auto",
    dtype: str = "float32",
    threads: "Threads | None" = None,
    tokens_per_batch: "Size | None" = None,
    too_long: str = "error",
    untrained: bool = False,
    remote_code: str | None = None,
    out: str | Path | None = None,
) -> "pd.DataFrame":
    """Score minimal pairs or sets with a language model, as `kasu score` does.

    The logger `kasu` warns of items that are not judged, ties and unknown tokens.

    Args:
        model: the folder of a model.
        items: a file, or a frame with its columns.
        definition: how to score; by default as the command.
        columns: only these sentences or forms.
        threads: by default all processors.
        out: a parquet file for the scores; with it, a run that was cut off goes on where it
            stopped.

    Returns:
        One row per definition, item and column (`kasu.lm.scoring.score.SCORES`); `attrs` has the
        counts of the items left out (`drops`) and, by definition, of those with equal scores
        (`ties`) and with tokens for text that the tokenizer does not know (`unknown`).

    Raises:
        KasuError: the model cannot be loaded, or an item cannot be read or scored.
    """
    from kasu.files.frames import as_file
    from kasu.files.tables import read_tsv
    from kasu.job.run import cpu_count, log
    from kasu.lm.scoring.accuracy import accuracies, remarks
    from kasu.lm.scoring.jobs import TOKENS_PER_BATCH, plan_job
    from kasu.neural.device import as_it_was

    with as_it_was(), as_file(items, "items") as file, TemporaryDirectory() as folder:
        # Not as defaults, whose modules take time to import
        if threads is None:
            threads = cpu_count()
        if tokens_per_batch is None:
            tokens_per_batch = TOKENS_PER_BATCH
        job = plan_job(
            Path(model), file, Path(out or Path(folder, "scores.parquet")), listed(definition),
            columns=listed(columns), device=device, dtype=dtype, threads=threads,
            tokens_per_batch=tokens_per_batch, too_long=too_long,
            untrained=untrained, remote_code=remote_code,
        )  # fmt: skip
        job.check()
        scores = job.run()
        found = [row for row in accuracies(file, scores, cluster="") if row.group is None]
        for line in remarks(found):
            log.warning(line)
        frame: pd.DataFrame = scores.to_pandas()
        frame.attrs["drops"] = {row["reason"]: int(row["count"]) for row in read_tsv(job.drops)}
        for what in ("ties", "unknown"):
            counts = {row.definition: getattr(row, what) for row in found}
            frame.attrs[what] = {name: count for name, count in counts.items() if count}
    return frame


@checked
def audit(
    items: "str | Path | pd.DataFrame",
    *,
    by: str | None = None,
    cluster: str | None = None,
    text: str | Path | None = None,
    train: "str | Path | pd.DataFrame | None" = None,
    tokenizer: str | Path | None = None,
    scores: "str | Path | pd.DataFrame | Sequence[str | Path | pd.DataFrame]"
    " | Mapping[str, str | Path | pd.DataFrame] | None" = None,
) -> "pd.DataFrame":
    """Say what a benchmark's form gives away and which nulls solve it, as `kasu audit` does.

    Args:
        items: a file of pairs, sets or choices, or a frame with its columns.
        by: the column of phenomena; by default as the command, and `""` for none.
        cluster: the column of what items share, likewise.
        text: a corpus, in which items may stand.
        train: training items of the same form.
        tokenizer: the folder of a model or a tokenizer.json.
        scores: what `score` returned or `kasu score` wrote, of one model or several; a dict
            names the models.

    Returns:
        The rows of audit.tsv, one for each finding.

    Raises:
        KasuError: an input cannot be read, or does not fit the items.
    """
    import pandas as pd

    from kasu.audits.audit import Beside, audit_benchmark
    from kasu.audits.data.items import read_benchmark
    from kasu.audits.output import TABLE, to_row
    from kasu.files.frames import as_file

    names = list(scores) if isinstance(scores, Mapping) else ()
    of_models = [*(scores.values() if isinstance(scores, Mapping) else listed(scores))]
    called = [f"scores[{name!r}]" for name in names] or [
        f"scores_{number}" for number, _ in enumerate(of_models, 1)
    ]
    with ExitStack() as stack:
        file = stack.enter_context(as_file(items, "items"))
        beside = Beside(
            text=None if text is None else Path(text),
            training=None if train is None else stack.enter_context(as_file(train, "train")),
            tokenizer=None if tokenizer is None else Path(tokenizer),
            scores=[
                stack.enter_context(as_file(each, name))
                for name, each in zip(called, of_models, strict=True)
            ],
            names=names,
            scratch=Path(stack.enter_context(TemporaryDirectory()), "text"),
        )
        found = audit_benchmark(read_benchmark(file, by, cluster), beside)
    return pd.DataFrame(list(map(to_row, found.findings)), columns=list(TABLE))


@checked
def export(
    dataset: "str | Path | pd.DataFrame",
    to: str,
    out: str | Path,
    *,
    by: str | None = None,
    licence: str | None = None,
    attribution: str | None = None,
    language: str | None = None,
) -> Path:
    """Write a dataset in the form that another program reads, as `kasu export` does.

    Args:
        dataset: a folder with a card of Kasu, a file of items, or a frame with its columns.
        to: `hub`, `croissant`, `lm-eval`, `blimp` or `multiblimp`.
        out: a new folder.
        by: the column of phenomena.
        licence, attribution, language: of items without a card; by default the attribution is the
            name of the file, or of a frame that of `out`.

    Returns:
        The folder.

    Raises:
        KasuError: the dataset cannot be read or exported, or the folder is not empty.
    """
    from kasu.exports.dataset import Stated
    from kasu.exports.export import export_dataset
    from kasu.files.frames import as_file

    name = None if isinstance(dataset, str | Path) else Path(out).resolve().name
    with as_file(dataset, "items") as path:
        return export_dataset(path, to, out, by, Stated(licence, attribution, language, name))
