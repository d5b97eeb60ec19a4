"""Write a set of agreement pairs from treebanks, by either rules."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.files.tables import (
    ParquetWriter,
    landing,
    list_drops,
    write_counts,
    write_drops,
    write_tsv,
)
from kasu.job.run import log
from kasu.minimal_sets.data.columns import citation
from kasu.minimal_sets.pairs.columns import AGREEMENT, MEANINGS, POOL, SCHEMA
from kasu.minimal_sets.pairs.design import KASU, PairDesign
from kasu.minimal_sets.pairs.kasu_rules import KasuRules
from kasu.minimal_sets.pairs.sentences import Source, read_sources
from kasu.minimal_sets.pairs.their_rules import TheirRules
from kasu.sources.cards import write_card

PAPER = (
    "Jumelet, Weissweiler, Nivre & Bisazza (2026). MultiBLiMP 1.0: A Massively Multilingual "
    "Benchmark of Linguistic Minimal Pairs. TACL 14:193-216. "
)
SUBJECTS = ("nsubj", "nsubj:pass")


def build_pairs(
    treebanks: Sequence[str | Path],
    requests: Mapping[str, str | Path],
    folder: str | Path,
    *,
    design: PairDesign,
    sources: Sequence[Mapping[str, str]],
    licences: Mapping[str, str],
    unimorph: Sequence[str | Path] = (),
    conventions: str | Path | None = None,
) -> None:
    """Write a set of pairs: items.parquet (SCHEMA), README.md, and tables.

    These are counts, drops, agreement (AGREEMENT) and pool (POOL).

    A set without items is written too; the log says why it has none.

    Args:
        treebanks: CoNLL-U or parquet.
        requests: kind of target -> a request with the nodes S, the subject, and T, the target; for
            Kasu's rules.
        sources: `name`, `licence` and `citation` of each source, for the card.
        licences: `slug_of` a treebank -> its licence.
        unimorph: files of UniMorph, joined in their order.
        conventions: what UniMorph means by some tags; for Kasu's rules.

    Raises:
        KasuError: no word of the treebanks is a subject; as `KasuRules`.
    """
    read = read_sources(treebanks, licences, design.name)
    if treebanks:
        _need_subjects(treebanks, read)
    else:
        log.warning("%s: no treebank that `licences` lets in", design.name)
    maker: KasuRules | TheirRules
    if design.rules == KASU:
        maker = KasuRules(read, requests, design, unimorph, conventions)
    else:
        maker = TheirRules(read, design, unimorph)
    folder = Path(folder)
    with (
        landing(folder / "items.parquet") as part,
        ParquetWriter(part, SCHEMA) as writer,
    ):
        writer.write(list(maker.items()))
    if not writer.rows:
        reasons = list_drops(maker.drops) or "no subject with a target"
        log.warning("%s: no item: %s", design.name, reasons)
    write_counts(folder / "counts.tsv", maker.counts | {"items": writer.rows})
    write_drops(folder / "drops.tsv", +maker.drops)
    write_tsv(folder / "agreement.tsv", maker.agreement, AGREEMENT)
    write_tsv(folder / "pool.tsv", maker.pool, POOL)
    write_card(
        folder / "README.md",
        title=f"Agreement pairs, {design.name}",
        summary="Sentences whose verb, auxiliary or participle agrees with its subject, and the "
        f"same with another {', '.join(design.features)}. Rules: {design.rules}.",
        header={"language": [design.language], "task_categories": ["fill-mask"]},
        sources=sources,
        splits=["items"],
        columns=MEANINGS,
        citation=citation("") if design.rules == KASU else PAPER + citation(""),
    )


def _need_subjects(treebanks: Sequence[str | Path], read: Sequence[Source]) -> None:
    """Check that the treebanks have subjects.

    Raises:
        KasuError: no word is one.
    """
    if not any(word.deprel in SUBJECTS for each in read for word in each.sentence.words):
        files = ", ".join(map(str, treebanks))
        raise KasuError(files, "no word is nsubj", "a treebank with the relations of UD")
