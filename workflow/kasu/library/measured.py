"""What is on record of the papers' figures."""

from typing import TYPE_CHECKING

from kasu.config.annotations import checked

if TYPE_CHECKING:
    import pandas as pd


@checked
def record(
    paper: str | None = None, table: str | None = None, system: str | None = None
) -> "pd.DataFrame":
    """Return what is on record of the papers' figures, as `kasu record` prints it.

    Args:
        paper: only of this paper or study.
        table: each figure of this table.
        system: each figure of this system.

    Raises:
        KasuError: there is no record of that paper, table or system.
    """
    import pandas as pd

    from kasu.records.lines import TALLY, look_up

    header, lines, _ = look_up(paper, table, system)
    frame = pd.DataFrame([line.cells for line in lines], columns=list(header))
    return frame.astype(dict.fromkeys(("printed", "on_record"), int)) if header == TALLY else frame
