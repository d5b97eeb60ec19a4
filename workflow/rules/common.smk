"""What all rule files share: the checked config, where sources lie, the hash of the code."""

import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

# For this process and the scripts of its jobs, whose environment need not have Kasu installed;
# Snakemake would hide PYTHONPATH from conda's environments
LIBRARY = str(Path(workflow.basedir) / "workflow")
if LIBRARY not in os.environ.get("PYTHONPATH", "").split(os.pathsep):
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, [LIBRARY, os.environ.get("PYTHONPATH")])
    )
workflow.deployment_settings.conda_not_block_search_path_envvars = True
if LIBRARY not in sys.path:
    sys.path.insert(0, LIBRARY)

try:
    from kasu.base.cards import LOCAL, admits
    from kasu.base.code import Code
    from kasu.base.download import is_held
    from kasu.base.errors import KasuError
    from kasu.base.locks import hold_lock
    from kasu.base.settings import read_settings
    from kasu.base.sources import each_once, mirror_folders, read_registry, resolve
    from kasu.base.tables import file_hash
    from kasu.settings import Settings
except ImportError as error:
    raise WorkflowError(
        f"Kasu's packages are not installed in this Python ({error}); run: make setup"
    )


# Reads each module once, however many rules ask
CODE = Code()


def is_dry_run():
    """Whether the command line asks for a plan; Snakemake itself knows later, behind its locks."""
    return any(re.fullmatch(r"-\w*n\w*|--dry-?run", word) for word in sys.argv[1:])


def code(script, *named):
    """The hash of the modules that a script imports; Snakemake itself sees only the script."""
    return CODE.hash(
        Path(workflow.basedir) / "workflow" / "scripts" / f"{script}.py", *named
    )


def file_digest(path):
    """The content of a file that a package manager owns, or that it is missing."""
    return file_hash(path) if Path(path).is_file() else "missing"


def allowed(entry):
    """Whether the config's `licences` let a source in. Local files are the user's own."""
    return entry.source is None or admits(config["licences"], entry.source.licence)


def licence_of(entry):
    """What a dataset card says of a source."""
    if entry.source is None:
        return {"name": str(entry.file), "licence": LOCAL, "citation": ""}
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


def named(section):
    """The entries of a list of the config by name."""
    return each_once(
        (f"config {section}, entry {number}", entry["name"], entry)
        for number, entry in enumerate(config[section], start=1)
    )


if workflow.is_main_process and not is_dry_run():
    LOCK = hold_lock(".snakemake")

try:
    SETTINGS = read_settings(config, Settings)
    # Rules read `config`: with defaults
    config.update(SETTINGS.dump())
    RESULTS = config["results"]
    DOWNLOADS = Path("resources/downloads")
    REGISTRY = read_registry(Path(workflow.basedir) / "config" / "sources.tsv")
    admits(config["licences"], "")
    CORPORA = named("corpora")
    ANALYSERS = named("analysers")
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
    REFUSED = {
        name: [entry for _, _, entry in sources if not allowed(entry)]
        for name, sources in SOURCES.items()
    }
    SOURCES = {
        name: [source for source in sources if allowed(source[2])]
        for name, sources in SOURCES.items()
    }
    WIKIS = each_once(
        (
            f"config corpora {name}: {entry.file}",
            entry.slug,
            (entry, CORPORA[name]["language"]),
        )
        for name, sources in SOURCES.items()
        for kind, _, entry in sources
        if kind == "wikis"
    )
    TEXTS = each_once(
        (
            f"config corpora {name}: {entry.file}",
            entry.slug,
            (
                entry,
                CORPORA[name]["language"],
                {key: text[key] for key in text if key != "source"},
            ),
        )
        for name, sources in SOURCES.items()
        for kind, text, entry in sources
        if kind == "texts"
    )
except KasuError as error:
    raise WorkflowError(str(error))

# What the report shows of each study; every study's rule file adds its own
STUDIES = []
# The figures that the papers print
PUBLISHED = sorted(map(str, Path("resources/published").glob("*.tsv")))


wildcard_constraints:
    corpus=one_of(CORPORA),
    wiki=one_of(WIKIS),
    text=one_of(TEXTS),
    condition=one_of(config["agreement"]["conditions"]),
