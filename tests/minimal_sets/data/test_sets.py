"""Minimal sets from three sentences, and from the treebanks of the mirror."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv
from kasu.lm.scoring.items import read_items
from kasu.minimal_sets.data.design import Design
from kasu.minimal_sets.data.sets import build_set

QUERIES = Path(__file__).resolve().parents[3] / "resources" / "queries"
SUBJECTS = "pattern { V [upos=VERB]; S [upos=NOUN]; V -[nsubj]-> S }"
WORDS = "pattern { V [upos=VERB]; S [upos=NOUN]; V -> S }"
CONVENTIONS = QUERIES.parent / "tagsets" / "unimorph_conventions.tsv"
FINITE = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
OBJECTS = "pattern { V [upos=VERB]; O [Case=Nom]; V -[obj]-> O }"


def rows(folder: Path) -> list[dict]:
    return read_parquet(folder / "items.parquet").to_pylist()


def counts(folder: Path) -> dict[str, int]:
    return {row["step"]: int(row["count"]) for row in read_tsv(folder / "counts.tsv")}


def drops(folder: Path) -> dict[str, int]:
    return {row["reason"]: int(row["count"]) for row in read_tsv(folder / "drops.tsv")}


def test_an_item(build):
    assert rows(build()) == [
        {
            "item_id": "toy:ate:1",
            "set": "toy",
            "sentence_id": "ate",
            "match": 1,
            "matches": 1,
            "masked": "[MASK] ვაშლი შეჭამა.",
            "grammatical": "erg",
            "form_nom": "ბავშვი",
            "form_dat": "ბავშვს",
            "form_erg": "ბავშვმა",
            "source_of_forms": "nom=treebank dat=treebank erg=sentence",
            "target": 1,
            "upos": "NOUN",
            "lemma": "ბავშვი",
            "features": "Animacy=Anim|Case=Erg|Number=Sing",
            "concord": 0,
            "aspect": "Perf",
            "tense": "Past",
            "licence": "CC0",
            "note": None,
        }
    ]


def test_the_value_of_the_target_is_the_right_one(build):
    assert [row["grammatical"] for row in rows(build(SUBJECTS))] == ["erg", "nom", "dat"]


def test_counts(build):
    assert counts(build()) == {
        "sentences": 3,
        "sentences with a match": 1,
        "matches": 1,
        "valid items": 1,
        "items": 1,
    }


def test_a_set_can_be_scored(build):
    items = read_items(build() / "items.parquet")
    assert [item.column for item in items] == ["form_nom", "form_dat", "form_erg"]
    assert items[2].sentence == "ბავშვმა ვაშლი შეჭამა."


def test_a_missing_form_drops_the_item(build):
    # The apple is never ergative
    folder = build(WORDS, verb=None)
    assert [row["item_id"] for row in rows(folder)] == ["toy:ate:1", "toy:eats:1", "toy:loves:1"]
    assert drops(folder) == {"no candidate form": 3}


def test_two_values_are_enough(build):
    folder = build(OBJECTS, target="O", values=["Nom", "Dat"])
    assert [(row["form_nom"], row["form_dat"]) for row in rows(folder)] == [("ვაშლი", "ვაშლს")] * 2


def test_the_last_match_or_all(build):
    last = rows(build(WORDS, values=["Nom", "Dat"], matches="last"))
    assert [(row["item_id"], row["match"]) for row in last] == [
        ("toy:ate:2", 2),
        ("toy:eats:2", 2),
        ("toy:loves:2", 2),
    ]
    folder = build(WORDS, values=["Nom", "Dat"])
    assert len(rows(folder)) == 5
    assert drops(folder) == {"the target has another value": 1}


def test_one_target_in_two_matches_is_one_item(build):
    folder = build("pattern { S [upos=NOUN, Case=Erg]; V [upos=VERB|NOUN] }")
    assert counts(folder)["matches"] == 2
    assert drops(folder) == {"another item has this masked sentence": 1}


def test_a_target_that_is_not_a_word_is_dropped(build):
    # S matches the anchor above the root
    folder = build("pattern { S []; V [upos=VERB]; S -[root]-> V }")
    assert drops(folder) == {"the target has another value": 3}


def test_further_treebanks_give_forms_and_no_items(build, treebank, tmp_path):
    text = treebank.read_text(encoding="utf-8")
    first, rest = text.split("\n\n", 1)
    one, other = tmp_path / "one.conllu", tmp_path / "other.conllu"
    one.write_text(first + "\n\n", encoding="utf-8")
    other.write_text(rest, encoding="utf-8")
    with pytest.raises(KasuError, match="no word has Case=Dat"):
        build(treebanks=[one], values=["Erg", "Dat"])
    assert len(rows(build(treebanks=[one], lexicon=[other]))) == 1


def test_unimorph_gives_missing_forms(build, tmp_path):
    paradigms = tmp_path / "kat"
    lines = ("ვაშლი\tN;NOM;SG", "ვაშლს\tN;DAT;SG", "ვაშლმა\tN;ERG;SG")
    paradigms.write_text("".join(f"ვაშლი\t{line}\n" for line in lines), encoding="utf-8")
    found = rows(build(OBJECTS, target="O", unimorph=paradigms))
    assert [row["form_erg"] for row in found] == ["ვაშლმა", "ვაშლმა"]
    assert found[0]["source_of_forms"] == "nom=sentence dat=treebank erg=unimorph"


def test_lines_of_unimorph_that_are_left_out_are_said(build, tmp_path, caplog):
    caplog.set_level("INFO")
    forms = ("ვაშლი\tN;NOM;SG", "ვაშლს\tN;DAT;SG", "ვაშლმა\tN;ERG;SG", "-\tN;ERG;PL")
    (tmp_path / "kat").write_text("".join(f"ვაშლი\t{form}\n" for form in forms), "utf-8")
    build(OBJECTS, target="O", unimorph=tmp_path / "kat")
    assert f"{tmp_path / 'kat'}: lines left out: no form: 1" in caplog.messages


@pytest.mark.parametrize("feature", ["Number[psor]", "Number__psor"])
def test_a_layered_feature_is_named_as_in_the_treebank_or_as_in_grew(
    build, write_treebank, feature
):
    def clause(house, number, comes):
        noun = (house, "ev", "NOUN", f"Case=Nom|Number[psor]={number}", 2, "nsubj")
        return [noun, (comes, "gel", "VERB", "_", 0, "root")]

    sentences = {"one": clause("evim", "Sing", "geldi"), "two": clause("evimiz", "Plur", "gelir")}
    folder = build(
        SUBJECTS,
        treebanks=[write_treebank(sentences)],
        feature=feature,
        values=["Sing", "Plur"],
    )
    assert [(row["grammatical"], row["form_sing"], row["form_plur"]) for row in rows(folder)] == [
        ("sing", "evim", "evimiz"),
        ("plur", "evim", "evimiz"),
    ]


def test_text_and_forms_are_in_one_normalisation(build, write_treebank, tmp_path):
    def clause(rose, blooms):
        noun = (rose, "gül", "NOUN", "Case=Nom|Number=Sing", 2, "nsubj")
        return [noun, (blooms, "gülümse", "VERB", "Tense=Pres", 0, "root")]

    decomposed, composed = clause("gu\u0308l", "gu\u0308lu\u0308mser"), clause("gül", "gülümser")
    (tmp_path / "tur").write_text("gül\tgül\tN;NOM;SG\ngül\tgülü\tN;ACC;SG\n", "utf-8")
    folder = build(
        SUBJECTS,
        treebanks=[write_treebank({"one": decomposed, "two": composed})],
        unimorph=tmp_path / "tur",
        language="tur",
        values=["Nom", "Acc"],
    )
    assert [(row["masked"], row["form_nom"], row["form_acc"]) for row in rows(folder)] == [
        ("[MASK] g\u00fcl\u00fcmser.", "g\u00fcl", "g\u00fcl\u00fc")
    ]
    assert drops(folder) == {"another item has this masked sentence": 1}


def test_a_second_file_of_unimorph_is_read_too(build, tmp_path):
    lines = {"one": ("ვაშლი\tN;NOM;SG", "ვაშლს\tN;DAT;SG"), "two": ("ვაშლმა\tN;ERG;SG",)}
    for name, forms in lines.items():
        (tmp_path / name).write_text("".join(f"ვაშლი\t{form}\n" for form in forms), "utf-8")
    found = rows(build(OBJECTS, target="O", unimorph=[tmp_path / "one", tmp_path / "two"]))
    assert [row["form_erg"] for row in found] == ["ვაშლმა", "ვაშლმა"]


def test_a_draw_is_counted_and_stable(build):
    folder = build(SUBJECTS, max_items=2, seed=1)
    drawn = rows(folder)
    assert len(drawn) == 2
    assert drops(folder) == {"not drawn": 1}
    assert (counts(folder)["valid items"], counts(folder)["items"]) == (3, 2)
    before = (folder / "items.parquet").read_bytes()
    assert (build(SUBJECTS, max_items=2, seed=1) / "items.parquet").read_bytes() == before
    smaller = rows(build(SUBJECTS, max_items=1, seed=1))
    assert smaller[0] in drawn


def test_concord_counts_dependents_that_show_the_value(build, treebank):
    text = treebank.read_text(encoding="utf-8")
    big = "4\tდიდმა\tდიდი\tADJ\t_\tCase=Erg\t1\tamod\t_\t_"
    line = next(line for line in text.splitlines() if "შეჭამა\t" in line)
    text = text.replace(line, f"{line}\n{big}")
    treebank.write_text(text, encoding="utf-8")
    assert rows(build())[0]["concord"] == 1


def test_a_word_after_a_hyphen_is_dropped(build, treebank):
    words = (
        "EU-\tEU-\tX\t_\t_\t2\tdep",
        "ბავშვმა\tბავშვი\tNOUN\t_\tAnimacy=Anim|Case=Erg|Number=Sing\t4\tnsubj",
        "ვაშლი\tვაშლი\tNOUN\t_\tCase=Nom\t4\tobj",
        "შეჭამა\tჭამა\tVERB\t_\t_\t0\troot",
    )
    lines = (f"{at}\t{word}\t_\t_\n" for at, word in enumerate(words, 1))
    text = f"# sent_id = eu\n# text = EU-ბავშვმა ვაშლი შეჭამა\n{''.join(lines)}\n"
    folder = build(treebanks=[other(treebank, text)], lexicon=[treebank])
    assert drops(folder) == {"glued to a letter, a digit or a hyphen": 1}


def test_a_form_that_would_change_the_word_before_it_drops_the_item(build, write_treebank):
    est = ("est", "être", "AUX", "Number=Sing", 0, "root")
    sont = ("sont", "être", "AUX", "Number=Plur", 0, "root")
    sentences = {
        "c": [("c'", "ce", "PRON", "_", 2, "nsubj"), est],
        "ce": [("ce", "ce", "PRON", "_", 2, "nsubj"), sont],
    }
    folder = build(
        "pattern { S [upos=AUX] }", [write_treebank(sentences)],
        feature="Number", values=["Sing", "Plur"], verb=None,
    )  # fmt: skip
    assert [row["masked"] for row in rows(folder)] == ["ce [MASK]."]
    reason = "another form would change the spelling of the word before it"
    assert drops(folder) == {reason: 1}


def test_the_card_states_licence_and_columns(build):
    card = (build() / "README.md").read_text(encoding="utf-8")
    assert "**CC0**" in card
    assert "| `form_erg` | the target with the value Erg |" in card


def test_only_georgian_sets_cite_the_paper_on_georgian(treebank, tmp_path):
    for language, cited in (("ka", True), ("de", False)):
        folder, design = tmp_path / language, Design("toy", "S", ["Nom", "Dat", "Erg"])
        build_set([treebank], SUBJECTS, folder, design=design, language=language, sources=[])
        card = (folder / "README.md").read_text(encoding="utf-8")
        assert ("Gallagher & Heyer (2026)" in card) is cited


@pytest.mark.parametrize(
    "design, message",
    [
        ({"target": "X"}, r"no node 'X' in the request; expected V, S, O$"),
        ({"verb": "X"}, r"no node 'X' in the request"),
        ({"feature": "Definite"}, r"no word has the feature Definite; expected Animacy, Aspect, C"),
        ({"values": ["Erg", "Abs"]}, r"no word has Case=Abs; expected some of Dat, Erg, Nom$"),
        ({"values": ["Erg"]}, r"values: \['Erg'\]; expected two or more"),
        ({"matches": "first"}, r"matches: 'first'; expected all or last"),
        ({"capitals": "none"}, r"capitals: 'none'; expected word or released"),
        ({"agreement": {"Nom": "Number"}, "verb": None}, r"agreement: no verb"),
        ({"agreement": {"Nom": "Number[subj]"}}, r"no word has the feature Number__subj"),
    ],
)
def test_bad_input(build, design, message):
    with pytest.raises(KasuError, match=message):
        build(**design)


def test_one_sentence_id_in_two_treebanks(build, treebank, tmp_path):
    other = tmp_path / "other.conllu"
    text = treebank.read_text(encoding="utf-8").replace("შეჭამა", "ჭამა")
    other.write_text(text, encoding="utf-8")
    with pytest.raises(KasuError, match="sentence_id ate again, with another text"):
        build(treebanks=[treebank, other])


def test_what_left_no_item_is_counted_and_said(build, caplog):
    folder = build(agreement={"Nom": "Number"})
    assert (rows(folder), drops(folder)) == ([], {"no agreement marked": 1})
    (record,) = (each for each in caplog.records if each.levelname == "WARNING")
    assert record.getMessage() == "toy: no item: 1 matches (no agreement marked: 1)"


def build_real(mirror, tmp_path, treebank, request, target, values, agreement=None):
    files = sorted((mirror / "ud" / treebank).glob("*.conllu"))
    design = Design("real", target, values, verb="V", agreement=agreement, matches="last")
    if request.endswith(".req"):
        request = QUERIES / request
    build_set(files, request, tmp_path, design=design, language="x", sources=[])
    return counts(tmp_path), drops(tmp_path)


@pytest.mark.real
@pytest.mark.parametrize(
    "request_name, target, sentences, matches, items",
    [
        ("intransitive_nom", "S", 332, 407, 27),
        ("nom_dat", "S", 276, 297, 38),
        ("nom_dat", "O", 276, 297, 21),
        ("erg_nom", "S", 81, 84, 22),
        ("erg_nom", "O", 81, 84, 6),
        ("dat_nom", "S", 57, 59, 7),
        ("dat_nom", "O", 57, 59, 4),
        ("intransitive_erg", "S", 12, 12, 4),
    ],
)
def test_sets_of_georgian(mirror, tmp_path, request_name, target, sentences, matches, items):
    found, dropped = build_real(
        mirror,
        tmp_path,
        "UD_Georgian-GLC",
        f"kat/{request_name}.req",
        target,
        ["Nom", "Dat", "Erg"],
    )
    assert (found["sentences with a match"], found["matches"]) == (sentences, matches)
    assert found["items"] == items
    assert found["items"] + sum(dropped.values()) == matches


@pytest.mark.real
def test_german_words_after_a_hyphen_are_dropped(mirror, tmp_path):
    # EU-[MASK]
    request = "pattern { V [upos=VERB]; S [upos=NOUN]; V -> S }"
    found, dropped = build_real(mirror, tmp_path, "UD_German-GSD", request, "S", ["Acc", "Dat"])
    assert found["items"] == 39
    assert dropped["glued to a letter, a digit or a hyphen"] == 21
    assert not any("-[MASK]" in row["masked"] for row in rows(tmp_path))


@pytest.mark.real
def test_unimorph_gives_english_verbs_their_tense(mirror, tmp_path):
    (treebank,) = (mirror / "ud" / "UD_English-EWT").glob("*dev.conllu")
    build_set(
        [treebank],
        "pattern { V [upos=VERB, Tense=Past, VerbForm=Fin] }",
        tmp_path,
        design=Design("past", "V", ["Pres", "Past"], feature="Tense", matches="last"),
        language="en",
        sources=[],
        unimorph=mirror / "unimorph" / "eng" / "eng.gz",
    )
    sources = [row["source_of_forms"] for row in rows(tmp_path)]
    assert sum("unimorph" in source for source in sources) == 80


@pytest.mark.real
@pytest.mark.parametrize("unimorph, items", [(False, 144), (True, 267)])
def test_english_verbs_agree_in_number(mirror, tmp_path, unimorph, items):
    build_set(
        [mirror / "ud" / "UD_English-EWT" / "en_ewt-ud-dev.conllu"],
        "pattern { V [upos=VERB, VerbForm=Fin, Tense=Pres, Person=3]; V -[nsubj]-> S }",
        tmp_path,
        design=Design("number", "V", ["Sing", "Plur"], feature="Number"),
        language="en",
        sources=[],
        unimorph=mirror / "unimorph" / "eng" / "eng.gz" if unimorph else (),
        conventions=CONVENTIONS,
    )
    assert (counts(tmp_path)["matches"], counts(tmp_path)["items"]) == (287, items)


@pytest.mark.real
def test_agreement_rejects_basque_datives_if_the_ergative_may_be_dropped(mirror, tmp_path):
    slots = {case: f"Number[{case.lower()}]" for case in ("Abs", "Erg", "Dat")}
    _, dropped = build_real(
        mirror, tmp_path, "UD_Basque-BDT", "eus/dat_abs.req", "D", [*slots], slots
    )
    assert dropped["licensed wrong form"] > 0


@pytest.mark.real
def test_russian_accusatives_that_equal_nominatives_are_dropped(mirror, tmp_path):
    found, dropped = build_real(
        mirror,
        tmp_path,
        "UD_Russian-Taiga/r2.7",
        "rus/nom_acc_object.req",
        "O",
        ["Nom", "Acc"],
        {"Nom": "Number"},
    )
    assert dropped["equal to the right form"] > found["items"] > 0


def test_a_target_without_a_lemma_is_dropped(build, treebank):
    text = treebank.read_text(encoding="utf-8")
    bare = text.replace("ბავშვს\tბავშვი\t", "ბავშვს\t_\t")
    assert bare != text
    treebank.write_text(bare, encoding="utf-8")
    folder = build(SUBJECTS, values=["Nom", "Erg", "Dat"], lexicon=[other(treebank, text)])
    assert [row["sentence_id"] for row in rows(folder)] == ["ate", "eats"]
    assert drops(folder) == {"the target has no lemma": 1}


def other(treebank: Path, text: str) -> Path:
    """Write a second treebank."""
    path = treebank.with_name("other.conllu")
    path.write_text(text, encoding="utf-8")
    return path


def test_a_treebank_without_lemmas_is_refused(build, treebank):
    rows = (line.split("\t") for line in treebank.read_text(encoding="utf-8").splitlines())
    bare = ("\t".join([*row[:2], "_", *row[3:]]) if len(row) > 1 else row[0] for row in rows)
    treebank.write_text("\n".join(bare) + "\n\n", encoding="utf-8")
    with pytest.raises(KasuError, match=r"toy\.conllu: no word with the feature Case has a lemma"):
        build()


def test_agreement_of_an_unknown_value_is_refused(build):
    with pytest.raises(KasuError, match="agreement: 'erg'; expected some of Dat, Erg, Nom"):
        build(agreement={"erg": "Number"})


def test_a_set_without_treebanks_is_refused(tmp_path):
    with pytest.raises(KasuError, match="toy: no treebank; expected one that `licences` lets in"):
        build_set(
            [],
            SUBJECTS,
            tmp_path,
            design=Design("toy", "S", ["Nom", "Dat"]),
            language="kat",
            sources=[],
        )


ENGLISH = {
    "one": [
        ("It", "it", "PRON", "Number=Sing", 2, "nsubj"),
        ("puts", "put", "VERB", FINITE, 0, "root"),
    ],
    "two": [
        ("She", "she", "PRON", "Number=Sing", 2, "nsubj"),
        ("walks", "walk", "VERB", FINITE, 0, "root"),
    ],
}


def test_unimorph_knows_readings_that_the_treebank_lacks(build, write_treebank, tmp_path):
    # *It put* is right as a past
    paradigms = tmp_path / "eng"
    rows_of = {"put": ("put", "puts", "put"), "walk": ("walk", "walks", "walked")}
    paradigms.write_text(
        "".join(
            f"{lemma}\t{form}\t{tags}\n"
            for lemma, forms in rows_of.items()
            for form, tags in zip(forms, ("V;NFIN", "V;3;SG;PRS", "V;PST"), strict=True)
        ),
        encoding="utf-8",
    )
    folder = build(
        "pattern { V [upos=VERB] }", [write_treebank(ENGLISH)], unimorph=paradigms,
        conventions=CONVENTIONS, target="V", feature="Number", values=["Sing", "Plur"],
        language="en",
    )  # fmt: skip
    assert [row["form_plur"] for row in rows(folder)] == ["walk"]
    assert drops(folder) == {"syncretism": 1}


@pytest.mark.parametrize(
    ("form", "feats", "left_out"),
    [
        ("put", "Mood=Ind|Tense=Past|VerbForm=Fin", {"syncretism": 1}),
        ("put", "Mood=Ind|Tense=Pres|VerbForm=Fin", {}),
        ("put", "VerbForm=Inf", {}),
        ("set", "Mood=Ind|Tense=Past|VerbForm=Fin", {}),
    ],
)
def test_a_verb_without_the_feature_is_a_reading_in_another_tense(
    build, write_treebank, form, feats, left_out
):
    """*It put* is right as a past; in the present, an annotator left out its number."""
    sentences = ENGLISH | {
        "they": [
            ("They", "they", "PRON", "Number=Plur", 2, "nsubj"),
            ("put", "put", "VERB", FINITE.replace("Sing", "Plur"), 0, "root"),
        ],
        "bare": [(form, "put", "VERB", feats, 0, "root")],
    }
    folder = build(
        "pattern { V [form=puts] }", [write_treebank(sentences)],
        target="V", feature="Number", values=["Sing", "Plur"], language="en",
    )  # fmt: skip
    assert (len(rows(folder)), drops(folder)) == (not left_out, left_out)


def test_a_target_that_is_a_piece_of_a_word_is_dropped(build, treebank):
    # *Maa- ja metsätalous*: the hyphen belongs to the word
    text = treebank.read_text(encoding="utf-8")
    cut = text.replace("\tბავშვს\t", "\tბავშვს-\t").replace("= ბავშვს ", "= ბავშვს- ")
    folder = build(SUBJECTS, [other(treebank, cut)], lexicon=[treebank])
    assert [row["sentence_id"] for row in rows(folder)] == ["ate", "eats"]
    assert drops(folder) == {"the target is no whole word": 1}
