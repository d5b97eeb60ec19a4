"""The choice of a reading, labels and nuclear suffixes, on the analyser's own readings."""

from pathlib import Path

import pytest

from kasu.agreement.data.morphology import (
    Reading,
    Unit,
    choose_reading,
    finite_units,
    is_finite,
    label_slots,
    licensed_suffixes,
    nuclear_suffix,
    strip_suffix,
)
from kasu.corpora.morphology.apertium import unit_rows
from kasu.corpora.morphology.tagset import read_tagset

EUS = read_tagset(Path(__file__).resolve().parents[3] / "resources" / "tagsets" / "eus.yaml")

# Output of lt-proc -w with eu-es 0.3.4
READINGS = {
    "dio": "erran<vbsint><pri><NR_HU><NK_HU>/ukan<vbsint><pri><NR_HU><NI_HU><NK_HU>",
    "diote": "erran<vbsint><pri><NR_HU><NK_HK>/ukan<vbsint><pri><NR_HU><NI_HU><NK_HK>",
    "dun": "ukan<vbsint><pri><NR_HU><NK_HI>/ukan<vbsint><pri><NR_HU><NO>",
    "dena": "dena<prn><ind><sg>/izan<vbsint><pri><NR_HU>+n<rel>+a<det><art><sg>",
    "balio": "balio<n>/ba<cnjsub>+ukan<vbsint><bald><NR_HU><NI_HU><NK_HU>",
    "dagoeneko": "dagoeneko<adv>/egon<vbsint><pri><NR_HU>+neko<cnjadv>",
    "ura": "ur<n>+a<det><art><sg>",
    "uda": "uda<n>/uda<n>+a<det><art><sg>",
    "neska": "neska<n>/neska<n>+a<det><art><sg>",
    "neskak": "neska<n>+k<post>/neska<n>+a<det><art><pl>/neska<n>+a<det><art><sg>+k<post>",
    "gizonek": "gizon<n>+k<post>/gizon<n>+a<det><art><pl>+k<post>",
    "zaude": "egon<vbsint><pri><NR_ZU>",
    "dizkiote": "ukan<vbsint><pri><NR_HK><NI_HU><NK_HK>",
    "izatez": "izatez<adv>/izan<vblex><izen>+z<post>",
    "dakik": "jakin<vbsint><pri><NR_HU><NK_HI>/jakin<vbsint><pri><NR_HU><NK_HU>",
}


def unit(word: str, readings: str | None = None) -> Unit:
    rows = unit_rows(f"^{word}/{readings or READINGS.get(word, f'*{word}')}$", EUS)
    readings = [Reading(*row[2:4], *row[5:7], slots=row[7:]) for row in rows]
    return Unit(word, readings)


def chosen(word: str, variant: str, readings: str | None = None) -> str | None:
    return choose_reading(unit(word, readings), variant, EUS).text


@pytest.mark.parametrize(
    ("word", "paper", "released"),
    [
        # S-5: dative under `released`, not under `paper`
        ("dio", 0, 1),
        ("diote", 0, 1),
        # one familiar and one allocutive reading: neither qualifies, so the first
        ("dun", 0, 0),
        # the auxiliary is the second reading
        ("dena", 0, 1),
        ("balio", 0, 1),
        ("dagoeneko", 0, 1),
        # any reading that mentions an auxiliary, finite or not
        ("izatez", 0, 1),
        # no auxiliary: `released` only skips the allocutive (BASQUE-4)
        ("dakik", 1, 0),
        ("uda", 0, 0),
    ],
)
def test_chosen_reading(word, paper, released):
    readings = READINGS[word].split("/")
    assert chosen(word, "paper") == readings[paper]
    assert chosen(word, "released") == readings[released]


@pytest.mark.parametrize("variant", ["paper", "released"])
def test_allocutive_reading_is_skipped(variant):
    allocutive, plain = "ukan<vbsint><pri><NR_HU><NO>", "ukan<vbsint><pri><NR_HU><NK_HU>+n<rel>"
    assert chosen("x", variant, f"{allocutive}/{plain}") == plain


