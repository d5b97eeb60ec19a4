"""What fills must keep (S-10), how slots are found (BLM-6), and fills from a lexicon."""

from dataclasses import replace
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.blm.data.problems import SLOT_NAMES, Problems
from kasu.blm.data.types import generate_type_ii
from kasu.blm.generation.fills import LexiconFills, judge
from kasu.blm.generation.grammar import CLAUSES, STATES, State
from kasu.blm.generation.seeds import COLUMNS as SEED_COLUMNS
from kasu.blm.generation.seeds import read_seeds
from kasu.blm.generation.slots import SLOTS, ask_fills, find_slots
from kasu.blm.generation.substitutions import COLUMNS, Lexicon, Pair, read_lexicon

SEEDS = Path(__file__).resolve().parents[3] / "resources" / "seeds"
PLAIN = STATES.index(State("sg", "sg", None))
PLURAL = STATES.index(State("pl", "pl", None))


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return read_lexicon(SEEDS / "fra.lexicon.tsv")


@pytest.fixture(scope="module")
def slots(lexicon):
    """Slots of the shipped French seeds: [row][name]."""
    seeds = read_seeds(SEEDS / "fra.tsv")
    return [
        {slot.name: slot for clause in CLAUSES for slot in find_slots(seed, clause, lexicon)}
        for seed in seeds
    ]


def test_slots_of_each_clause_type_are_those_of_the_paper():
    assert [len(SLOTS[clause]) for clause in CLAUSES] == [2, 4, 4]


def test_words_of_the_slots_are_found(slots):
    found = {name: next(iter(slot.forms.values())) for name, slot in slots[6].items()}
    assert found == {
        "subject": "affiche",
        "attractor": "concert",
        "matrix_subject": "directrice",
        "matrix_verb": "confirme",
        "relative_subject": "lucie",
        "relative_verb": "dessine",
    }


def test_every_shipped_slot_has_a_known_word(slots):
    assert {slot.group for row in slots for slot in row.values()} >= {"person", "thing"}
    assert [slot.forms for row in slots for slot in row.values() if not slot.group] == []


def test_a_request_shows_the_sentence_around_the_slot(slots):
    request = slots[6]["subject"].requests("completive")[PLURAL]
    assert request.before == "La directrice confirme que les "
    assert request.after == " pour les concerts attirent les passants ."
    assert (request.word, request.original) == ("affiches", Pair("affiche", "affiches"))
    assert (request.kind, request.number, request.gender) == ("noun", "pl", "f")
    assert (request.onset, request.group) == ("vowel", "thing")


def test_elision_and_gender_hold_in_the_plural_too(slots, lexicon):
    """`Les ___` shows neither, but the singular `L'___` needs both."""
    request = slots[6]["subject"].requests("main")[PLURAL]
    assert judge("images", request, lexicon) == Pair("image", "images")
    assert judge("tasses", request, lexicon) == "elision broken"
    assert judge("avions", request, lexicon) == "another gender"


def test_rejected_words_have_a_reason(slots, lexicon):
    request = slots[6]["attractor"].requests("main")[PLAIN]
    assert judge("tempss2", request, lexicon) == "not alphabetic"
    assert judge("Concert", request, lexicon) == "equal to the original"
    assert judge("concerts", request, lexicon) == "equal to the original"
    assert judge("brouhaha", request, lexicon) == "no paired number form"
    assert judge("romans", request, lexicon) == "no paired number form"
    assert judge("roman", request, lexicon) == Pair("roman", "romans")


def test_words_of_the_seed_are_not_repeated(slots, lexicon):
    request = slots[13]["subject"].requests("main")[PLAIN]
    assert judge("pont", request, lexicon) == "elsewhere in the seed"


def test_verbs_keep_their_form(slots, lexicon):
    request = slots[30]["matrix_verb"].requests("completive")[PLAIN]
    assert (request.word, request.group) == ("appris", "tell that:participle")
    assert judge("constaté", request, lexicon) == Pair("constaté", "constaté")
    assert judge("constate", request, lexicon) == "another form of the verb"


def test_a_word_after_an_auxiliary_is_a_participle(slots):
    said = slots[31]["matrix_verb"]
    assert (said.forms["prefix"], said.group) == ("dit", "tell that:participle")
    says = slots[8]["matrix_verb"]
    assert (says.forms["prefix"], says.group) == ("dit", "that:present")


