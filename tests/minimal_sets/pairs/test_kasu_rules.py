"""Agreement pairs by Kasu's rules, on small English and made-up treebanks."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv
from kasu.minimal_sets.pairs.build import build_pairs
from kasu.minimal_sets.pairs.columns import MEANINGS, SCHEMA, phenomenon
from kasu.minimal_sets.pairs.design import PairDesign

ANY = Path(__file__).parents[3] / "resources" / "queries" / "any"
KINDS = ("verb", "auxiliary", "participle")
REQUESTS = {kind: ANY / f"{kind}.req" for kind in KINDS}
SING = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
PLUR = "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin"
CAT, CATS = ("cat", "cat", "NOUN", "Number=Sing"), ("cats", "cat", "NOUN", "Number=Plur")


@pytest.fixture
def build(write_treebank, tmp_path):
    """A builder of the pairs of sentences: items, drops by reason, and whether they agree."""

    def build(
        sentences, *, rules="kasu", features=("Number",), unimorph="", language="en", **design
    ):
        paradigms = []
        if unimorph:
            paradigms = [tmp_path / "xyz"]
            paradigms[0].write_text(unimorph, "utf-8")
        build_pairs(
            [write_treebank(sentences)],
            REQUESTS,
            tmp_path / "set",
            design=PairDesign("toy", rules, features, language, **design),
            sources=[{"name": "toy", "licence": "CC0", "citation": "none"}],
            licences={"other": "CC BY-SA 4.0"},
            unimorph=paradigms,
        )
        items = pq.read_table(tmp_path / "set" / "items.parquet").to_pylist()
        drops = {r["reason"]: int(r["count"]) for r in read_tsv(tmp_path / "set" / "drops.tsv")}
        return items, drops, read_tsv(tmp_path / "set" / "agreement.tsv")

    return build


def clause(subject, *middle, verb):
    at = len(middle) + 2
    return [(*subject, at, "nsubj"), *middle, (*verb, 0, "root")]


SLEEPS, SLEEP = ("sleeps", "sleep", "VERB", SING), ("sleep", "sleep", "VERB", PLUR)
BOTH = {"one": clause(CAT, verb=SLEEPS), "two": clause(CATS, verb=SLEEP)}


def test_a_pair_for_each_verb(build):
    items, drops, agreement = build(BOTH)
    assert [(r["sen"], r["wrong_sen"], r["condition"]) for r in items] == [
        ("cat sleeps.", "cat sleep.", "Sing Plur SV verb"),
        ("cats sleep.", "cats sleeps.", "Plur Sing SV verb"),
    ]
    assert drops == {}
    row = items[0]
    assert {key: row[key] for key in ("phenomenon", "masked", "form_right", "form_wrong")} == {
        "phenomenon": "SV-#", "masked": "cat [MASK].", "form_right": "sleeps", "form_wrong": "sleep"
    }  # fmt: skip
    assert (row["controller"], row["distance"], row["attractors"], row["nearest"]) == (
        "cat", 1, 0, "Sing"
    )  # fmt: skip
    assert (row["licence"], row["sentence_id"]) == ("CC BY-SA 4.0", "other:one")
    assert (row["right_tokens"], row["wrong_tokens"]) == (1, 1)
    assert [(r["value"], r["subjects"], r["agree"], r["kept"]) for r in agreement] == [
        ("Plur", "1", "1", "True"), ("Sing", "1", "1", "True")
    ]  # fmt: skip


def test_text_and_forms_are_in_one_normalisation(build):
    agrees, agree = ("agre\u0301es", "agréer", "VERB", SING), ("agrée", "agréer", "VERB", PLUR)
    cat, cats = ("cha\u0302t", *CAT[1:]), ("châts", *CATS[1:])
    items, *_ = build({"one": clause(cat, verb=agrees), "two": clause(cats, verb=agree)})
    columns = ("sen", "wrong_sen", "masked", "form_right", "form_wrong")
    assert [[row[name] for name in columns] for row in items] == [
        ["ch\u00e2t agr\u00e9es.", "ch\u00e2t agr\u00e9e.", "ch\u00e2t [MASK].",
         "agr\u00e9es", "agr\u00e9e"],
        ["ch\u00e2ts agr\u00e9e.", "ch\u00e2ts agr\u00e9es.", "ch\u00e2ts [MASK].",
         "agr\u00e9e", "agr\u00e9es"],
    ]  # fmt: skip


def test_every_column_has_a_meaning():
    assert SCHEMA.names == list(MEANINGS)


def test_a_neighbour_of_another_number_is_an_attractor(build):
    dogs = ("dogs", "dog", "NOUN", "Number=Plur", 1, "nmod")
    items, *_ = build({**BOTH, "near": clause(CAT, dogs, verb=SLEEPS)})
    (row,) = (row for row in items if row["sentence_id"] == "other:near")
    assert (row["attractors"], row["nearest"], row["distance"]) == (1, "Plur", 2)


def test_an_auxiliary_at_the_head_of_the_sentence_is_capitalised(build):
    do = ("do", "do", "AUX", PLUR)
    sleep = ("sleep", "sleep", "VERB", "VerbForm=Inf", 0, "root")
    sentences = {
        "q": [("Does", "do", "AUX", SING, 3, "aux"), (*CAT, 3, "nsubj"), sleep],
        "p": [(*CATS, 3, "nsubj"), (*do, 3, "aux"), sleep],
    }
    items, *_ = build(sentences)
    assert [(row["form_right"], row["form_wrong"], row["order"]) for row in items] == [
        ("Does", "Do", "VS"), ("do", "does", "SV")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        (clause(CATS, verb=SLEEPS), "subject and target disagree"),
        (clause(CAT, verb=("walks", "walk", "VERB", SING)), "no candidate form"),
        (
            clause(("_", "_", "NOUN", "Number=Sing"), verb=("_", "_", "VERB", SING)),
            "withheld text",
        ),
        (clause(CAT, verb=("sleeps", "_", "VERB", SING)), "the target has no lemma"),
        (clause(CAT, verb=("'s", "be", "VERB", SING)), "the target is no whole word"),
        (
            clause(CAT, verb=("sleeps", "sleep", "VERB", SING + "|Typo=Yes")),
            "a slip, or another language",
        ),
        (
            clause(CAT, verb=("slept", "sleep", "VERB", "Number=Plur,Sing")),
            "the target has every value",
        ),
        (
            clause(("that", "that", "PRON", "_"), verb=("slept", "sleep", "VERB", "Tense=Past")),
            "the target states no value",
        ),
    ],
)  # fmt: skip
def test_why_a_subject_makes_no_pair(build, sentence, reason):
    _, drops, _ = build({**BOTH, "x": sentence}, agrees=None)
    of_feature = "" if reason == "withheld text" else "Number: "
    assert drops == {of_feature + reason: 1}


@pytest.mark.parametrize(("feature", "possible"), [("Number", 4), ("Person", 8)])
def test_pairs_and_drops_of_a_feature_add_up(build, feature, possible):
    """Of four subjects: verbs have two numbers and three persons."""
    am = ("am", "be", "VERB", SING.replace("3", "1"))
    are = ("are", "be", "VERB", PLUR.replace("3", "2"))
    sentences = {
        **BOTH,
        "i": clause(("i", "i", "PRON", "Number=Sing|Person=1"), verb=am),
        "you": clause(("you", "you", "PRON", "Person=2"), verb=are),
    }
    items, drops, _ = build(sentences, features=("Number", "Person"), agrees=None)
    made = sum(row["phenomenon"] == phenomenon("verb", feature) for row in items)
    left_out = sum(n for reason, n in drops.items() if reason.startswith(f"{feature}: "))
    assert made + left_out == possible


def test_a_subject_that_may_be_plural_is_ambiguous(build):
    sheep = {
        "sg": clause(("sheep", "sheep", "NOUN", "Number=Sing"), verb=SLEEPS),
        "pl": clause(("sheep", "sheep", "NOUN", "Number=Plur"), verb=SLEEP),
    }
    items, drops, _ = build({**BOTH, **sheep})
    assert (len(items), drops) == (2, {"Number: ambiguous subject": 2})


@pytest.mark.parametrize(
    ("subject", "left_out"),
    [
        (("Я", "я", "PRON", "Person=1"), True),
        (("Ты", "ты", "PRON", "Person=2"), True),
        (("Саша", "Саша", "PROPN", "_"), True),
        (("Саша", "Саша", "PROPN", "Gender=Masc"), False),
        (("кто", "кто", "PRON", "_"), False),
        (("врач", "врач", "NOUN", "_"), False),
    ],
)
def test_a_speaker_or_a_name_that_states_no_gender_may_have_either(build, subject, left_out):
    began = ("начал", "начать", "VERB", "Gender=Masc|Number=Sing|Tense=Past|VerbForm=Fin")
    began_fem = ("начала", "начать", "VERB", began[3].replace("Masc", "Fem"))
    she = ("она", "она", "PRON", "Gender=Fem|Person=3")
    sentences = {"she": clause(she, verb=began_fem), "x": clause(subject, verb=began)}
    items, drops, _ = build(sentences, features=("Gender",))
    made = ["она начал."] if left_out else ["она начал.", f"{subject[0]} начала."]
    assert [row["wrong_sen"] for row in items] == made
    assert drops == ({"Gender: ambiguous subject": 1} if left_out else {})


@pytest.mark.parametrize(("in_full", "made"), [(0, []), (1, ["chats ne est."])])
def test_a_form_that_would_change_the_word_before_it_makes_no_pair(build, in_full, made):
    """*N'sont* never; *ne est* unless half of the words before vowels, or more, are in full."""
    est, sont = ("est", "être", "AUX", SING), ("sont", "être", "AUX", PLUR)
    ne, elided = ("ne", "ne", "ADV", "_", 3, "advmod"), ("n'", "ne", "ADV", "_", 3, "advmod")
    oui = ("oui", "oui", "INTJ", "_", 0, "root")
    sentences = {
        "sg": clause(("chat", *CAT[1:]), elided, verb=est),
        "pl": clause(("chats", *CATS[1:]), ne, verb=sont),
    } | {f"no{at}": [oui, ne, oui] for at in range(in_full)}
    items, drops, _ = build(sentences)
    assert [row["wrong_sen"] for row in items] == made
    reason = "Number: another form would change the spelling of the word before it"
    assert drops == {reason: 2 - len(made)}


