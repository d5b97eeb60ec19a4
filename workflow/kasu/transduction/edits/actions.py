"""Edit actions that turn a string into another: executors, and oracles that know the target.

An action is a string: the name of a special action, or the one symbol that it writes, INSERT(c) in
the papers. Actions are read from left to right, with a pointer at a symbol of the source, at first
the first one. Two systems differ in what moves the pointer:

- `consuming`: COPY and DELETE move it to the next symbol (Makarov & Clematide 2018 §4).
- `pointing`: only MOVE does, and COPY may repeat a symbol (Dumitrescu & Boroș 2018 §2). Sorokin
  (2018) has no COPY, and lets the pointer move to the end of the source.
- `patching`: likewise, and PATCH writes the symbol at the pointer with another mark (Schröder et
  al. 2018 §2). The pointer may move past the end of the source.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kasu.transduction import alphabet
from kasu.transduction.alignments.edit_distance import Columns, warp

if TYPE_CHECKING:
    from kasu.transduction.edits.glyphs import Patches

COPY, DELETE, MOVE, END = "COPY", "DELETE", "MOVE", "END"
PATCH = "PATCH "
"""What the name of an action begins with that applies a patch; the patch's number follows."""


class ActionAlphabet(alphabet.Alphabet):
    """The ids of symbols and of special actions, so that a symbol shares its id with its insertion.

    The action END has the id END.
    """

    def __init__(self, symbols: Iterable[str], special: Iterable[str]) -> None:
        super().__init__([*symbols, *special])
        self._ids[END] = alphabet.END


def consuming(source: Sequence[str], actions: Iterable[str]) -> str:
    """Return what actions write; COPY writes the symbol at the pointer and consumes it.

    Raises:
        IndexError: a COPY after the end of the source.
    """
    pointer = 0
    written: list[str] = []
    for action in actions:
        if action == END:
            break
        if action == COPY:
            written.append(source[pointer])
        if action in (COPY, DELETE):
            pointer += 1
        else:
            written.append(action)
    return "".join(written)


def pointing(source: Sequence[str], actions: Iterable[str]) -> str:
    """Return what actions write; the pointer stops at the last symbol of the source."""
    pointer = 0
    written: list[str] = []
    for action in actions:
        if action == END:
            break
        if action == MOVE:
            pointer = min(pointer + 1, len(source) - 1)
        else:
            # An empty source has nothing to copy
            written += source[pointer : pointer + 1] if action == COPY else [action]
    return "".join(written)


def patching(source: Sequence[str], actions: Iterable[str], patches: "Patches") -> str:
    """Return what actions write; a patch that does not apply writes nothing.

    Past the end of the source there is nothing to copy or to patch, and an insertion does not
    repeat the last symbol: so a network that does not end writes no endless word. Forms lose a
    symbol by it where they double one there.

    Source: Schröder et al. (2018) §6.
    """
    pointer = 0
    written: list[str] = []
    for action in actions:
        if action == END:
            break
        if action == MOVE:
            pointer = min(pointer + 1, len(source))
        elif pointer == len(source):
            if action != COPY and not action.startswith(PATCH) and written[-1:] != [action]:
                written.append(action)
        elif action == COPY:
            written.append(source[pointer])
        elif action.startswith(PATCH):
            patched = patches.apply(int(action.removeprefix(PATCH)), source[pointer])
            written += [] if patched is None else [patched]
        else:
            written.append(action)
    return "".join(written)


def patching_oracle(columns: Columns, patches: "Patches") -> list[str]:
    """Return the actions of an alignment, in which symbols are alike that a patch connects; END.

    Source: Schröder et al. (2018) Algorithm 1.
    """
    actions: list[str] = []
    for upper, lower in columns:
        if upper is not None and upper == lower:
            actions.append(COPY)
        elif upper is not None and lower is not None:
            patch = patches.between(upper, lower)
            actions.append(lower if patch is None else f"{PATCH}{patch}")
        elif lower is not None:
            actions.append(lower)
        if upper is not None:
            actions.append(MOVE)
    return [*actions, END]


def pointing_oracle(source: Sequence[str], target: Sequence[str]) -> list[str]:
    """Copy what `warp` aligns with an equal symbol, insert the rest of the target.

    Source: Dumitrescu & Boroș (2018) §2.
    """
    # A symbol that is aligned with several equal ones is copied from the first of them
    origins: dict[int, int] = {}
    for i, j in warp(source, target):
        if source[i] == target[j]:
            origins.setdefault(j, i)
    pointer = 0
    actions: list[str] = []
    for j, symbol in enumerate(target):
        if j in origins:
            actions += [MOVE] * (origins[j] - pointer)
            actions.append(COPY)
            pointer = origins[j]
        else:
            actions.append(symbol)
    return [*actions, END]


def moving_oracle(columns: Columns) -> list[str]:
    """Return what an alignment has for each symbol of the source, each followed by MOVE; then END.

    An insertion belongs to the symbol before it. If that one is deleted or there is none, it
    belongs to the next one, after the last to END.

    Source: Sorokin (2018) Figure 1; insertions after deletions as in the released code.
    """
    written: list[list[str]] = []  # for each symbol of the source
    waiting: list[str] = []  # insertions that belong to the next symbol
    deleted = True  # also before the first symbol
    for upper, lower in columns:
        symbols = [] if lower is None else [lower]
        if upper is not None:
            written.append([*waiting, *symbols])
            waiting, deleted = [], lower is None
        elif deleted:
            waiting += symbols
        else:
            written[-1] += symbols
    moved = (action for symbols in written for action in (*symbols, MOVE))
    return [*moved, *waiting, END]


def aligned_oracle(columns: Columns, *, grouped: bool = True) -> list[str]:
    """Return consuming actions for an alignment: copy equal symbols, delete and insert others.

    Args:
        grouped: between two copies, all deletions come before all insertions, as in the released
            code; otherwise each column deletes its symbol, then inserts its own.

    Source: Makarov et al. (2017) Algorithm 1.
    """
    actions: list[str] = []
    inserted: list[str] = []  # since the last copy
    for upper, lower in columns:
        if upper == lower:
            actions += [*inserted, COPY]
            inserted = []
            continue
        if upper is not None:
            actions.append(DELETE)
        if lower is not None:
            (inserted if grouped else actions).append(lower)
    return [*actions, *inserted, END]