def test_a_fill_replaces_the_word_in_every_chunk_of_its_slot(slots):
    filled = slots[26]["attractor"].fill(Pair("étang", "étangs"))
    columns = ("pp1_sg", "pp1_pl", "conjunct1_sg", "conjunct1_pl", "pp2_sg")
    assert [filled.chunks[column] for column in columns] == [
        "de l'étang", "des étangs", "et l'étang", "et les étangs", "du pilote"
    ]  # fmt: skip


def test_unknown_words_are_described_by_their_endings(lexicon):
    assert lexicon.like("remplaçaient", "relative_verb").group == "object:imperfect"
    assert lexicon.like("remplaçaient", "relative_verb").number_of("remplaçaient") == "pl"
    assert lexicon.like("accompagnatrice", "noun").gender == "f"


def test_lexicon_fills_do_not_depend_on_other_requests(slots, lexicon):
    requests = [slots[row]["subject"].requests("main")[PLAIN] for row in range(6)]
    together = LexiconFills(lexicon, 1).fills(requests, 5)
    alone = [LexiconFills(lexicon, 1).fills([request], 5)[0] for request in requests]
    assert together == alone
    assert LexiconFills(lexicon, 2).fills(requests, 5) != together


def test_lexicon_fills_pass_the_checks_for_models(slots, lexicon):
    source = LexiconFills(lexicon, 1)
    for row in slots:
        for slot, clause in zip(row.values(), ("main", "main", *["completive"] * 2), strict=False):
            for request in slot.requests(clause):
                (pairs,) = source.fills([request], 5)
                assert len(set(pairs)) == 5
                for pair in pairs:
                    assert judge(pair[request.number == "pl"], request, lexicon) == pair
    assert set(source.rejected) == {
        "another group or case", "another frame or form", "another gender", "elision broken",
        "elsewhere in the seed", "equal to the original",
    }  # fmt: skip


def test_a_seed_without_a_slot_is_one_line_and_the_log_names_the_slots(lexicon, caplog):
    seeds = read_seeds(SEEDS / "fra.tsv")[:1]
    slots = {clause: [find_slots(seed, clause, lexicon) for seed in seeds] for clause in CLAUSES}
    with pytest.raises(
        KasuError, match=r"fra\.tsv:2: no slot with 500 fills; expected one, by more"
    ):
        ask_fills(slots, LexiconFills(lexicon, 1), 500)
    assert len(caplog.messages) == 10
    assert caplog.messages[0].partition("fra.tsv")[2] == (
        ":2, slot subject left out: 58 fills of group 'thing' in "
        "'La [lampe] sur le bureau éclaire toute la pièce .', 500 are needed"
    )


# A language with cases

FINNISH = """\
noun,kirja,kirjat,,,nom
noun,kuva,kuvat,,,nom
noun,lamppu,lamput,,,nom
noun,talo,talot,,,nom
noun,laiva,laivat,,,nom
noun,kello,kellot,,,nom
noun,pöydällä,pöydillä,,,ade
noun,tuolilla,tuoleilla,,,ade
noun,hyllyllä,hyllyillä,,,ade
noun,ikkunalla,ikkunoilla,,,ade
name,liisa,liisa,,,nom
name,pekka,pekka,,,nom
function,että,että,,,
function,jota,jota,,,
matrix_verb,sanoo,sanovat,,,that:present
relative_verb,etsii,etsivät,,,part:present
"""
CELLS = (
    "liisa sanoo että,kirja,kirjat,pöydällä,pöydillä,ja tuolilla,ja tuoleilla,kadun,katujen,"
    "ja kadun,ja katujen,talon,talojen,ja talon,ja talojen,jota pekka etsii,maksaa,maksavat"
)
ADESSIVES = {
    "pöydällä", "tuolilla", "hyllyllä", "ikkunalla", "matolla", "laatikolla", "sängyllä",
    "pöydillä", "tuoleilla", "hyllyillä", "ikkunoilla", "matoilla", "laatikoilla", "sängyillä",
}  # fmt: skip
MORE = """\
noun,matolla,matoilla,,,ade
noun,laatikolla,laatikoilla,,,ade
noun,sängyllä,sängyillä,,,ade
"""