def test_a_form_that_is_right_in_another_tense_is_no_error(build):
    """*The tariff costs*, and *cost*: MB-7."""
    past = ("cost", "cost", "VERB", "Mood=Ind|Tense=Past|VerbForm=Fin")
    costs, cost = ("costs", "cost", "VERB", SING), ("cost", "cost", "VERB", PLUR)
    sentences = {
        **BOTH, "sg": clause(CAT, verb=costs), "pl": clause(CATS, verb=cost),
        "past": clause(CAT, verb=past),
    }  # fmt: skip
    items, drops, _ = build(sentences)
    assert drops["Number: syncretism"] == 1
    assert [row["form_right"] for row in items] == ["sleeps", "sleep", "cost"]


@pytest.mark.parametrize(
    ("language", "made"), [("de", ["ich baut."]), ("is", ["cat baue.", "ich baut."])]
)
@pytest.mark.parametrize("source", ["treebank", "unimorph"])
def test_a_german_subjunctive_may_report_speech(build, language, made, source):
    """*Die Post baue ab* beside *baut*; of *ich baue* the third person is wrong."""
    builds = ("baut", "bauen", "VERB", SING)
    build_1 = ("baue", "bauen", "VERB", SING.replace("Person=3", "Person=1"))
    reported = ("baue", "bauen", "VERB", SING.replace("Ind", "Sub"))
    sentences = {
        "3": clause(CAT, verb=builds),
        "1": clause(("ich", "ich", "PRON", "Number=Sing|Person=1"), verb=build_1),
    }
    if source == "treebank":
        sentences["sub"] = [(*reported, 0, "root")]
        unimorph = ""
    else:
        unimorph = "bauen\tbaut\tV;IND;PRS;3;SG\nbauen\tbaue\tV;SBJV;PRS;3;SG\n"
    items, drops, _ = build(sentences, features=("Person",), unimorph=unimorph, language=language)
    assert [row["wrong_sen"] for row in items] == made
    assert drops == ({"Person: syncretism": 1} if language == "de" else {})


