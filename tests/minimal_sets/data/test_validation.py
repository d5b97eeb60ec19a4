"""Whether a wrong form is ungrammatical: Basque, which drops arguments, and Russian."""

import pytest

from kasu.corpora.treebanks.treebank import Sentence, Token
from kasu.minimal_sets.data.forms import Lexicon
from kasu.minimal_sets.data.validation import read_clause, reject
from kasu.queries.graph import Graph

BASQUE = {"Abs": "Number[abs]", "Erg": "Number[erg]", "Dat": "Number[dat]"}
FORMS = """\
gizon gizona Case=Abs|Number=Sing
gizon gizonak Case=Erg|Number=Sing
gizon gizonak Case=Abs|Number=Plur
gizon gizonek Case=Erg|Number=Plur
gizon gizonari Case=Dat|Number=Sing
etxe etxea Case=Abs|Number=Sing
etxe etxeak Case=Erg|Number=Sing
etxe etxeak Case=Abs|Number=Plur
ardi ardik Case=Erg|Number=Sing
kniga kniga Case=Nom|Number=Sing
kniga knigi Case=Gen|Number=Sing
kniga knigi Case=Nom|Number=Plur
kniga knigi Case=Acc|Number=Plur
kniga knigu Case=Acc|Number=Sing
"""


def tree(*lines: str) -> Graph:
    """A sentence from lines of form, lemma, features, head and label."""
    cells = [line.split() for line in lines]
    tokens = [
        Token(str(at), form, lemma, "NOUN", "_", feats, head, label, "_", "_")
        for at, (form, lemma, feats, head, label) in enumerate(cells, 1)
    ]
    return Graph(Sentence("s", None, 1, 2, [], tokens))


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    lines = (line.split() for line in FORMS.splitlines())
    return Lexicon((tree(f"{f} {lem} {told} 0 root").sentence for lem, f, told in lines), "Case")


def judge(lexicon, graph, target, wrong, agreement=BASQUE):
    """The reason to reject a target; the verb is the root."""
    verb = graph.labels.index("root")
    clause = read_clause(graph, verb, target, "Case", agreement) if agreement else None
    return reject(graph.words[target - 1], wrong, lexicon, clause)


MAN = "gizonak gizon Case=Erg|Number=Sing 2 nsubj"
MAN_ABS = "gizona gizon Case=Abs|Number=Sing 2 nsubj"
SEE = "ikusi ikusi _ 0 root"
DU = "du edun Number[abs]=Sing|Number[erg]=Sing 2 aux"
DITU = "ditu edun Number[abs]=Plur|Number[erg]=Sing 2 aux"
DIO = "dio edun Number[abs]=Sing|Number[dat]=Sing|Number[erg]=Sing 2 aux"
DA = "da izan Number[abs]=Sing 2 aux"
HOUSE = "etxea etxe Case=Abs|Number=Sing 2 obj"


def test_gizona_is_licensed_if_the_ergative_may_be_dropped(lexicon):
    assert judge(lexicon, tree(MAN, SEE, DU), 1, {"Abs": "gizona"}) == "licensed wrong form"


def test_an_overt_object_fills_the_slot(lexicon):
    assert judge(lexicon, tree(MAN, SEE, DU, HOUSE), 1, {"Abs": "gizona"}) is None


def test_a_slot_of_another_number_does_not_license(lexicon):
    assert judge(lexicon, tree(MAN, SEE, DITU), 1, {"Abs": "gizona"}) is None


def test_a_case_without_a_slot_is_ruled_out(lexicon):
    assert judge(lexicon, tree(MAN_ABS, SEE, DA), 1, {"Erg": "gizonak"}) is None
    assert judge(lexicon, tree(MAN, SEE, DU, HOUSE), 1, {"Dat": "gizonari"}) is None


def test_a_dative_slot_that_nothing_fills_licenses(lexicon):
    assert judge(lexicon, tree(MAN, SEE, DIO, HOUSE), 1, {"Dat": "gizonari"}) == (
        "licensed wrong form"
    )