@pytest.mark.parametrize(
    ("word", "readings", "expected"),
    [
        # three auxiliaries count: *edin* and *ezan* do not
        ("x", "a<n>/edin<vbsint><NR_HU>", 0),
        ("x", "a<n>/ezan<vbsint><NR_HU><NK_HU>", 0),
        ("x", "a<n>/egon<vbsint><NR_HU>", 1),
        # a familiar person excludes a reading of an auxiliary, and no other
        ("x", "a<n>/ukan<vbsint><NR_HU><NK_HI>/ukan<vbsint><NR_HU><NK_HU>", 2),
        ("x", "a<vbsint><NR_HU><NK_HI>/b<n>", 0),
        ("x", "a<vbsint><NR_HU><NO>/b<n>", 1),
        # the form itself mentions *izan*: no reading that does, so the first
        ("izanak", "a<vbsint><NR_HU><NO>/b<n>", 0),
    ],
)
def test_released_prefers_readings_that_mention_an_auxiliary(word, readings, expected):
    assert chosen(word, "released", readings) == readings.split("/")[expected]


@pytest.mark.parametrize("variant", ["paper", "released"])
def test_a_single_reading_is_always_taken(variant):
    assert chosen("duk", variant, "ukan<vbsint><NR_HU><NK_HI>") == "ukan<vbsint><NR_HU><NK_HI>"
    assert chosen("Zzxq", variant) is None


def test_finite_units_count_every_reading():
    units = [unit("dena"), unit("ura"), unit("Zzxq"), unit("dio"), unit("balio")]
    assert finite_units(units, EUS) == [0, 3, 4]
    assert not is_finite(choose_reading(units[0], "paper", EUS), EUS)


@pytest.mark.parametrize(
    ("word", "ergative", "absolutive", "dative"),
    [
        ("dizkiote", "plural", "plural", "singular"),
        ("ura", "none", "none", "none"),
    ],
)
def test_labels(word, ergative, absolutive, dative):
    labels = label_slots(unit(word).readings[0], EUS, "singular")
    assert labels == {"ergative": ergative, "absolutive": absolutive, "dative": dative}


@pytest.mark.parametrize("polite", ["singular", "plural"])
def test_the_config_sets_the_number_of_zu(polite):
    labels = label_slots(unit("zaude").readings[0], EUS, polite)
    assert labels == {"ergative": "none", "absolutive": polite, "dative": "none"}


def test_the_number_of_zu_does_not_affect_other_persons():
    assert label_slots(unit("dizkiote").readings[0], EUS, "plural")["dative"] == "singular"


@pytest.mark.parametrize(
    ("word", "any_reading", "first"),
    [
        ("ura", "-a", "-a"),
        ("uda", "none", "none"),
        ("neska", "none", "none"),
        ("neskak", "-ak", "none"),
        ("gizonek", "-ek", "none"),
        ("dizkiote", "none", "none"),
    ],
)
def test_nuclear_suffix(word, any_reading, first):
    assert nuclear_suffix(unit(word), EUS, "any") == any_reading
    assert nuclear_suffix(unit(word), EUS, "first") == first


@pytest.mark.parametrize(
    ("word", "suffix"),
    [
        ("Kutxazainek", "masked"),
        ("Zzxqa", "masked"),
        ("ZZXQARI", "masked"),
        ("Zzxqei", "masked"),
        ("Zzxqak", "masked"),
        ("Zzxqen", "none"),
    ],
)
def test_unknown_word_with_a_nuclear_ending_is_masked(word, suffix):
    assert nuclear_suffix(unit(word), EUS, "any") == suffix


