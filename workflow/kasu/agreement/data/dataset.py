"""The files of a dataset: splits, counts, drops and card (Ravfogel et al. 2018 §5; BASQUE-1)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from kasu.agreement.data.morphology import slots_of
from kasu.agreement.data.sentences import (
    COLUMNS,
    NO_NUMBER,
    NO_VERB,
    make_items,
    read_units,
    reason_to_drop,
    schema_of,
)
from kasu.agreement.data.sizes import keep_at_most, limit_of
from kasu.agreement.data.suffixes import count_unscored
from kasu.agreement.data.tasks import SPLITS
from kasu.base.errors import KasuError
from kasu.corpora.morphology.tagset import ALL_SLOTS, read_tagset
from kasu.corpora.texts.sentences import split_of
from kasu.files.tables import (
    ParquetReader,
    ParquetWriter,
    landing,
    write_counts,
    write_drops,
    write_tsv,
)
from kasu.job.run import Progress, log
from kasu.sources.cards import write_card

DIFFERENCES = ("form", "slot", "paper", "released", "count")
WRITE_EVERY = 4_096  # rows held as Python objects at a time
CITATION = (
    "Ravfogel, Goldberg & Tyers (2018). Can LSTM Learn to Capture Agreement? The Case of Basque. "
    "BlackboxNLP."
)


def build_verb_number(
    sentences: str | Path,
    analyses: str | Path,
    folder: str | Path,
    *,
    tagset: str | Path,
    settings: Mapping,
    corpus: Mapping,
    sources: Sequence[Mapping[str, str]],
) -> None:
    """Write the splits, card, counts, drops and the labels that differ between variants.

    Args:
        sentences, analyses: the corpus and its analysis.
        folder: receives train, validation and test.parquet (COLUMNS), README.md, counts.tsv,
            drops.tsv and variants.tsv (DIFFERENCES).
        settings: `variant` (list), `length` (fewest and most units), `polite`, `suffix_reading`,
            `suffix_source`, `no_article`, `split` (ratios), `max_sentences` (of a split, if
            limited) and `seed`.
        corpus: `name` and `language`; `splits`, the split of each source, if they have their own.
        sources: `name`, `licence` and `citation` of each source, for the card.

    Raises:
        KasuError: the ratios are impossible; no verb has the finite tag of the tagset, or none has
            a tag of a slot; a split has no sentences.
    """
    folder = Path(folder)
    tags, own = read_tagset(tagset), corpus.get("splits") or {}
    counts, drops, differ = _write_splits(sentences, analyses, folder, tagset, settings, own)
    steps = [f"{variant}: {split}" for variant in settings["variant"] for split in SPLITS]
    write_counts(
        folder / "counts.tsv",
        {step: counts[step] for step in ("sentences", *steps)}
        | {limit_of(split): most for split, most in settings["max_sentences"].items()},
    )
    for split in SPLITS:
        drops.update(count_unscored(folder / f"{split}.parquet"))
    write_drops(folder / "drops.tsv", drops)
    ranked = sorted(differ.items(), key=lambda item: (-item[1], item[0]))
    write_tsv(
        folder / "variants.tsv",
        (dict(zip(DIFFERENCES, (*labels, count), strict=True)) for labels, count in ranked),
        DIFFERENCES,
    )
    write_card(
        folder / "README.md",
        title=f"Agreement: {corpus['name']}",
        summary="Sentences with a finite verb to hide and the numbers of its arguments to predict, "
        "and with nuclear suffixes to strip and predict.",
        header={
            "language": [corpus["language"]],
            "task_categories": ["text-classification", "token-classification"],
        },
        sources=sources,
        splits=SPLITS,
        columns={name: COLUMNS[name] for name in schema_of(slots_of(tags)).names},
        citation=CITATION,
    )


def _write_splits(
    sentences: str | Path,
    analyses: str | Path,
    folder: Path,
    tagset: str | Path,
    settings: Mapping,
    own: Mapping[str, str],
) -> tuple[Counter[str], Counter[str], Counter[tuple[str, ...]]]:
    """Write the splits; return the counts, the drops and the labels that differ (DIFFERENCES)."""
    tags = read_tagset(tagset)
    slots = slots_of(tags)
    counts: Counter[str] = Counter()
    drops: Counter[str] = Counter()
    differ: Counter[tuple[str, ...]] = Counter()
    labels: set[str] = set()
    taken: dict[str, str] = {}  # by split key, the split of the first sentence that has it
    progress = Progress("dataset", ParquetReader(sentences).rows, "sentences")
    with ExitStack() as landed:
        files = {s: landed.enter_context(landing(folder / f"{s}.parquet")) for s in SPLITS}
        with ExitStack() as stack:
            writers = {
                s: stack.enter_context(ParquetWriter(files[s], schema_of(slots))) for s in SPLITS
            }
            rows: dict[str, list[dict]] = {split: [] for split in SPLITS}
            for sentence_id, cluster, units in read_units(sentences, analyses):
                progress.add()
                counts["sentences"] += 1
                if reason := reason_to_drop(units, tags, settings["length"]):
                    drops[reason] += 1
                    continue
                # An id begins with the source
                split = own.get(sentence_id.partition(":")[0]) or split_of(
                    cluster, settings["split"], settings["seed"]
                )
                if own and taken.setdefault(cluster, split) != split:
                    drops["near copy of a sentence in another split"] += 1
                    continue
                items = make_items(sentence_id, cluster, units, tags, settings)
                _compare_variants(items, differ)
                for variant in settings["variant"]:
                    if variant not in items:
                        drops[f"{variant}: no finite verb among the chosen readings"] += 1
                        continue
                    counts[f"{variant}: {split}"] += 1
                    rows[split].append(items[variant])
                    labels.update(items[variant][slot] for slot in slots)
                if len(rows[split]) >= WRITE_EVERY:
                    writers[split].write(rows[split])
                    rows[split] = []
            for split in SPLITS:
                writers[split].write(rows[split])
        if labels == {"none"} or (not labels and drops[NO_NUMBER]):
            found = (
                f"no verb has one of {', '.join(tag for slot in slots for tag in tags.slots[slot])}"
            )
            raise KasuError(f"{tagset}, slots", found, "the analyser's tags of numbers")
        if not labels and (verbless := drops[NO_VERB]):
            found = f"no reading in {verbless:,} sentences has the tag {tags.finite!r}"
            raise KasuError(f"{tagset}, finite", found, "the analyser's tag of a finite verb")
        for split in SPLITS:
            most = settings["max_sentences"].get(split)
            if most is not None:
                dropped = keep_at_most(files[split], most, settings["seed"])
                _count_limit(split, most, dropped, counts, drops)
            _check_split(split, counts, settings)
    return counts, drops, differ


def _compare_variants(items: Mapping[str, dict], differ: Counter[tuple[str, ...]]) -> None:
    """Count the labels in which the variants differ on the same target (DIFFERENCES)."""
    paper, released = items.get("paper"), items.get("released")
    if not paper or not released or paper["target"] != released["target"]:
        return
    for slot in ALL_SLOTS:
        if slot in paper and paper[slot] != released[slot]:
            form = paper["tokens"][paper["target"]].casefold()
            differ[form, slot, paper[slot], released[slot]] += 1


def _count_limit(
    split: str, most: int, dropped: Counter[str], counts: Counter[str], drops: Counter[str]
) -> None:
    """Count what was dropped from a split, by variant; warn of a variant that had too few."""
    for variant, beyond in dropped.items():
        step = f"{variant}: {split}"
        if counts[step] < most:
            found = f"{split}: {counts[step]:,} sentences of variant {variant}"
            log.warning("%s, fewer than max_sentences (%s); all are kept", found, f"{most:,}")
        counts[step] -= beyond
        drops[f"{variant}: beyond max_sentences of {split}"] += beyond


def _check_split(split: str, counts: Counter, settings: Mapping) -> None:
    for variant in settings["variant"]:
        if not counts[f"{variant}: {split}"]:
            raise KasuError(f"split {split}", f"no sentence of variant {variant}", "a larger share")
