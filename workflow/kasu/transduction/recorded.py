"""Configurations of networks that authors have recorded, a row for each language and setting."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from kasu.base.errors import KasuError

C = TypeVar("C", bound=Hashable)


def configuration_of(
    cells: Mapping[tuple[str, str], C], language: str, setting: str, path: str
) -> C:
    """Return the configuration of a language; without one, the most frequent in its setting.

    Args:
        cells: configurations by language and setting; path: their file.

    Raises:
        KasuError: the setting has no configuration.
    """
    usual = Counter(found for (_, each), found in cells.items() if each == setting)
    if not usual:
        settings = dict.fromkeys(setting for _, setting in cells)
        raise KasuError(path, f"no setting {setting}", f"one of {', '.join(settings)}")
    return cells.get((language, setting), usual.most_common(1)[0][0])


def read_sizes(
    row: Mapping[str, str], counts: Iterable[str], where: str
) -> tuple[dict[str, int], float]:
    """Return the sizes in some columns of a row, and its dropout.

    Raises:
        KasuError: a value is no number or out of its range.
    """
    try:
        sizes = {name: int(row[name]) for name in counts}
        dropout = float(row["dropout"])
    except ValueError as error:
        raise KasuError(where, str(error), "sizes as numbers") from error
    for name, size in sizes.items():
        if size < 1:
            raise KasuError(where, f"{name} {size}", "1 or more")
    if not 0 <= dropout < 1:
        raise KasuError(where, f"dropout {dropout}", "0 or more, below 1")
    return sizes, dropout
