"""The tagset of the Basque analyser: slots and nuclear suffixes of readings."""

from pathlib import Path

import pytest
import yaml

from kasu.base.errors import KasuError
from kasu.corpora.morphology.stream import read_parts
from kasu.corpora.morphology.tagset import Tagset, read_tagset

FILE = Path(__file__).resolve().parents[3] / "resources" / "tagsets" / "eus.yaml"


@pytest.fixture(scope="module")
def eus() -> Tagset:
    return read_tagset(FILE)


@pytest.mark.parametrize(
    ("reading", "suffix"),
    [
        ("gizon<n>+a<det><art><sg>", "-a"),
        ("gizon<n>+a<det><art><pl>", "-ak"),
        ("gizon<n>+a<det><art><sg>+k<post>", "-ak"),
        ("gizon<n>+a<det><art><pl>+k<post>", "-ek"),
        ("gizon<n>+a<det><art><sg>+i<post>", "-ari"),
        ("gizon<n>+a<det><art><pl>+i<post>", "-ei"),
        ("gizon<n>", None),
        ("gizon<n>+k<post>", None),
        ("gizon<n>+a<det><art><sg>+ko<post>", None),
        ("gizon<n>+a<det><art><sg>+ko<post>+a<det><art><pl>+k<post>", "-ek"),
        ("gizon<n>+o<det><art><pl>+k<post>", None),
        ("hura<det><dem><pl>+k<post>", None),
        ("eder<adj>+a<det><art><sg>", "-a"),
        ("ikusi<vblex><pp>+a<det><art><sg>", None),
        ("izan<vbsint><pri><NR_HU>+n<rel>+a<det><art><sg>", None),
    ],
)
def test_nuclear_suffix_of_a_reading(eus, reading, suffix):
    assert eus.nuclear_suffix(read_parts(reading)) == suffix


@pytest.mark.parametrize(
    ("tags", "slots"),
    [
        (["vbsint", "pri", "NR_HK", "NI_HU", "NK_HK"], ("NK_HK", "NR_HK", "NI_HU")),
        (["vbsint", "pri", "NR_NI", "NK_HU"], ("NK_HU", "NR_NI", None)),
        # NI_NI: the dative slot, first person (BASQUE-3)
        (["vbsint", "pri", "NR_HU", "NI_NI"], (None, "NR_HU", "NI_NI")),
    ],
)
def test_slots_of_a_finite_verb(eus, tags, slots):
    found = eus.slot_tags(tags)
    assert (found["ergative"], found["absolutive"], found["dative"]) == slots


def test_tags_that_look_like_booleans_are_text(eus):
    assert eus.allocutive == ["NO"]


def test_numbers_of_persons(eus):
    singular = {tag for tags in eus.slots.values() for tag, n in tags.items() if n == "singular"}
    plural = {tag for tags in eus.slots.values() for tag, n in tags.items() if n == "plural"}
    slots = ("NK", "NR", "NI")
    assert singular == {f"{s}_{p}" for s in slots for p in ("NI", "HI", "HU", "ZU")}
    assert plural == {f"{s}_{p}" for s in slots for p in ("GU", "ZK", "HK")}


def values() -> dict:
    return yaml.safe_load(FILE.read_text())


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "t.yaml").write_text(text)
    return tmp_path / "t.yaml"


def test_missing_key_is_one_line(tmp_path):
    tags = values()
    del tags["finite"]
    with pytest.raises(KasuError, match=r"t\.yaml: key 'finite' missing; expected allocutive, "):
        read_tagset(written(tmp_path, yaml.safe_dump(tags)))


def test_unknown_key_is_one_line(tmp_path):
    path = written(tmp_path, yaml.safe_dump({**values(), "tense": []}))
    with pytest.raises(KasuError, match="key 'tense' unknown"):
        read_tagset(path)


@pytest.mark.parametrize("text", ["- a list", "", "just text"])
def test_a_file_without_a_map_is_one_line(tmp_path, text):
    with pytest.raises(KasuError, match="expected a map of keys"):
        read_tagset(written(tmp_path, text))


@pytest.mark.parametrize("text", ["a: [1", "a: b: c", "\tx"])
def test_invalid_yaml_is_one_line(tmp_path, text):
    with pytest.raises(KasuError, match=r"t\.yaml: .+; expected YAML") as error:
        read_tagset(written(tmp_path, text))
    assert "\n" not in str(error.value)


def test_missing_file_is_one_line(tmp_path):
    with pytest.raises(KasuError, match=r"none\.yaml: No such file or directory; expected a file"):
        read_tagset(tmp_path / "none.yaml")


def test_objects_in_yaml_are_never_made(tmp_path):
    tags = {**values(), "finite": "HERE"}
    text = yaml.safe_dump(tags).replace("HERE", "!!python/object/apply:os.system ['true']")
    with pytest.raises(KasuError, match=r"t\.yaml, finite: \['true'\]; expected a valid string"):
        read_tagset(written(tmp_path, text))


def test_a_mark_may_be_all_the_tags_of_a_word(eus):
    marks = {mark for kinds in eus.slots.values() for mark in kinds}
    for mark in marks:
        assert mark in eus.marked_slots(mark.split("|")).values(), mark


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("  subject:", "  nominative:",
         "slots: 'nominative'; expected some of ergative, absolutive, dative, subject"),
        ('Sing": singular', 'Sing": dual',
         "slots.subject: 'dual' of VerbForm=Fin|Number=Sing; expected singular or plural"),
    ],
)  # fmt: skip
def test_a_slot_or_a_number_that_no_study_knows_is_one_line(tmp_path, old, new, line):
    own = Path(__file__).parents[3] / "resources" / "tagsets" / "ud-subject.yaml"
    (path := tmp_path / "a.yaml").write_text(own.read_text(encoding="utf-8").replace(old, new, 1))
    with pytest.raises(KasuError) as error:
        read_tagset(path)
    assert str(error.value) == f"{path}, {line}"
