"""Inflect words in a notebook: `kasu inflect train` and `kasu inflect predict` as functions."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kasu.config.annotations import checked

if TYPE_CHECKING:
    import pandas as pd

    from kasu.config.settings import Size

__all__ = ["predict", "train"]


@checked
def train(
    system: str,
    paradigms: "str | Path | pd.DataFrame",
    folder: str | Path,
    *,
    dev: "str | Path | pd.DataFrame | None" = None,
    setting: str | None = None,
    variant: str | None = None,
    members: int = 1,
    settings: Mapping[str, Any] | None = None,
    device: str = "auto",
) -> Path:
    """Train a system on the paradigms of a language, as `kasu inflect train` does.

    Args:
        system: its name, as `iitbhu`.
        paradigms: a file of UniMorph, or a frame with `lemma`, `form` and `features`.
        folder: for the model; after a kill the same call goes on.
        dev: further paradigms, on which the best epoch is kept; by default a tenth is held out.
        setting: the paper's sizes, `low`, `medium` or `high`; by default the nearest.
        variant: by default the system's first.
        members: how many to train, which then vote.
        settings: of the system, as in the config's section of its name.

    Returns:
        The folder.

    Raises:
        KasuError: an argument is none that the system takes, a file cannot be read, or the folder
            holds a model.
    """
    from kasu.files.frames import as_file
    from kasu.inflection.training import train_system
    from kasu.neural.device import as_it_was

    columns = ("lemma", "form", "features")
    with as_it_was(), ExitStack() as stack:
        train_system(
            system,
            stack.enter_context(as_file(paradigms, "paradigms", columns)),
            Path(folder),
            dev=None if dev is None else stack.enter_context(as_file(dev, "dev", columns)),
            setting=setting,
            variant=variant,
            members=members,
            settings=settings,
            device=device,
        )
    return Path(folder)


@checked
def predict(
    folder: str | Path, items: "str | Path | pd.DataFrame", *, best: "Size" = 1
) -> "pd.DataFrame":
    """Inflect words with a trained system, as `kasu inflect predict` does.

    Args:
        folder: what `train` or `kasu inflect train` wrote.
        items: lines of lemma and features, or a frame with these columns; a form, if there is one,
            is the right one.
        best: the most forms of a word.

    Returns:
        One row per form: `lemma`, `form`, `features`, `rank`, `score`.

    Raises:
        KasuError: the model or the items cannot be read.
    """
    import pandas as pd

    from kasu.files.frames import as_file
    from kasu.inflection.evaluation.scorer import PREDICTED
    from kasu.inflection.predicting import inflect
    from kasu.neural.device import as_it_was

    with as_it_was(), as_file(items, "items", ("lemma", "form?", "features")) as file:
        found = inflect(Path(folder), file, best)
    rows = [
        (each.asked.lemma, form, each.asked.features, rank, score)
        for each in found
        for rank, (form, score) in enumerate(each.forms, 1)
    ]
    return pd.DataFrame(rows, columns=list(PREDICTED)).astype({"score": float})