def test_what_an_annotator_left_out_is_no_reading(build):
    """A plural without features, in the same tense, does not make the plural right."""
    bare = ("sleep", "sleep", "VERB", "Mood=Ind|Tense=Pres|VerbForm=Fin")
    items, _, _ = build({**BOTH, "bare": clause(CATS, verb=bare)})
    assert "cat sleep." in {row["wrong_sen"] for row in items}


def test_the_closest_cell_where_no_word_has_all_features(build):
    """Faroese plurals state no person."""
    plural = ("sova", "sova", "VERB", "Mood=Ind|Number=Plur|Tense=Pres|VerbForm=Fin")
    sentences = {
        "sg": clause(CAT, verb=("svevur", "sova", "VERB", SING)), "pl": clause(CATS, verb=plural)
    }  # fmt: skip
    items, *_ = build(sentences)
    assert [(r["form_right"], r["form_wrong"], r["source_of_forms"]) for r in items] == [
        ("svevur", "sova", "closest"), ("sova", "svevur", "treebank")
    ] or [(r["form_right"], r["form_wrong"], r["source_of_forms"]) for r in items] == [
        ("svevur", "sova", "closest"), ("sova", "svevur", "closest")
    ]  # fmt: skip


@pytest.mark.parametrize("also", ["Mutation=SM", "Clitic=Yes", "Style=Arch", "Tense=Past"])
def test_the_closest_cell_leaves_out_features_of_agreement_alone(build, also):
    """Welsh *gwelodd* and *welais*: a mutation is no agreement."""
    plural = f"{also}|Mood=Ind|Number=Plur|VerbForm=Fin"
    singular = "Mood=Ind|Number=Sing|Person=3|VerbForm=Fin"
    sentences = {
        "sg": clause(CAT, verb=("svevur", "sova", "VERB", singular)),
        "pl": clause(CATS, verb=("sova", "sova", "VERB", plural)),
    }
    items, drops, _ = build(sentences)
    assert (items, drops) == ([], {"Number: no candidate form": 2})


