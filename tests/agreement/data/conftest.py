"""A corpus written out by hand, with what the analyser says of its words."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from kasu.corpora.morphology.apertium import tabulate, unit_rows
from kasu.corpora.morphology.tagset import Tagset, read_tagset
from kasu.files.tables import write_parquet

ANALYSES = {
    "ura": "^ura/ur<n>+a<det><art><sg>$",
    "da": "^da/izan<vbsint><pri><NR_HU>$",
    "daude": "^daude/egon<vbsint><pri><NR_HK>$",
    "zaude": "^zaude/egon<vbsint><pri><NR_ZU>$",
    "dio": "^dio/erran<vbsint><pri><NR_HU><NK_HU>/ukan<vbsint><pri><NR_HU><NI_HU><NK_HU>$",
    "Diote": "^Diote/erran<vbsint><pri><NR_HU><NK_HK>/ukan<vbsint><pri><NR_HU><NI_HU><NK_HK>$",
    "dena": "^dena/dena<prn><ind><sg>/izan<vbsint><pri><NR_HU>+n<rel>+a<det><art><sg>$",
    "dirudienez": "^dirudienez/dirudienez<adv>/iruditu<vbsint><pri><NR_HU><NK_HU>+nez<cnjadv>$",
    "Zzxq": "^Zzxq/*Zzxq$",
}
SENTENCES = pa.schema([("sentence_id", pa.string()), ("split_key", pa.string())])


@pytest.fixture(scope="session")
def tagset_file() -> Path:
    return Path(__file__).resolve().parents[3] / "resources" / "tagsets" / "eus.yaml"


@pytest.fixture(scope="session")
def eus(tagset_file) -> Tagset:
    return read_tagset(tagset_file)


@pytest.fixture(scope="session")
def write_corpus(eus) -> Callable:
    """Write sentences of words in ANALYSES, or of analyses, as a corpus and its analysis."""

    def write(
        folder: Path, sentences: dict[str, str], keys: dict[str, str] | None = None
    ) -> tuple[Path, Path]:
        folder.mkdir(exist_ok=True)
        rows = [
            {"sentence_id": name, "split_key": keys[name] if keys else f"key of {name}"}
            for name in sentences
        ]
        write_parquet(folder / "sentences.parquet", rows, SENTENCES)
        outputs = [
            " ".join(ANALYSES.get(word, word) for word in text.split())
            for text in sentences.values()
        ]
        table, _ = tabulate([*sentences], outputs, eus, lambda unit: unit_rows(unit, eus))
        write_parquet(folder / "analyses.parquet", table, table.schema)
        return folder / "sentences.parquet", folder / "analyses.parquet"

    return write


@pytest.fixture
def options() -> dict[str, object]:
    """The settings of a dataset."""
    return {
        "variant": ["paper", "released"],
        "length": [2, 60],
        "polite": "singular",
        "suffix_reading": "any",
        "suffix_source": "analysis",
        "no_article": "strip",
        "split": {"train": 0.6, "validation": 0.2, "test": 0.2},
        "max_sentences": {},
        "seed": 1,
    }
