"""Models of a hub as sources: fetched file by file, checked, landed whole.

An unfinished fetch stays in `<destination>.part`, and a later run continues it.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict
from urllib.parse import quote

from kasu.base.errors import KasuError
from kasu.files.seals import folder_hash
from kasu.files.tables import file_hash, write_text
from kasu.job.run import log
from kasu.lm.models.folders import TOKENIZER_FILES
from kasu.lm.models.identifiers import COMMIT, check_identifier
from kasu.sources.download import fetch, find_in_mirrors
from kasu.sources.mirrors import check_mirrors
from kasu.sources.registry import Source

# Files come through `kasu.sources.download`, like those of all sources: huggingface_hub (2.4)
# accepts wrong bytes of the right size, and gives up at the first HTTP 503.
HUB = "https://huggingface.co"
FOLDER = "models"  # below the downloads and in a mirror
# The files that make a model: config, tokenizer and what follows the network of a sentence encoder,
# and weights, the preferred format first
_NO_WEIGHTS = re.compile(
    rf"(config|special_tokens_map|added_tokens)\.json|{TOKENIZER_FILES}"
    r"|modules\.json|(sentence_bert_config|config_sentence_transformers)\.json"
    r"|\d+_\w+/(config\.json|model\.safetensors)"
)
_WEIGHTS = (
    re.compile(r"model(-\d+-of-\d+)?\.safetensors(\.index\.json)?"),
    re.compile(r"pytorch_model(-\d+-of-\d+)?\.bin(\.index\.json)?"),
)
_WITNESSES = ("unverified", "publisher", "registry")  # what verified a file, the weakest first


def model_path(model: str, revision: str) -> str:
    """Return where a model lies below the downloads and in a mirror.

    Raises:
        KasuError: malformed identifier or revision.
    """
    check_identifier(model, revision)
    return f"{FOLDER}/{model}/{revision}"


def fetch_model(
    model: str,
    revision: str,
    files: Mapping[str, str],
    destination: Path,
    mirrors: Sequence[Path],
    lock: Path,
    *,
    remote_code: bool = False,
    hub: str = HUB,
    wait: float = 1,
) -> None:
    """Fetch files of a model into the folder `destination`, all or none.

    A mirror is asked first, for `models/<model>/<revision>/<file>`. Otherwise the hub's list of the
    revision gives sizes, checksums and the current commit of a branch, from which all files come.

    Args:
        model: the hub's identifier, `owner/name`, or an old one without owner.
        revision: a commit (40 hex digits), or a branch or tag, which may move.
        files: file name to sha256, empty if unknown. Without any: the files of the hub's list that
            make a model, which are config.json, the tokenizer and weights of one format.
        lock: JSON with name, origin, revision (the commit, if known), `files` (bytes, sha256 and
            `verified` of each), and for the whole folder bytes, sha256 (`folder_hash`) and
            verified, the weakest of the files'.
        remote_code: also fetch the model's code (`*.py`) if `files` is empty.
        wait: see `kasu.sources.download.fetch`.

    Raises:
        KasuError: nothing can be reached, the revision lacks a file, or a file fails its check.
            Then nothing lands.
    """
    path = model_path(model, revision)
    part = destination.with_name(destination.name + ".part")
    part.mkdir(parents=True, exist_ok=True)
    listing = None
    if not files:
        check_mirrors(mirrors)
        try:
            listing = _list(model, revision, part, hub, wait)
        except KasuError as error:
            found = f"no list of its files ({error})"
            raise KasuError(f"model {model}", found, "the hub, or `files` in the config") from error
        files = dict.fromkeys(_choose(listing.files, remote_code), "")
    if "config.json" not in files:
        raise KasuError(f"model {model}", f"files {[*files]}", "config.json, weights, tokenizer")
    stored = all(find_in_mirrors(Source(model, f"{path}/{name}"), mirrors) for name in files)
    if not stored:
        check_mirrors(mirrors)
    if listing is None:
        listing = _Listing(revision, {}) if stored else _list(model, revision, part, hub, wait)
    facts: dict[str, _Facts] = {}
    for name, sha256 in files.items():
        url = "" if stored else f"{hub}/{model}/resolve/{listing.commit}/{quote(name)}"
        source = Source(f"{model}/{name}", f"{path}/{name}", url, sha256=sha256)
        facts[name] = _fetch_file(source, listing.get(name, url), part / name, mirrors, wait)
    _clear(part, files)
    shutil.rmtree(destination, ignore_errors=True)
    part.replace(destination)
    summary = {
        "name": f"{model}@{revision}",
        "origin": "mirror" if stored else f"{hub}/{model}",
        "revision": listing.commit if COMMIT.fullmatch(listing.commit) else "",
        "bytes": sum(each["bytes"] for each in facts.values()),
        "sha256": folder_hash(destination),
        "verified": min((each["verified"] for each in facts.values()), key=_WITNESSES.index),
        "files": facts,
    }
    write_text(lock, json.dumps(summary, indent=1) + "\n")


def _choose(listed: Iterable[str], remote_code: bool) -> list[str]:
    """Choose the files that make a model from those of a revision; none if it has no weights."""
    names = sorted(listed)
    formats = ([name for name in names if kind.fullmatch(name)] for kind in _WEIGHTS)
    weights: list[str] = next(filter(None, formats), [])
    others = [
        name
        for name in names
        if _NO_WEIGHTS.fullmatch(name) or (remote_code and name.endswith(".py"))
    ]
    return others + weights if weights else []


def _clear(folder: Path, files: Mapping[str, str]) -> None:
    """Delete files not in `files`: locks, and what an earlier run was asked for."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
        elif path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink()


