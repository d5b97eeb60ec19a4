"""What of its tagset a text shows: counted, and named where no reading does."""

from pathlib import Path

import pytest
import yaml

from kasu.corpora.morphology.apertium import analyse_corpus, unit_rows
from kasu.corpora.morphology.tagset import read_tagset
from kasu.corpora.texts.sentences import CORPUS
from kasu.files.tables import read_tsv, write_parquet

EUS = Path(__file__).resolve().parents[2] / "resources" / "tagsets" / "eus.yaml"
SMALL = {
    "slots": {"ergative": {"NK_HK": "plural"}, "absolutive": {"NR_HU": "singular"}},
    "suffixes": {"-ek": [["pl", "k"]], "-ei": [["pl", "i"]]},
}
# The Basque analyser writes: izan<vbsint><pri><NR_HU>, egon<vbsint><pri><NR_HK>, gizon<n>+…
TEXT = ["Da.", "Daude.", "Gizonek.", "Da.", "%", "Dute."]


@pytest.fixture
def tagset(tmp_path):
    def write(**changes: object) -> Path:
        values = yaml.load(EUS.read_text(), yaml.BaseLoader)
        path = tmp_path / "own.yaml"
        path.write_text(yaml.safe_dump(values | SMALL | changes, sort_keys=False))
        return path

    return write


@pytest.fixture
def analyse(tmp_path, dictionary):
    """Analyse TEXT; return the readings counted by what they show."""

    def analyse(tagset: Path, workers: int = 1) -> dict[str, int]:
        rows = [{"sentence_id": f"s{at}", "text": text} for at, text in enumerate(TEXT)]
        write_parquet(tmp_path / "s.parquet", rows, CORPUS)
        files = [tmp_path / name for name in ("s.parquet", "a.parquet", "c.tsv")]
        analyse_corpus(*files, dictionary=dictionary, tagset=tagset, workers=workers)
        counts = read_tsv(files[-1])
        mark = "readings with "
        return {
            row["step"].removeprefix(mark): int(row["count"])
            for row in counts
            if row["step"].startswith(mark)
        }

    return analyse


@pytest.mark.parametrize("workers", [1, 2])
def test_readings_are_counted_by_what_they_show(analyse, tagset, monkeypatch, workers):
    monkeypatch.setattr("kasu.corpora.morphology.apertium.SENTENCES_A_BATCH", 2)
    assert analyse(tagset(), workers) == {
        "pos vbsint": 4,
        "ergative NK_HK": 1,
        "absolutive NR_HU": 3,
        "suffix -ek": 1,
        "suffix -ei": 0,
    }


@pytest.mark.parametrize(
    ("changes", "unseen"),
    [
        ({}, "suffix -ei"),
        ({"finite": "vbfin"}, "pos vbfin; ergative NK_HK; absolutive NR_HU; suffix -ei"),
        ({"slots": {"subject": {"p3": "singular", "NR_HU": "plural"}}}, "subject p3; suffix -ei"),
        ({"nominal": ["noun"]}, "suffix -ek, -ei"),
        ({"article": {"lemma": "a", "tag": "def"}}, "suffix -ek, -ei"),
        ({"suffixes": {"-ek": [["PL", "k"]]}}, "suffix -ek"),
    ],
)
def test_a_line_names_what_no_reading_shows(analyse, tagset, caplog, changes, unseen):
    caplog.set_level("INFO")
    analyse(tagset(**changes))
    (line,) = [each for each in caplog.messages if "no reading has" in each]
    assert line.endswith(f"own.yaml: no reading has {unseen}")


def test_no_line_where_all_is_seen(analyse, tagset, caplog):
    caplog.set_level("INFO")
    analyse(tagset(suffixes={}))
    assert not any("no reading has" in each for each in caplog.messages)


@pytest.mark.parametrize(
    ("unit", "pos"),
    [
        ("^x/x<vblex><pri><vbsint><NR_HU>$", "vbsint"),
        ("^x/ba<adv>+x<vblex><vbsint>$", "vbsint"),
        ("^x/x<vblex><pri><NR_HU>$", "vblex"),
        ("^x/x$", ""),
    ],
)
def test_the_finite_tag_may_stand_anywhere(unit, pos):
    assert [row[3] for row in unit_rows(unit, read_tagset(EUS))] == [pos]