@pytest.mark.parametrize(
    ("word", "readings", "stem"),
    [
        ("Kutxazainek", "kutxazain<n>+a<det><art><pl>+k<post>", "Kutxazain"),
        ("bezeroari", "bezero<n>+a<det><art><sg>+i<post>", "bezero"),
        ("liburuak", "liburu<n>+a<det><art><pl>", "liburu"),
        ("ura", None, "ur"),
        # a of the lemma is no suffix, and merges with one
        ("uda", None, "uda"),
        ("neskak", None, "neska"),
        # r is doubled before a suffix
        ("txakurrak", "txakur<n>+a<det><art><pl>", "txakur"),
        # a suffix after other endings than the lemma's
        ("etxekoak", "etxe<n>+ko<post>+a<det><art><pl>", "etxeko"),
        # unknown: the ending, whatever it is
        ("Xuriek", None, "Xuri"),
        ("Zzxqa", None, "Zzxq"),
        ("ak", None, "ak"),
        ("eta", "eta<cnjcoo>", "eta"),
    ],
)
def test_stem_without_suffix(word, readings, stem):
    found = unit(word, readings)
    suffix = nuclear_suffix(found, EUS, "any")
    assert strip_suffix(found, suffix, EUS, strip_bare=True) == stem


@pytest.mark.parametrize(
    ("word", "readings", "stem"),
    [
        ("Batek", "bat<num><sg>+k<post>", "Bat"),
        ("horrek", "hori<det><dem><sg>+k<post>", "hori"),
        ("guri", "gu<prn><pers><p1><pl>+i<post>", "gu"),
        # the first reading says what a word is
        ("zuri", "zuri<n>/zu<prn><pers><p2><sg>+i<post>", "zuri"),
        # cases that are not nuclear
        ("batean", "bat<num><sg>+an<post>", "batean"),
        ("ezik", "ez<adv>+k<post>", "ezik"),
        # an article of no nuclear suffix
        ("gizonok", "gizon<n>+a<det><art><prox>+k<post>", "gizonok"),
        # no part has the lemma k
        ("k+k", "k+k<n>", "k+k"),
        ("&+i", "&+i<np>+an<post>", "&+i"),
    ],
)
def test_case_without_article_can_be_stripped(word, readings, stem):
    found = unit(word, readings)
    assert nuclear_suffix(found, EUS, "any") == "none"
    assert strip_suffix(found, "none", EUS, strip_bare=True) == stem
    assert strip_suffix(found, "none", EUS, strip_bare=False) == word


@pytest.mark.parametrize(
    ("word", "readings", "suffix", "stem"),
    [
        # the ending decides, known or not; the analyser does about -a
        ("Batek", "bat<num><sg>+k<post>", "-ek", "Bat"),
        ("Kutxazainek", None, "-ek", "Kutxazain"),
        ("ari", "ari<adv>", "none", "ari"),
        ("ura", None, "-a", "ur"),
        ("uda", None, "none", "uda"),
        ("Zzxqa", None, "masked", "Zzxq"),
        # an article that the form does not show
        ("dena", "den<n>+a<det><art><pl>", "none", "dena"),
    ],
)
def test_suffix_and_stem_by_the_surface(word, readings, suffix, stem):
    found = unit(word, readings)
    assert nuclear_suffix(found, EUS, "any", "surface") == suffix
    assert strip_suffix(found, suffix, EUS, strip_bare=False) == stem


@pytest.mark.parametrize(
    ("verb", "suffixes"),
    [
        ("da", ["-a"]),
        ("daude", ["-ak"]),
        ("dizkiote", ["-ek", "-ak", "-ari"]),
        ("liburuak", []),
    ],
)
def test_a_verb_licenses_the_suffixes_of_its_arguments(verb, suffixes):
    readings = {
        "da": "izan<vbsint><pri><NR_HU>",
        "daude": "egon<vbsint><pri><NR_HK>",
        "liburuak": "liburu<n>+a<det><art><pl>",
    }
    (reading, *_) = unit(verb, readings.get(verb)).readings
    assert licensed_suffixes(label_slots(reading, EUS, "singular")) == suffixes