class _Facts(TypedDict):
    """What the lock records of a file."""

    bytes: int
    sha256: str
    verified: str


@dataclass(frozen=True)
class _Published:
    """The hub's facts about a file: its size, and the checksum of its bytes or its git object."""

    bytes: int | None = None
    sha256: str = ""
    git: str = ""


@dataclass(frozen=True)
class _Listing:
    """The files of a revision."""

    commit: str
    files: Mapping[str, _Published]

    def get(self, name: str, url: str) -> _Published:
        if self.files and name not in self.files:
            raise KasuError(url, "no such file in this revision", ", ".join(sorted(self.files)))
        return self.files.get(name, _Published())


def _list(model: str, revision: str, part: Path, hub: str, wait: float) -> _Listing:
    """Ask the hub for the files of a revision."""
    url = f"{hub}/api/models/{model}/revision/{revision}?blobs=true"
    answer, lock = part / ".listing.json", part / ".listing.lock"
    fetch(Source(f"{model}/files", f"{FOLDER}/{model}.json", url), answer, [], lock, wait)
    try:
        said = json.loads(answer.read_bytes())
        files = {}
        for each in said["siblings"]:
            large = each.get("lfs") or {}
            git = "" if large else each.get("blobId") or ""
            files[each["rfilename"]] = _Published(each.get("size"), large.get("sha256") or "", git)
        commit = revision if COMMIT.fullmatch(revision) else said["sha"]
        if said["sha"] != commit or not COMMIT.fullmatch(commit) or not files:
            raise ValueError(f"commit {said['sha']}, {len(files)} files")
        return _Listing(said["sha"], files)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise KasuError(url, f"not a list of files ({error})", "the hub's") from error


def _fetch_file(
    source: Source, published: _Published, file: Path, mirrors: Sequence[Path], wait: float
) -> _Facts:
    """Fetch a file unless an earlier run has; return its bytes, sha256 and what verified it."""
    witness = "registry" if source.sha256 else "publisher"
    expected = source.sha256 or published.sha256
    source = Source(source.name, source.path, source.url, published.bytes, expected)
    lock = file.with_name(f".{file.name}.lock")
    if expected and file.is_file() and file_hash(file) == expected:
        log.info("%s: fetched by an earlier run", source.name)
    else:
        fetch(source, file, mirrors, lock, wait)
    size = file.stat().st_size
    if published.git and (found := _git_object(file)) != published.git:
        file.unlink()
        raise KasuError(source.url, f"git object {found}", f"{published.git} (publisher)")
    return {
        "bytes": size,
        "sha256": file_hash(file),
        "verified": witness if expected or published.git else "unverified",
    }


def _git_object(file: Path) -> str:
    """Return the name that git gives a file of these bytes."""
    content = file.read_bytes()
    header = f"blob {len(content)}\0".encode()
    return hashlib.sha1(header + content, usedforsecurity=False).hexdigest()
