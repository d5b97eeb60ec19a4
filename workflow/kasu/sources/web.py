"""Requests to web servers: Kasu names itself, and tries again where that may help."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

import requests
import urllib3
from requests.auth import AuthBase

from kasu.base.errors import KasuError
from kasu.base.package import kasu_version
from kasu.job.run import log

TRIES = 6
LONGEST_WAIT = 120.0  # seconds
TIMEOUT = (20, 60)  # seconds, to connect and between two pieces
DEADLINE = 180.0  # seconds until the header has come, redirects included
LONGEST_PAGE = 16_000_000  # bytes
PATIENCE = 60.0  # seconds in which an answer must bring LEAST bytes
LEAST = 60_000
PIECE = 1 << 20  # bytes

T = TypeVar("T")


class TryAgainError(Exception):
    """A failure that may be temporary; `wait` is the pause that the server asks for, in seconds."""

    def __init__(self, found: str, wait: float = 0) -> None:
        super().__init__(found)
        self.wait = wait


class GoneError(KasuError):
    """The error of an address at which the server has nothing."""


class _NoAuth(AuthBase):
    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        return request


class _Session(requests.Session):
    def rebuild_auth(self, *_: object) -> None:
        """Do nothing: after a redirect, requests would look into ~/.netrc again."""


def open_session(contact: str = "") -> requests.Session:
    """Open a session that tells servers the tool, its version and a contact, if there is one."""
    session = _Session()
    # Without it requests sends what ~/.netrc holds for a host, and again to where it redirects
    session.auth = _NoAuth()
    session.headers["User-Agent"] = f"kasu/{kasu_version()}" + (f" ({contact})" if contact else "")
    # Ranges and lengths must refer to the file, not to a compressed form of it
    session.headers["Accept-Encoding"] = "identity"
    return session


def get(
    session: requests.Session, url: str, headers: dict[str, str] | None = None
) -> requests.Response:
    """Ask for an address; the body has not been read yet.

    Raises:
        KasuError: it leads to a malformed address.
        TryAgainError: the header has not come by DEADLINE.
        requests.RequestException: as in requests.
    """
    answer: Future[requests.Response] = Future()

    def ask() -> None:
        try:
            answer.set_result(session.get(url, headers=headers, stream=True, timeout=TIMEOUT))
        except Exception as error:
            answer.set_exception(error)

    # In a thread, which may be left behind: TIMEOUT begins again with every byte of the header
    Thread(target=ask, daemon=True).start()
    try:
        return answer.result(DEADLINE)
    except TimeoutError as error:
        raise TryAgainError(f"no whole header in {DEADLINE:g} s") from error
    except requests.exceptions.InvalidSchema:
        raise
    except (ValueError, urllib3.exceptions.LocationValueError) as error:
        raise KasuError(url, f"leads to a malformed address ({error})") from error


def steady_pieces(response: requests.Response) -> Iterator[bytes]:
    """Yield the body as it comes, not decompressed.

    Raises:
        TryAgainError: fewer than LEAST bytes came in PATIENCE seconds.
    """
    since, received = time.monotonic(), 0
    # Not `stream`, which waits until a piece is full
    while piece := response.raw.read1(PIECE, decode_content=False):
        yield piece
        received += len(piece)
        if (waited := time.monotonic() - since) >= PATIENCE:
            if received < LEAST:
                raise TryAgainError(f"sent {received} bytes in {waited:.0f} s")
            since, received = time.monotonic(), 0


def check_status(response: requests.Response) -> None:
    """Reject an answer that is an error.

    Raises:
        TryAgainError: the server is busy or broken.
        GoneError: there is nothing at the address.
        KasuError: any other error.
    """
    status = f"HTTP {response.status_code} {response.reason}"
    if response.status_code in (408, 425, 429) or response.status_code >= 500:
        raise TryAgainError(status, urllib3.Retry().get_retry_after(response.raw) or 0)
    if response.status_code in (404, 410):
        raise GoneError(response.url, status, "the file")
    if response.status_code not in (200, 206):
        raise KasuError(response.url, status, "the file")


def read_page(session: requests.Session, url: str, wait: float = 1) -> str:
    """Return the text at an address.

    Raises:
        GoneError: there is none.
        KasuError: the server cannot be reached, or answers with an error.
    """

    def read() -> str:
        with get(session, url) as response:
            check_status(response)
            page = b""
            for piece in steady_pieces(response):
                page += piece
                if len(page) > LONGEST_PAGE:
                    raise KasuError(url, f"more than {LONGEST_PAGE} bytes", "a page")
            return page.decode("utf-8", "replace")

    return persist(read, url, wait)


def persist(action: Callable[[], T], url: str, wait: float, expected: str = "an answer") -> T:
    """Run `action` until it succeeds, at most TRIES times.

    Between two tries it waits `wait` seconds, doubled each time, or as long as the server asks.
    """
    for attempt in range(TRIES):
        try:
            return action()
        except (
            TryAgainError,
            requests.ConnectionError,
            requests.Timeout,
            urllib3.exceptions.HTTPError,
        ) as error:
            cause = error.args[0] if error.args else error
            reason = str(getattr(cause, "reason", cause))
            pause = min(max(wait * 2**attempt, getattr(error, "wait", 0)), LONGEST_WAIT)
        except requests.RequestException as error:  # unknown scheme, too many redirects
            raise KasuError(url, str(error)) from error
        if attempt + 1 < TRIES:
            log.warning("%s: %s; trying again in %g s", url, reason, pause)
            time.sleep(pause)
    raise KasuError(url, f"{reason} ({TRIES} tries)", expected)
