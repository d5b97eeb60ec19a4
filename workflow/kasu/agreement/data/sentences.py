"""From an analysed sentence to its row in a dataset (Ravfogel et al. 2018; BASQUE-5 to -8)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pyarrow as pa

from kasu.agreement.data.morphology import (
    Reading,
    Unit,
    choose_reading,
    finite_units,
    label_slots,
    licensed_suffixes,
    nuclear_suffix,
    shows_number,
    slot_tag,
    strip_suffix,
)
from kasu.agreement.data.tasks import NO_SUFFIX, SLOTS
from kasu.base.errors import KasuError
from kasu.corpora.morphology.tagset import ALL_SLOTS, Tagset
from kasu.files.tables import ParquetReader
from kasu.job.run import seed_of

COLUMNS = {
    "item_id": "the sentence and the variant",
    "sentence_id": "the sentence in the corpus",
    "cluster": "article, or text with names and digits masked; decides the split",
    "variant": "paper or released: how target and readings are chosen (BASQUE-4, BASQUE-6)",
    "tokens": "surface of each lexical unit",
    "lemmas": "lemma of each lexical unit, from the chosen reading",
    "stems": "each unit without its nuclear suffix",
    "suffixes": "nuclear suffix of each unit: -a, -ak, -ek, -ari, -ei, none, or masked if unknown",
    "finite": "for each unit, whether some reading is a finite verb",
    "licensed": "for each unit, the suffixes that its arguments can have if it is a verb",
    "target": "position of the verb to hide",
    **{slot: f"number of the {slot} argument that the target marks" for slot in ALL_SLOTS},
    "third_plural_ergative": "whether the target marks a third person plural ergative",
}
_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())


def schema_of(slots: Sequence[str]) -> pa.Schema:
    """Return the schema of a dataset: COLUMNS, but of ALL_SLOTS only `slots`."""
    return pa.schema(
        [
            *((name, _TEXT) for name in ("item_id", "sentence_id", "cluster", "variant")),
            *((name, _TEXTS) for name in ("tokens", "lemmas", "stems", "suffixes")),
            ("finite", pa.list_(pa.bool_())),
            ("licensed", _TEXTS),
            ("target", pa.int32()),
            *((slot, _TEXT) for slot in slots),
            *([("third_plural_ergative", pa.bool_())] if "ergative" in slots else []),
        ]
    )


SCHEMA = schema_of(SLOTS)
NO_VERB, NO_NUMBER = "no finite verb", "no finite verb that shows a number"


def read_units(
    sentences: str | Path, analyses: str | Path
) -> Iterator[tuple[str, str, list[Unit]]]:
    """Stream the id, split key and units of every sentence, in order.

    Raises:
        KasuError: the analysis has a sentence that the corpus lacks, or another order.
    """
    columns = ["sentence_id", "unit", "surface", "lemma", "pos", "reading", "suffix", *ALL_SLOTS]
    # Both files have the order of the corpus, so each analysis is either that of the current
    # sentence or of a later one: a sentence without analysed units has no rows
    analysed = groupby(_rows(analyses, columns), key=itemgetter(0))
    upcoming, upcoming_rows = next(analysed, _NO_ANALYSIS)
    for sentence_id, cluster in _rows(sentences, ["sentence_id", "split_key"]):
        units = []
        if upcoming == sentence_id:
            for _, grouped in groupby(upcoming_rows, key=itemgetter(1)):
                rows = list(grouped)
                units.append(Unit(rows[0][2], [_reading(*row[3:]) for row in rows]))
            upcoming, upcoming_rows = next(analysed, _NO_ANALYSIS)
        yield sentence_id, cluster, units
    if upcoming is not None:
        raise KasuError(analyses, f"sentence {upcoming} is not in {sentences}")


_NO_ANALYSIS: tuple[None, Iterator[tuple]] = (None, iter(()))


def _reading(
    lemma: str, pos: str | None, text: str | None, suffix: str | None, *slots: str | None
) -> Reading:
    return Reading(lemma, pos, text, suffix, slots)


def _rows(path: str | Path, columns: list[str]) -> Iterator[tuple]:
    """Stream the rows of a parquet file; a missing column is None."""
    file = ParquetReader(path)
    present = [column for column in columns if column in file.schema.names]
    for batch in file.batches(columns=present):
        cells = {name: batch.column(name).to_pylist() for name in batch.schema.names}
        absent = [None] * batch.num_rows  # a slot that this analyser does not mark
        yield from zip(*(cells.get(column, absent) for column in columns), strict=True)


def reason_to_drop(units: Sequence[Unit], tagset: Tagset, length: Sequence[int]) -> str | None:
    """Return why a sentence is left out, None if it is kept (BASQUE-5)."""
    least, most = length
    if not units:
        return "no lexical unit"
    if len(units) < least:
        return f"fewer than {least} units"
    if len(units) > most:
        return f"more than {most} units"
    texts = [text for unit in units for text in (unit.surface, *(r.text for r in unit.readings))]
    if any("NONE" in text for text in texts if text):
        return "NONE in the analysis"
    if not finite_units(units, tagset):
        return NO_VERB
    if not any(shows_number(reading, tagset) for unit in units for reading in unit.readings):
        return NO_NUMBER
    return None


def make_items(
    sentence_id: str, cluster: str, units: Sequence[Unit], tagset: Tagset, settings: Mapping
) -> dict[str, dict]:
    """Make one row for each variant that finds a target verb (BASQUE-6, BASQUE-7)."""
    shared = show_units(units, tagset, settings)
    items = {}
    for variant in settings["variant"]:
        chosen = [choose_reading(unit, variant, tagset) for unit in units]
        target = choose_target(shared["tokens"], units, chosen, variant, tagset, settings["seed"])
        if target is None:
            continue
        items[variant] = {
            **shared,
            "sentence_id": sentence_id,
            "cluster": cluster,
            "item_id": f"{sentence_id}|{variant}",
            "variant": variant,
            "lemmas": [reading.lemma for reading in chosen],
            "licensed": [
                " ".join(licensed_suffixes(label_slots(reading, tagset, settings["polite"])))
                for reading in chosen
            ],
            "target": target,
            # Under `released` the chosen reading may not be finite. Then all labels are none,
            # as in the authors' data
            **label_slots(chosen[target], tagset, settings["polite"]),
            "third_plural_ergative": slot_tag(chosen[target], "ergative") in tagset.third_plural,
        }
    return items


def show_units(units: Sequence[Unit], tagset: Tagset, settings: Mapping) -> dict[str, list]:
    """Return the columns that all variants of a sentence share: what tasks show of its units."""
    finite = finite_units(units, tagset)
    suffixes = [
        NO_SUFFIX
        if at in finite
        else nuclear_suffix(unit, tagset, settings["suffix_reading"], settings["suffix_source"])
        for at, unit in enumerate(units)
    ]
    return {
        "tokens": [unit.surface for unit in units],
        "finite": [at in finite for at in range(len(units))],
        "suffixes": suffixes,
        "stems": [
            unit.surface
            if at in finite
            else strip_suffix(unit, suffix, tagset, settings["no_article"] == "strip")
            for at, (unit, suffix) in enumerate(zip(units, suffixes, strict=True))
        ],
    }


def choose_target(
    tokens: Sequence[str],
    units: Sequence[Unit],
    chosen: Sequence[Reading],
    variant: str,
    tagset: Tagset,
    seed: int,
) -> int | None:
    """Choose the position of the verb to hide (BASQUE-6, S-5).

    `paper` draws from the units whose chosen reading is finite, by a hash of the sentence; None if
    there are none. `released` takes the first unit with a finite reading, chosen or not. A verb
    that shows no number is never the target (English *walked* in a treebank).
    """
    if variant == "released":
        return next(
            at
            for at, unit in enumerate(units)
            if any(shows_number(reading, tagset) for reading in unit.readings)
        )
    candidates = [at for at, reading in enumerate(chosen) if shows_number(reading, tagset)]
    if not candidates:
        return None
    return candidates[seed_of(seed, *tokens) % len(candidates)]
