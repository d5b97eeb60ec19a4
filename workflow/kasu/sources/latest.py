"""Names such as `euwiki-latest`: the newest dump, asked of its publisher once and then pinned.

The pin is `<name>.lock` among the downloads. While it is there, the name stands for the dump that
it names, whatever the publisher adds or removes. Results carry the name of that dump.
"""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.files.locks import held
from kasu.files.regular import read_bytes
from kasu.files.tables import write_text
from kasu.sources.download import find_in_mirrors
from kasu.sources.dumps import index_of, offered_dates
from kasu.sources.mirrors import check_mirrors
from kasu.sources.registry import DATE, Source, fill
from kasu.sources.web import open_session

Ask = Callable[[Source], tuple[str, str]]
"""A function of a source with an open `{date}` that returns what `newest_date` does."""


def newest_date(
    source: Source, mirrors: Sequence[Path] = (), contact: str = "", wait: float = 1
) -> tuple[str, str]:
    """Find the newest date of a source with an open `{date}`, and where: "mirror" or an address.

    A mirror that holds a dump of any date is preferred to the net.

    Raises:
        KasuError: a mirror is no folder, there is no complete dump, or the publisher cannot be
            reached.
    """
    for mirror in mirrors:
        paths = (mirror / source.path).parent.glob("*")
        held = {date for path in paths for date in re.findall(rf"\b{DATE}\b", path.name)}
        for date in sorted(held, reverse=True):
            if find_in_mirrors(fill(source, {"date": date}), [mirror]):
                return date, "mirror"
    check_mirrors(mirrors)
    index = index_of(source.url)
    with open_session(contact) as session:
        dates = offered_dates(session, source.url, wait)
    if not dates:
        raise KasuError(index, "no complete dump", source.url.rpartition("/")[2])
    return dates[-1], index


def pinned_name(name: str, source: Source, downloads: Path, ask: Ask | None) -> str:
    """Return the name of the dump that a name such as `euwiki-latest` stands for.

    Args:
        source: the source that `name` stands for, with `{date}` open.
        ask: finds the date to pin if there is no pin; without it, `name` stays as it is.

    Raises:
        KasuError: the pin is damaged or no file; or as `ask`.
    """
    pin = downloads / f"{name}.lock"
    expected = f"the name of a dump under `pinned`; delete it to take the newest of {name}"
    content = read_bytes(pin, expected)
    if content is None:
        if ask is None:
            return name
        date, origin = ask(source)
        with held(pin):
            if pin.exists():  # of another run, which has asked meanwhile
                return pinned_name(name, source, downloads, ask)
            pinned = fill(source, {"date": date}).name
            facts = {"name": name, "pinned": pinned, "origin": origin}
            write_text(pin, json.dumps(facts, indent=1) + "\n")
        return pinned
    try:
        pinned = json.loads(content)["pinned"]
        if not re.fullmatch(source.name.replace("{date}", DATE), pinned):
            raise ValueError
    except (ValueError, KeyError, TypeError) as error:
        raise KasuError(pin, "not a pin", expected) from error
    return pinned