def test_all_readings_count(lexicon):
    # The slot of *etxeak* as ergative singular is filled; as absolutive plural *etxeak* is right
    graph = tree(MAN, SEE, DITU, "etxea etxe Case=Abs|Number=Sing 2 obj")
    assert judge(lexicon, graph, 4, {"Erg": "etxeak"}) == "syncretism"
    assert judge(lexicon, tree(MAN, SEE, DU, HOUSE), 4, {"Erg": "etxeak"}) is None


def test_an_argument_that_can_swap_places_does_not_rule_out(lexicon):
    # With an ergative *ardik*, *gizonak* may be the absolutive plural that the verb marks
    sheep = "ardiak ardi Case=Abs|Number=Plur 2 obj"
    assert judge(lexicon, tree(MAN, SEE, DITU, sheep), 4, {"Erg": "ardik"}) == (
        "licensed wrong form"
    )
    assert judge(lexicon, tree(MAN, SEE, DU, sheep), 4, {"Erg": "ardik"}) is None


def test_a_noun_cannot_be_first_person_singular(lexicon):
    dut = "dut edun Number[abs]=Sing|Number[erg]=Sing|Person[erg]=1 2 aux"
    assert judge(lexicon, tree(MAN_ABS, SEE, dut), 1, {"Erg": "gizonak"}) is None


@pytest.mark.parametrize("person", ["1", "2"])
def test_a_noun_can_be_first_or_second_person_plural(lexicon, person):
    # *Gizonek ikusi dugu* "we men saw it"; in the singular the noun would need a person
    for number, form, found in (
        ("Plur", "gizonek", "licensed wrong form"), ("Sing", "gizonak", None)
    ):  # fmt: skip
        slots = f"Number[abs]=Sing|Number[erg]={number}|Person[erg]={person}"
        graph = tree(MAN_ABS, SEE, f"dugu edun {slots} 2 aux")
        assert judge(lexicon, graph, 1, {"Erg": form}) == found


def test_a_finite_verb_marks_agreement_itself():
    graph = tree("dator etorri Number[abs]=Sing 0 root", "gizona gizon Case=Abs 1 nsubj")
    assert read_clause(graph, 1, 2, "Case", BASQUE).slots == {"Abs": {"Number": "Sing"}}


def test_a_verb_without_agreement_has_no_clause():
    assert read_clause(tree(SEE, "gizona gizon Case=Abs 1 nsubj"), 1, 2, "Case", BASQUE) is None


def test_forms_must_differ(lexicon):
    graph = tree(MAN, SEE, DITU)
    assert judge(lexicon, graph, 1, {"Abs": "Gizonak"}) == "equal to the right form"
    assert judge(lexicon, graph, 1, {"Abs": "gizona", "Dat": "Gizona"}) == "forms equal"


def test_an_object_that_may_be_the_subject_does_not_rule_an_accusative_out():
    # *Istoriju opisyvaet iskhod* also reads "the outcome describes the story"
    forms = [
        "istorija istorija Case=Nom|Gender=Fem|Number=Sing 0 root",
        "istoriju istorija Case=Acc|Gender=Fem|Number=Sing 0 root",
        "iskhod iskhod Case=Nom|Gender=Masc|Number=Sing 0 root",
        "iskhod iskhod Case=Acc|Gender=Masc|Number=Sing 0 root",
    ]
    words = Lexicon((tree(form).sentence for form in forms), "Case")
    story = "istorija istorija Case=Nom|Gender=Fem|Number=Sing 2 nsubj"
    outcome = "iskhod iskhod Case=Acc|Gender=Masc|Number=Sing 2 obj"
    for verb, found in (
        ("opisyvaet opisyvat' Number=Sing 0 root", "licensed wrong form"),
        ("opisala opisat' Gender=Fem|Number=Sing 0 root", None),
        ("opisyvajut opisyvat' Number=Plur 0 root", None),
    ):
        graph = tree(story, verb, outcome)
        assert judge(words, graph, 1, {"Acc": "istoriju"}, {"Nom": "Number"}) == found


BOOK = "knigu kniga Case=Acc|Number=Sing 1 obj"


def test_the_right_case_in_another_number_is_right_where_the_verb_does_not_mark_it(lexicon):
    graph = tree("chitaet chitat' Number=Sing 0 root", BOOK)
    for agreement in ({"Nom": "Number"}, None):
        assert judge(lexicon, graph, 2, {"Gen": "knigi"}, agreement) == "syncretism"