def test_no_closest_cell_where_another_verb_has_the_full_one(build):
    walk = ("walks", "walk", "VERB", SING)
    vague = ("walk", "walk", "VERB", "Mood=Ind|Number=Plur|Tense=Pres|VerbForm=Fin")
    items, drops, _ = build(
        {**BOTH, "w": clause(CAT, verb=walk), "v": clause(CATS, verb=vague)}, agrees=None
    )
    assert [row["form_right"] for row in items if row["form_wrong"] == "walk"] == []
    assert drops["Number: no candidate form"] >= 1


def test_unimorph_supplies_forms(build):
    walks = {"w": clause(CAT, verb=("walks", "walk", "VERB", SING))}
    text = "walk\twalks\tV;IND;PRS;3;SG\nwalk\twalk\tV;IND;PRS;3;PL\n"
    items, *_ = build({**BOTH, **walks}, unimorph=text)
    assert [row["source_of_forms"] for row in items if row["form_right"] == "walks"] == ["unimorph"]


def test_lines_of_unimorph_that_are_left_out_are_said_once(build, caplog):
    caplog.set_level("INFO")
    text = "walk\twalks\tV;IND;PRS;3;SG\nwalk\t-\tV;IND;PRS;3;PL\n"
    build(BOTH, features=("Number", "Person"), unimorph=text)
    (said,) = (each for each in caplog.messages if "left out" in each)
    assert said.endswith("xyz: lines left out: no form: 1")