def finnish(tmp_path: Path, lexicon: str) -> tuple[list, Lexicon]:
    """One seed whose subject is a nominative and whose attractor is an adessive."""
    seeds, words = tmp_path / "fin.tsv", tmp_path / "fin.lexicon.tsv"
    cells = CELLS.replace("ja tuolilla,ja tuoleilla", "ja pöydällä,ja pöydillä")
    for path, header, rows in ((seeds, SEED_COLUMNS, cells), (words, COLUMNS, lexicon.strip())):
        path.write_text("\t".join(header) + "\n" + rows.replace(",", "\t") + "\n")
    return read_seeds(seeds), read_lexicon(words)


def filled_words(problems: Problems, slot: str) -> set[str]:
    """The words of the attractor in the sentences of a slot: the second of a main clause."""
    wanted = (problems.slot == SLOT_NAMES.index(slot)) & (problems.clause == 0)
    return {problems.sentences[at].split()[1] for at in problems.context[wanted].ravel()}


@pytest.mark.parametrize("case", ["ade", "thing:ade"])
def test_no_nominative_stands_in_for_an_adessive(tmp_path, case):
    seeds, lexicon = finnish(tmp_path, FINNISH.replace("ade\n", f"{case}\n"))
    request = find_slots(seeds[0], "main", lexicon)[1].requests("main")[PLAIN]
    (pairs,) = LexiconFills(lexicon, 1).fills([request], 5)
    assert {pair.singular for pair in pairs} == {"tuolilla", "hyllyllä", "ikkunalla"}


@pytest.mark.parametrize("case", ["ade", "thing:ade"])
def test_a_slot_with_too_few_words_of_its_case_is_left_out_and_counted(tmp_path, case, caplog):
    nominative = case.replace("ade", "nom")
    text = FINNISH.replace("nom\n", f"{nominative}\n").replace("ade\n", f"{case}\n")
    seeds, lexicon = finnish(tmp_path, text)
    source = LexiconFills(lexicon, 1)
    problems = generate_type_ii(seeds, lexicon, source, ["released"])
    assert {SLOT_NAMES[slot] for slot in problems.slot} == {"subject"}
    # The attractor in three clause types, and subject and verb of the two other clauses
    assert source.rejected["slot left out: fewer than 5 words"] == 7
    assert f"slot attractor left out: 3 fills of group '{case}' in 'Kirja [pöydällä]" in caplog.text
    assert len(problems) == 3 * 24 * 5


@pytest.mark.parametrize("case", ["ade", "thing:ade"])
def test_all_words_of_a_slot_are_of_its_case(tmp_path, case):
    text = (FINNISH + MORE).replace("ade\n", f"{case}\n")
    seeds, lexicon = finnish(tmp_path, text)
    problems = generate_type_ii(seeds, lexicon, LexiconFills(lexicon, 1), ["released"])
    assert filled_words(problems, "attractor") <= ADESSIVES


def test_a_word_unknown_to_a_lexicon_with_cases_has_no_fills(tmp_path):
    text = FINNISH.replace("noun,pöydällä,pöydillä,,,ade\n", "") + MORE
    seeds, lexicon = finnish(
        tmp_path, text.replace("ade\n", "thing:ade\n").replace("nom\n", "x:nom\n")
    )
    problems = generate_type_ii(seeds, lexicon, LexiconFills(lexicon, 1), ["released"])
    assert SLOT_NAMES.index("attractor") not in problems.slot


def test_a_word_of_no_known_group_takes_any_which_is_counted(tmp_path):
    seeds, lexicon = finnish(tmp_path, FINNISH.replace("noun,kirja,kirjat,,,nom\n", ""))
    source = LexiconFills(lexicon, 1)
    problems = generate_type_ii(seeds, lexicon, source, ["released"])
    assert SLOT_NAMES.index("subject") in problems.slot
    assert source.rejected["group unknown: words of any group"] == 2  # singular and plural


def test_models_keep_the_case(tmp_path):
    text = (FINNISH + MORE).replace("ade\n", "thing:ade\n").replace("nom\n", "thing:nom\n")
    seeds, lexicon = finnish(tmp_path, text)
    request = find_slots(seeds[0], "main", lexicon)[1].requests("main")[PLAIN]
    assert request.word == "pöydällä"
    assert judge("tuolilla", request, lexicon) == Pair("tuolilla", "tuoleilla")
    assert judge("talo", request, lexicon) == "another case"


