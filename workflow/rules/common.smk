"""What all rule files share: the checked config, where sources lie, the hash of the code."""

import fcntl
from pathlib import Path

from snakemake.exceptions import WorkflowError

try:
    from kasu.base.code import code_hash
    from kasu.base.config import check_config
    from kasu.base.download import is_held
    from kasu.base.errors import KasuError
    from kasu.base.sources import mirror_folders, read_registry, resolve
    from kasu.base.tables import file_hash
except ImportError as error:
    raise WorkflowError(
        f"Kasu is not installed in this Python ({error}); run: make setup"
    )


def clear_stale_locks():
    """Remove the locks of a Snakemake that was killed; one that lives holds the lock file."""
    folder = Path(".snakemake")
    folder.mkdir(exist_ok=True)
    held = (folder / "kasu.lock").open("w")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return None
    for lock in (folder / "locks").glob("*.lock"):
        lock.unlink(missing_ok=True)
    return held


def code(script, *named):
    """The hash of the modules that a script imports; Snakemake itself sees only the script."""
    return code_hash(
        Path(workflow.basedir) / "workflow" / "scripts" / f"{script}.py", *named
    )


def file_digest(path):
    """The content of a file that a package manager owns, or that it is missing."""
    return file_hash(path) if Path(path).is_file() else "missing"


def allowed(entry):
    """Whether the config's `licences` let a source in. Local files are the user's own."""
    names = [name.casefold() for name in config.get("licences", [])]
    return (
        not names
        or entry.source is None
        or any(name in entry.source.licence.casefold() for name in names)
    )


def licence_of(entry):
    """What a dataset card says of a source."""
    if entry.source is None:
        return {"name": str(entry.file), "licence": "local file", "citation": ""}
    return {
        "name": entry.source.name,
        "licence": entry.source.licence or "not stated",
        "citation": entry.source.citation,
    }


def resolve_first(texts):
    """The first source that mirrors or downloads hold, else the first."""
    entries = [resolve(text, REGISTRY, DOWNLOADS) for text in texts]
    mirrors = mirror_folders(config)
    held = (entry for entry in entries if is_held(entry, mirrors))
    return next(held, entries[0])


def one_of(names):
    """A wildcard's constraint: one of these words."""
    return "|".join(map(re.escape, names)) or "(?!)"


if workflow.is_main_process:
    LOCK = clear_stale_locks()

try:
    check_config(config, workflow.source_path("../schemas/config.schema.yaml"))
    RESULTS = config["results"]
    DOWNLOADS = Path("resources/downloads")
    REGISTRY = read_registry(Path(workflow.basedir) / "config" / "sources.tsv")
    CORPORA = {corpus["name"]: corpus for corpus in config["corpora"]}
    ANALYSERS = {analyser["name"]: analyser for analyser in config["analysers"]}
    # For each corpus its sources as (kind, how the config names it, entry), licences permitting
    SOURCES = {
        name: [
            (
                kind,
                text,
                resolve(
                    text if kind == "wikis" else text["source"], REGISTRY, DOWNLOADS
                ),
            )
            for kind in ("wikis", "texts")
            for text in corpus.get(kind, [])
        ]
        for name, corpus in CORPORA.items()
    }
except KasuError as error:
    raise WorkflowError(str(error))

# What the report shows of each study; every study's rule file adds its own
STUDIES = []
# The figures that the papers print
PUBLISHED = sorted(map(str, Path("resources/published").glob("*.tsv")))
REFUSED = {
    name: [entry for _, _, entry in sources if not allowed(entry)]
    for name, sources in SOURCES.items()
}
SOURCES = {
    name: [source for source in sources if allowed(source[2])]
    for name, sources in SOURCES.items()
}
WIKIS = {
    entry.slug: (entry, CORPORA[name]["language"])
    for name, sources in SOURCES.items()
    for kind, _, entry in sources
    if kind == "wikis"
}
TEXTS = {
    entry.slug: (entry, CORPORA[name]["language"], text)
    for name, sources in SOURCES.items()
    for kind, text, entry in sources
    if kind == "texts"
}


wildcard_constraints:
    corpus=one_of(CORPORA),
    wiki=one_of(WIKIS),
    text=one_of(TEXTS),
    condition=one_of(config["agreement"]["conditions"]),