def test_a_verb_that_marks_the_number_rules_the_other_out(lexicon):
    graph = tree("lezhit lezhat' Number=Sing 0 root", "kniga kniga Case=Nom|Number=Sing 1 nsubj")
    assert judge(lexicon, graph, 2, {"Gen": "knigi"}, {"Nom": "Number"}) is None
    assert judge(lexicon, graph, 2, {"Gen": "knigi"}, None) == "syncretism"


# The slot of the target


SAYS = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
SAY = SAYS.replace("Sing", "Plur")
VERB_SLOTS = {
    # What the bare form also is -> whether that makes *she say* right
    SAY.replace("Plur", "Sing").replace("Person=3", "Person=1"): None,
    "Mood=Sub|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin": None,
    "Mood=Imp|Number=Sing|VerbForm=Fin": None,
    "Number=Sing|VerbForm=Part": None,
    # *It cost a lot*: the tense is the speaker's choice
    SAYS.replace("Pres", "Past"): "syncretism",
    "Mood=Ind|Number=Sing|Tense=Past": "syncretism",
    "Mood=Ind|Number=Plur,Sing|Person=3|Tense=Past|VerbForm=Fin": "syncretism",
    # A slip and another style do not count
    SAYS + "|Typo=Yes": None,
    SAYS + "|Style=Coll": None,
}


def judge_verb(*words, right=SAYS, feature="Number", upos="VERB"):
    """The reason to reject *say* in place of *says*, by the words of a treebank."""
    tokens = [
        Token("1", form, "say", part, "_", feats, "0", "root", "_", "_")
        for form, feats, part in words
    ]
    forms = Lexicon((Sentence("s", None, 1, 2, [], [token]) for token in tokens), feature)
    says = Token("1", "says", "say", upos, "_", right, "0", "root", "_", "_")
    return reject(says, {"Plur": "say"}, forms, None)


@pytest.mark.parametrize("feats, found", VERB_SLOTS.items())
def test_a_reading_counts_only_in_the_slot_of_a_verb(feats, found):
    assert judge_verb(("say", SAY, "VERB"), ("say", feats, "VERB")) == found


def test_a_verb_with_a_mood_is_finite():
    # Faroese treebanks do not say so
    right, infinitive = "Mood=Ind|Number=Sing|Tense=Pres", "Number=Sing|VerbForm=Inf"
    plural = ("say", right.replace("Sing", "Plur"), "VERB")
    assert judge_verb(plural, ("say", infinitive, "VERB"), right=right) is None
    past = right.replace("Pres", "Past") + "|VerbForm=Fin"
    assert judge_verb(plural, ("say", past, "VERB"), right=right) == "syncretism"


def test_a_reading_of_another_part_of_speech_does_not_count():
    say = ("say", SAY, "VERB")
    assert judge_verb(say, ("say", SAYS, "NOUN")) is None
    assert judge_verb(say, ("say", SAYS, "AUX")) == "syncretism"


@pytest.mark.parametrize(
    "feats, found",
    [("Gender=Fem|Number=Sing", None), ("Gender=Masc|Number=Sing", "syncretism"),
     ("Degree=Cmp|Gender=Masc|Number=Sing", "syncretism"), ("Number=Sing", "syncretism")],
)  # fmt: skip
def test_an_adjective_keeps_the_gender_of_its_noun(feats, found):
    right = "Degree=Pos|Gender=Masc|Number=Sing"
    assert judge_verb(("say", feats, "ADJ"), right=right, upos="ADJ") == found


@pytest.mark.parametrize(
    "feats, found",
    [("Case=Nom|Gender=Fem|Number=Sing", "syncretism"), ("Case=Dat|Number=Sing", None)],
)
def test_the_case_of_a_noun_is_fixed_and_nothing_else(feats, found):
    # *Kiefer* is a jaw or, as a feminine, a pine
    right = "Case=Nom|Gender=Masc|Number=Sing"
    assert judge_verb(("say", feats, "NOUN"), right=right, upos="NOUN") == found
