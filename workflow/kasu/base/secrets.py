"""Keep passwords and tokens in addresses out of what others read: lines, names, files, pages."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

_USER = re.compile(r"(?<=://)[^\s/?#'\"]*@")
# A query of parameters, without the mark that a sentence puts after it
_QUERY = re.compile(r"\?[\w.%-]+=(?:[^\s'\"<>]*[^\s'\"<>:;,])?")


def redact(text: str) -> str:
    """Return a text without the users, passwords and queries of its addresses."""
    return _QUERY.sub("?…", _USER.sub("…@", text))


def redact_values(values: Any) -> Any:
    """Return the same for all texts in maps and lists, keys included."""
    if isinstance(values, str):
        return redact(values)
    if isinstance(values, Mapping):
        return {redact_values(key): redact_values(value) for key, value in values.items()}
    if isinstance(values, list | tuple):
        return [redact_values(value) for value in values]
    return values


def public_name(url: str) -> str:
    """Return an address that tells apart queries by a digest, without showing them."""
    address, mark, query = url.partition("?")
    if not mark:
        return url
    return f"{address}?sha256={hashlib.sha256(query.encode()).hexdigest()[:8]}"