def test_a_verb_without_number_has_that_of_its_form_in_unimorph(build):
    """As in Amharic."""
    bare = ("walks", "walk", "VERB", "Mood=Ind|VerbForm=Fin")
    text = "walk\twalks\tV;IND;PRS;3;SG\nwalk\twalk\tV;IND;PRS;3;PL\n"
    items, *_ = build({"w": clause(CAT, verb=bare)}, unimorph=text)
    assert [(row["right_value"], row["form_wrong"]) for row in items] == [("Sing", "walk")]


def test_each_wrong_person_is_an_item_and_nouns_are_third(build):
    def person(number):
        return SING.replace("Person=3", f"Person={number}")

    i, you = (
        ("I", "I", "PRON", "Number=Sing|Person=1"),
        ("du", "du", "PRON", "Number=Sing|Person=2"),
    )
    sentences = {
        "1": clause(i, verb=("gehe", "gehen", "VERB", person(1))),
        "2": clause(you, verb=("gehst", "gehen", "VERB", person(2))),
        "3": clause(CAT, verb=("geht", "gehen", "VERB", SING)),
    }
    items, *_ = build(sentences, features=("Person",))
    told = ("form_right", "form_wrong", "right_value", "wrong_value")
    assert [tuple(row[name] for name in told) for row in items] == [
        ("gehe", "gehst", "1", "2"), ("gehe", "geht", "1", "3"),
        ("gehst", "gehe", "2", "1"), ("gehst", "geht", "2", "3"),
        ("geht", "gehe", "3", "1"), ("geht", "gehst", "3", "2"),
    ]  # fmt: skip
    assert {row["phenomenon"] for row in items} == {"SV-P"}


def test_values_whose_subjects_do_not_agree_make_no_pairs(build):
    """Eight of forty plural subjects with a plural verb: at most 0.35, by Wilson."""
    sentences = dict(BOTH)
    for at in range(32):
        sentences[f"d{at}"] = clause(
            CATS, *at * [("so", "so", "ADV", "_", 1, "advmod")], verb=SLEEPS
        )
    items, drops, agreement = build(sentences)
    (row,) = (row for row in agreement if row["value"] == "Plur")
    assert (row["subjects"], row["agree"], row["kept"]) == ("33", "1", "False")
    assert drops["Number: subjects of this value do not agree"] == 1
    assert [r["right_value"] for r in items] == ["Sing"]
    assert len(build(sentences, agrees=None)[0]) == 2


def test_a_draw_per_condition_keeps_the_order_and_follows_the_seed(build):
    sentences = dict(BOTH)
    for at in range(20):
        sentences[f"d{at}"] = clause(
            CAT, *at * [("so", "so", "ADV", "_", 1, "advmod")], verb=SLEEPS
        )
    drawn = [
        [row["sentence_id"] for row in build(sentences, per_condition=5, seed=seed)[0]]
        for seed in (1, 1, 2)
    ]
    assert [len(ids) for ids in drawn] == [6, 6, 6]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_feature_that_no_verb_has_makes_an_empty_set(build, caplog):
    with caplog.at_level("INFO"):
        items, drops, _ = build(BOTH, features=("Gender",))
    assert (items, drops) == ([], {})
    assert "no verb has the feature Gender; verbs have Mood, Number, Person" in caplog.text
    assert "toy: no item" in caplog.text


def test_a_treebank_without_subjects_is_an_error(build):
    with pytest.raises(KasuError, match="no word is nsubj"):
        build({"x": [(*CAT, 0, "root")]})


