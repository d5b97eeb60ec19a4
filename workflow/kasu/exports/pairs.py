"""Minimal pairs as BLiMP and MultiBLiMP have them."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path

from kasu.exports.dataset import ATTRIBUTION, LICENCE, Dataset
from kasu.exports.hub import write_licence
from kasu.exports.items import Pair, as_name, differing_word, expect_apart, pairs_of
from kasu.files.parts import landing
from kasu.files.tables import write_text

OF_BLIMP = (
    "sentence_good", "sentence_bad", "field", "linguistics_term", "UID", "simple_LM_method",
    "one_prefix_method", "two_prefix_method", "lexically_identical", "pair_id",
)  # fmt: skip
"""The columns of BLiMP (Warstadt et al. 2020), in the order of nyu-mll/blimp."""
_OWN = {*OF_BLIMP} - {"sentence_good", "sentence_bad", "UID"}  # which are the pair's
OF_MULTIBLIMP = (
    "sen", "verb", "verb_idx", "cop", "cop_idx", "child", "child_idx", "child_features",
    "child_upos", "head", "head_idx", "head_features", "head_upos", "distance", "attractors",
    "metadata", "swap_head", "feature_vals", "prefix", "wrong_sen", "congruent_attractors",
    "incongruent_attractors", "num_attractors", "num_congruent_attractors",
    "num_incongruent_attractors", "has_attractors", "only_has_congruent_attractors",
    "only_has_incongruent_attractors", "sample_weight", "phenomenon", "lang",
    "grammatical_feature", "ungrammatical_feature", "wo", "inflect_item", "agreement_certainty",
)  # fmt: skip
"""The columns of MultiBLiMP (Jumelet et al. 2026), in its order."""
OF_AGREEMENT = {
    "controller": "child",
    "right_value": "grammatical_feature",
    "wrong_value": "ungrammatical_feature",
    "order": "wo",
    "certainty": "agreement_certainty",
}
"""Columns of Kasu's agreement pairs that mean the same as one of MultiBLiMP."""
_NOT_OF_AGREEMENT = {"distance", "attractors"}  # there they mean another thing


def write_blimp(folder: Path, dataset: Dataset, by: str | None = None) -> None:
    """Write `<UID>.jsonl` for each paradigm, with OF_BLIMP, licence and attribution.

    Raises:
        KasuError: as `pairs_of`, or two paradigms would have one file.
    """
    paradigms: dict[str, list[Pair]] = {}
    for pair in pairs_of(dataset, "blimp", by):
        paradigms.setdefault(pair.uid, []).append(pair)
    for uid, name in expect_apart(dataset.path, list(paradigms)).items():
        lines = (
            json.dumps(_blimp(pair, number), ensure_ascii=False)
            for number, pair in enumerate(paradigms[uid])
        )
        write_text(folder / f"{name}.jsonl", "".join(f"{line}\n" for line in lines))
    write_licence(folder, dataset)


def _blimp(pair: Pair, number: int) -> dict[str, object]:
    """Return the keys: BLiMP's own as they are; else what is computed."""
    row = pair.item.row
    place = differing_word(pair.good, pair.bad)
    words = pair.good.split(), pair.bad.split()
    computed = {
        "sentence_good": pair.good,
        "sentence_bad": pair.bad,
        "field": "",
        "linguistics_term": pair.item.about,
        "UID": pair.uid,
        "simple_LM_method": True,
        # Words alike up to the one that differs: it is scored; words alike behind it: the next is
        "one_prefix_method": bool(place),
        "two_prefix_method": place is not None and place + 1 < len(words[0]),
        "lexically_identical": sorted(words[0]) == sorted(words[1]),
        "pair_id": number,
    }
    own = {name: row[name] for name in _OWN if row.get(name) not in (None, "")}
    return {**computed, **own, LICENCE: row[LICENCE], ATTRIBUTION: row[ATTRIBUTION]}


def write_multiblimp(folder: Path, dataset: Dataset, by: str | None = None) -> None:
    """Write `<language>/data.tsv` with OF_MULTIBLIMP, licence and attribution.

    Cells are quoted as MultiBLiMP's are. What the dataset does not say is empty.

    Raises:
        KasuError: as `pairs_of`.
    """
    columns = (*OF_MULTIBLIMP, LICENCE, ATTRIBUTION)
    language = dataset.language
    with (
        landing(folder / as_name(language) / "data.tsv") as part,
        part.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file, "excel-tab", lineterminator="\n")
        writer.writerow(columns)
        for pair in pairs_of(dataset, "multiblimp", by):
            cells = _multiblimp(pair, language)
            writer.writerow(cells.get(name) for name in columns)
    write_licence(folder, dataset)


def _multiblimp(pair: Pair, language: str) -> Mapping[str, object]:
    """Return the cells: those of columns that pairs have; else computed, or of OF_AGREEMENT."""
    row = pair.item.row
    # Of a set the forms tell more than a column of such a name
    own = {name: row[name] for name in OF_MULTIBLIMP if name in row and not pair.right}
    if "controller" in row:
        own = {name: cell for name, cell in own.items() if name not in _NOT_OF_AGREEMENT}
    verb, swapped = pair.words
    named = {name: row.get(column) for column, name in OF_AGREEMENT.items()}
    right, wrong = (
        named[name] or value
        for name, value in (
            ("grammatical_feature", pair.right),
            ("ungrammatical_feature", pair.wrong),
        )
    )
    return {
        **named,
        "verb": verb,
        "swap_head": swapped,
        "feature_vals": f"{right} -> {wrong}" if right and wrong else "",
        "prefix": pair.before.rstrip(),
        "phenomenon": pair.item.about or pair.uid,
        "lang": language,
        "grammatical_feature": right,
        "ungrammatical_feature": wrong,
        **own,
        "sen": pair.good,
        "wrong_sen": pair.bad,
        LICENCE: row[LICENCE],
        ATTRIBUTION: row[ATTRIBUTION],
    }
