"""The dumps that a publisher has, as Wikimedia lists them.

In the address of a dump `{date}` stands for its date, in its folder and in its name. The folder
above these has one folder per date, each with a `dumpstatus.json` that says which files are whole.
"""

import json
import re

import requests

from kasu.sources.registry import DATE
from kasu.sources.web import GoneError, read_page


def offered_dates(session: requests.Session, address: str, wait: float = 1) -> list[str]:
    """Return the dates for which the publisher has the whole file at `address`, in order.

    Raises:
        KasuError: the publisher cannot be reached, or has no page that lists dates.
    """
    page = read_page(session, index_of(address), wait)
    listed = re.findall(rf'href="(?:[^"]*/)?({DATE})/"', page)
    return [date for date in sorted(set(listed)) if _is_whole(session, address, date, wait)]


def index_of(address: str) -> str:
    """Return the address of the page that lists the dates."""
    return address.partition("{date}")[0]


def _is_whole(session: requests.Session, address: str, date: str, wait: float) -> bool:
    """Return whether a job of the publisher that is done has written the file of this date."""
    name = address.rpartition("/")[2].replace("{date}", date)
    try:
        status = json.loads(read_page(session, f"{index_of(address)}{date}/dumpstatus.json", wait))
        jobs = status["jobs"].values()
        return any(job["status"] == "done" and name in job.get("files", ()) for job in jobs)
    except (GoneError, ValueError, KeyError, TypeError, AttributeError):
        return False  # no such file, or one of another form