@pytest.mark.parametrize("rules", ["kasu", "multiblimp"])
def test_a_language_all_of_whose_licences_are_left_out_has_an_empty_set(tmp_path, caplog, rules):
    build_pairs(
        [], REQUESTS, tmp_path, design=PairDesign("toy", rules, ("Number",), "en"), sources=[],
        licences={},
    )  # fmt: skip
    assert pq.read_table(tmp_path / "items.parquet").num_rows == 0
    assert "toy: no treebank that `licences` lets in" in caplog.text


def test_both_rules_have_the_same_columns(build):
    sentences = {"a": [("aa", "aa", "NOUN", "Number=Sing", 0, "root")]}
    for at in range(5):
        sentences |= {
            f"s{at}": clause(CAT, verb=(f"v{at}s", f"v{at}", "VERB", SING)),
            f"p{at}": clause(CATS, verb=(f"v{at}", f"v{at}", "VERB", PLUR)),
        }
    items, _, agreement = build(sentences, rules="multiblimp")
    assert len(items) == 10
    row = items[0]
    assert (row["sen"], row["wrong_sen"], row["masked"]) == ("cat v0s", "cat v0", "cat [MASK]")
    assert (row["condition"], row["certainty"], row["nearest"]) == ("SG PL SV verb", "?", "SG")
    assert len({row["item_id"] for row in items}) == 10
    assert [(r["value"], r["agree"], r["kind"]) for r in agreement] == [
        ("PL", "5", "any"), ("SG", "5", "any")
    ]  # fmt: skip


def test_drops_by_their_rules_are_of_a_phenomenon(build):
    items, drops, _ = build({"x": clause(CAT, verb=SLEEPS)}, rules="multiblimp")
    assert (items, drops) == ([], {"SV-#: no other form": 1})


def test_participles_agree_in_gender_and_number(build):
    """Swedish, whose finite verbs do not agree."""
    be = ("är", "vara", "AUX", "Mood=Ind|Tense=Pres|VerbForm=Fin", 3, "cop")
    common, neuter = "Gender=Com|Number=Sing", "Gender=Neut|Number=Sing"
    sold = ("såld", "såld", "ADJ", common + "|VerbForm=Part")
    sold_neuter = ("sålt", "såld", "ADJ", neuter + "|VerbForm=Part")
    sentences = {
        "c": clause(("bil", "bil", "NOUN", common), be, verb=sold),
        "n": clause(("hus", "hus", "NOUN", neuter), be, verb=sold_neuter),
    }
    items, *_ = build(sentences, features=("Number", "Person", "Gender"))
    assert [(row["phenomenon"], row["wrong_sen"]) for row in items] == [
        ("SP-G", "bil är sålt."), ("SP-G", "hus är såld.")
    ]  # fmt: skip


def test_unimorph_without_verbs_is_refused(build):
    with pytest.raises(KasuError, match="no paradigm of a verb"):
        build({"w": clause(CAT, verb=("walks", "walk", "VERB", SING)), **BOTH},
              unimorph="cat\tcats\tN;PL\n")  # fmt: skip


def test_plural_nouns_make_no_pairs_of_person(build):
    """Spanish: *Las hembras tenemos crías*."""
    we = ("we", "we", "PRON", "Number=Plur|Person=1|PronType=Prs")
    which = ("which", "which", "PRON", "Number=Plur|Person=3|PronType=Rel")
    sentences = {
        "r": clause(which, verb=("gehen", "gehen", "VERB", PLUR)),
        "1": clause(we, verb=("gehem", "gehen", "VERB", PLUR.replace("Person=3", "Person=1"))),
        "3": clause(CATS, verb=("gehen", "gehen", "VERB", PLUR)),
    }
    items, drops, _ = build(sentences, features=("Person",))
    assert [row["form_right"] for row in items] == ["gehem"]
    assert drops == {"Person: a plural noun may take another person": 2}
