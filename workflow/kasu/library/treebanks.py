"""Ask treebanks, and build minimal sets from them."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from kasu.base.errors import KasuError
from kasu.config.annotations import Paths, checked, listed

if TYPE_CHECKING:
    import pandas as pd

    from kasu.config.settings import Size


@checked
def query(
    request: str | Path,
    treebanks: Paths,
    *,
    by: str | Sequence[str] | None = None,
    context: str | None = None,
    count: bool = False,
    sample: "Size | None" = None,
    seed: int = 1,
) -> "pd.DataFrame":
    """Find the matches of a Grew request in treebanks, as `kasu query` does.

    Args:
        request: a request, or a file with one.
        treebanks: a CoNLL-U file or several; also a treebank's parquet.
        by: count matches by these, as `S.Case`, `e.label` or `meta.speaker`.
        context: show this node between its neighbours.
        count: count sentences and matches of each treebank.
        sample: draw so many of the matches, by `seed`.

    Returns:
        One row per match: `sentence_id`, its number in the sentence, its nodes as `id:form`, the
        labels of its edges, the text; or what `by`, `context` or `count` asks for.

    Raises:
        KasuError: the request, a treebank or an argument is invalid.
    """
    import pandas as pd

    from kasu.queries.search import Search

    if not (files := listed(treebanks)):
        raise KasuError("treebanks", "none", "a CoNLL-U file or several")
    if sum((bool(by), context is not None, count)) > 1 or (count and sample is not None):
        raise KasuError("by, context, count", "several of them", "one; sample with by or context")
    search = Search(request, files, listed(by), sample, seed)
    if by:
        header, rows = search.groups()
    elif context is not None:
        header, rows = search.context(context)
    else:
        header, rows = search.counts() if count else search.matches()
    return pd.DataFrame(list(rows), columns=list(header))


@checked
def build_set(
    treebank: Paths,
    request: str | Path | None = None,
    *,
    language: str,
    target: str | None = None,
    feature: str | None = None,
    values: str | Sequence[str] | None = None,
    verb: str | None = None,
    sets: str | None = None,
    features: str | Sequence[str] | None = None,
    rules: str = "kasu",
    agrees: float | None = 0.9,
    per_condition: int | None = None,
    agreement: Mapping[str, str] | None = None,
    max_items: int | None = None,
    lexicon: Paths | None = None,
    paradigms: Paths | None = None,
    conventions: str | Path | None = None,
    matches: str | None = None,
    capitals: str | None = None,
    licence: str = "",
    name: str = "mine",
    seed: int = 1,
    out: str | Path | None = None,
) -> "pd.DataFrame":
    """Build a minimal set from a treebank, as the study `minimal_sets` does.

    With a request, a word changes its form: `target`, `feature` and `values` are required. With
    `sets="agreement"`, verbs agree with their subjects, and no request is needed. The arguments
    are the keys of the config's `minimal_sets`, which its reference explains.

    Args:
        treebank: a CoNLL-U file or several.
        request: a Grew request, or a file with one.
        language: of the treebank, by ISO 639.
        lexicon: further treebanks, which supply forms.
        paradigms: files of UniMorph.
        licence: of the treebanks, which the items and the card state.
        name: of the set, part of every item_id.
        out: a new folder for the dataset: items.parquet, its card, counts and drops.

    Returns:
        The items, one row each; `attrs` has the counts of each step and of what was left out
        (`counts`, `drops`).

    Raises:
        KasuError: an argument is wrong, in the words of the config; a file cannot be read or lacks
            what the set needs; or `out` is not empty.
    """
    from kasu.base.paths import expect_empty, expect_no_input
    from kasu.files.locks import held
    from kasu.files.parts import landing_folder
    from kasu.files.tables import read_parquet, read_tsv
    from kasu.library.alone import build_alone

    read = [*listed(treebank), *listed(lexicon), *listed(paradigms)]
    with ExitStack() as stack:
        if out is None:
            folder = Path(stack.enter_context(TemporaryDirectory()))
        else:
            expect_no_input(out, *read, emptied=True)
            stack.enter_context(held(out))
            expect_empty(out)
            folder = stack.enter_context(landing_folder(Path(out).absolute()))
        build_alone(
            folder,
            name,
            listed(treebank),
            request,
            lexicon=listed(lexicon),
            language=language,
            licence=licence,
            study=stated(
                rules=[rules],
                matches=matches,
                capitals=capitals,
                conventions=conventions and str(conventions),
            ),
            collection=stated(
                feature=feature,
                values=listed(values),
                features=listed(features),
                sets=sets,
                per_condition=per_condition,
                agreement=agreement,
                max_items=max_items,
                paradigms=list(map(str, listed(paradigms))) or None,
            )
            | {"agrees": agrees},
            of_set=stated(target=target, verb=verb),
            seed=seed,
        )
        frame: pd.DataFrame = read_parquet(folder / "items.parquet").to_pandas()
        for kind in ("counts", "drops"):
            found = map(dict.values, read_tsv(folder / f"{kind}.tsv"))
            frame.attrs[kind] = {what: int(number) for what, number in found}
    return frame


def stated(**keys: Any) -> dict[str, Any]:
    """Return the keys of a config that have a value."""
    return {key: value for key, value in keys.items() if value not in (None, [])}
