"""One set from files alone, for use outside the workflow."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.corpora.plan import Treebanks
from kasu.files.regular import expect_regular
from kasu.minimal_sets.data.design import Design
from kasu.minimal_sets.data.sets import build_set
from kasu.minimal_sets.inventory import Sets
from kasu.minimal_sets.material import BuiltSet, PairSet
from kasu.minimal_sets.pairs.build import build_pairs
from kasu.minimal_sets.pairs.design import PairDesign
from kasu.minimal_sets.pairs.sentences import licences_of_rows
from kasu.minimal_sets.settings import AGREEMENT, MinimalSetsSettings
from kasu.settings import Settings
from kasu.sources.cards import strictest
from kasu.sources.registry import slug_of
from kasu.sources.workspace import Workspace


def build_alone(
    folder: Path,
    name: str,
    treebank: Sequence[str | Path],
    request: str | Path | None = None,
    *,
    lexicon: Sequence[str | Path] = (),
    language: str,
    licence: str = "",
    study: Mapping[str, Any],
    collection: Mapping[str, Any],
    of_set: Mapping[str, Any],
    seed: int = 1,
) -> None:
    """Write what the workflow writes to `datasets/<set>` for the same config.

    Args:
        name: of the treebank and of the set; pairs of agreement add whose rules they follow.
        treebank, lexicon: CoNLL-U files, those of a config's treebanks.
        request: of a set with a request, its text or a file.
        licence: of all files.
        study, collection, of_set: keys of the config's `minimal_sets`, of an entry of its
            `collections`, and of one of that entry's `sets`.

    Raises:
        KasuError: neither a request nor sets, or both; a key is wrong, as in a config; a file
            cannot be read; or as `kasu.minimal_sets.data.sets.build_set` and
            `kasu.minimal_sets.pairs.build.build_pairs`.
    """
    if (request is None) == ("sets" not in collection):
        found = "neither" if request is None else "both"
        raise KasuError("request, sets", found, f"a request, or sets={AGREEMENT!r}")
    if request is None and of_set:
        raise KasuError(next(iter(of_set)), "without a request", "both")
    for file in (*treebank, *lexicon):
        expect_regular(file, "a CoNLL-U file")
    files = {name: treebank}
    if lexicon:
        files[f"{name}-lexicon"] = lexicon
    entry = {**collection, "treebank": name, "lexicon": [*files][1:]}
    if request is not None:
        # A config names a file; this may be the text of a request, and is handed on below
        entry["sets"] = [{**of_set, "name": name, "request": "request"}]
    config = {
        "results": "results",
        "treebanks": [
            {"name": each, "language": language, "licence": licence, "files": list(map(str, of))}
            for each, of in files.items()
        ],
        "minimal_sets": {**study, "collections": [entry]},
    }
    settings = read_settings(config, Settings)
    treebanks = Treebanks(settings.treebanks, Workspace(".", {}, Path()))
    for file in treebank:
        treebanks.file(slug_of(file))  # an error if two files have one name, and items one id
    sets = Sets(settings.minimal_sets or MinimalSetsSettings(), seed, treebanks)
    for built in sets.built.values():
        _build_set(folder, built, treebank, request or "", lexicon)
    for pairs in sets.pairs.values():
        _build_pairs(folder, pairs, treebank)


def _build_set(
    folder: Path,
    built: BuiltSet,
    treebank: Sequence[str | Path],
    request: str | Path,
    lexicon: Sequence[str | Path],
) -> None:
    sources: Sequence[Any] = built.described
    build_set(
        treebank,
        request,
        folder,
        design=Design(**built.design, licence=strictest([each["licence"] for each in sources])),
        language=built.language,
        sources=sources,
        lexicon=lexicon,
        unimorph=built.paradigm_files,
        conventions=next(iter(built.conventions), None),
    )


def _build_pairs(folder: Path, pairs: PairSet, treebank: Sequence[str | Path]) -> None:
    sources: Sequence[Any] = pairs.described
    build_pairs(
        treebank,
        dict(zip(pairs.request_kinds, pairs.request_files, strict=True)),
        folder,
        design=PairDesign(**pairs.design),
        sources=sources,
        licences=licences_of_rows(treebank, pairs.licences, pairs.form_licences),
        unimorph=pairs.paradigm_files,
        conventions=next(iter(pairs.conventions), None),
    )