def test_a_form_of_two_cases_is_read_by_both_numbers(tmp_path):
    """Basque etxeak: the absolutive plural and the ergative singular."""
    text = "noun,etxea,etxeak,,,thing:abs\nnoun,etxeak,etxeek,,,thing:erg\n" + FINNISH
    seeds, lexicon = finnish(tmp_path, text)
    (seed,) = seeds
    chunks = {**seed.chunks, "subject_sg": "etxeak", "subject_pl": "etxeek"}
    (subject, _) = find_slots(replace(seed, chunks=chunks), "main", lexicon)
    assert subject.group == "thing:erg"


def test_no_verb_in_a_prefix(tmp_path):
    lexicon = read_lexicon(SEEDS / "eng.lexicon.tsv")
    text = (SEEDS / "eng.tsv").read_text().replace("Mary says that", "that")
    path = tmp_path / "eng.tsv"
    path.write_text(text)
    with pytest.raises(KasuError, match=r"eng.tsv:2, column prefix: 0 words for subject and verb"):
        find_slots(read_seeds(path)[0], "completive", lexicon)


def test_unknown_kind_in_a_lexicon(tmp_path):
    path = tmp_path / "lexicon.tsv"
    path.write_text("\t".join(COLUMNS) + "\nadverb\tici\tici\t\t\t\n")
    with pytest.raises(KasuError, match=r"lexicon.tsv:2, column kind: 'adverb'; expected noun"):
        read_lexicon(path)


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (
            ["noun\tdatum\tdata\t\t\tthing", "noun\tData\tdatas\t\t\tperson"],
            "3, column singular: 'Data', the plural of line 2; expected a form of one number",
        ),
        (
            ["noun\tdata\tdatas\t\t\t", "name\tJo\tJo\t\t\t", "noun\tdatum\tdata\t\t\t"],
            "4, column plural: 'data', the singular of line 2; expected a form of one number",
        ),
    ],
)
def test_a_noun_form_of_two_numbers_is_refused(tmp_path, rows, line):
    path = tmp_path / "lexicon.tsv"
    path.write_text("\n".join(["\t".join(COLUMNS), *rows]) + "\n")
    with pytest.raises(KasuError) as error:
        read_lexicon(path)
    assert str(error.value) == f"{path}:{line}"


@pytest.mark.parametrize(
    "rows",
    [
        # Basque: the plural, and the singular in the ergative
        ["noun\tetxea\tetxeak\t\t\tthing", "noun\tetxeak\tetxeek\t\t\tthing:erg"],
        ["noun\tsheep\tsheep\t\t\t", "noun\tsheep\tsheeps\t\t\t"],
        ["noun\tset\tsets\t\t\t", "relative_verb\tsets\tset\t\t\t"],
        ["noun\tset\tsets\t\t\tthing", "noun\tset\tsets\t\t\tthing"],
    ],
)
def test_a_form_may_have_another_number_in_another_case_or_part_of_speech(tmp_path, rows):
    path = tmp_path / "lexicon.tsv"
    path.write_text("\n".join(["\t".join(COLUMNS), *rows]) + "\n")
    assert read_lexicon(path).entries


@pytest.mark.real
def test_authors_seeds_have_their_slots_and_fills(mirror, lexicon):
    seeds = read_seeds(mirror / "papers" / "blm-agrf" / "seeds_FR_fragments.csv")
    slots = {clause: [find_slots(seed, clause, lexicon) for seed in seeds] for clause in CLAUSES}
    words = [
        [next(iter(slot.forms.values())) for slot in slots[clause][row][:2]]
        for row, clause in ((0, "completive"), (1, "relative"), (4, "relative"), (10, "relative"))
    ]
    assert words == [
        ["jean", "suppose"], ["gouvernement", "fait"], ["organizateur", "parlé"],
        ["mère", "nettoyait"],
    ]  # fmt: skip
    fills = ask_fills(slots, LexiconFills(lexicon, 1), 5)
    assert {len(pairs) for seed in fills["relative"] for slot in seed for pairs in slot} == {5}
