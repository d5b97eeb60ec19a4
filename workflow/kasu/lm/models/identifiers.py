"""Names of models on a hub: identifiers and revisions, which become folders here."""

import re

from kasu.base.errors import KasuError

COMMIT = re.compile("[0-9a-f]{40}")
_ID = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", re.ASCII)
_REVISION = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)


def check_identifier(model: str, revision: str) -> None:
    """Check that a model's identifier and revision cannot lead out of the folder they name.

    Raises:
        KasuError: malformed identifier or revision.
    """
    for name, pattern in ((model, _ID), (revision, _REVISION)):
        if not pattern.fullmatch(name) or ".." in name:
            raise KasuError(f"model {model!r}", repr(name), "`owner/name`, and a commit or a name")
