"""ua-01: the baseline's guesses, reversed where it prefixes; and the published cells."""

from pathlib import Path

import pytest

from kasu.inflection.data.triples import Triple, read_triples
from kasu.inflection.evaluation.outcomes import judge
from kasu.inflection.evaluation.printed import Printed
from kasu.inflection.systems.ua_01 import FAMILY
from kasu.results.published import read_published
from kasu.transduction.items import Answer, read_item
from kasu.transduction.members.families import Answers, Data, Run, Session

ROOT = Path(__file__).resolve().parents[3]


def answers(triples: list[Triple], asked: list[Triple], dev: list[Triple] = ()) -> Answers:
    known = ([read_item(lemma, msd, form) for lemma, form, msd in each] for each in (triples, dev))
    data = Data("x", "low", *known, [read_item(lemma, msd) for lemma, _, msd in asked])
    return FAMILY.train(data, [Run()], {}, Session(Path()))[Run()]


def test_where_words_take_prefixes_guesses_stay_reversed():
    triples = [Triple("soma", "anasoma", "V;3;SG"), Triple("lala", "analala", "V;3;SG")]
    asked = [Triple("cheka", "anacheka", "V;3;SG")]
    found = answers(triples, asked, asked)
    assert found == Answers([Answer(["akehcana"])], [Answer(["akehcana"])])


def test_elsewhere_it_is_the_baseline():
    koti = Triple("koti", "kodista", "N;IN+ABL;SG")
    assert answers([koti], [Triple("luoti", "", "N;IN+ABL;SG")]).test == [Answer(["luodista"])]


@pytest.mark.real
def test_every_cell_of_the_mirror_is_the_published_one(mirror):
    printed = Printed(read_published(ROOT / "resources" / "published"))
    wrong, cells = {}, 0
    for path in sorted(mirror.glob("sigmorphon2018/task1/*/*-train-low")):
        language = path.name.removesuffix("-train-low")
        gold = read_triples(path.with_name(f"{language}-test"))
        forms = [answer.forms[0] for answer in answers(read_triples(path), gold).test]
        guesses = judge([triple.form for triple in gold], forms)
        found = {"accuracy": guesses.right.mean(), "levenshtein": guesses.distance.mean()}
        for metric, value in found.items():
            cells += 1
            if not printed.shows("ua-01", "low", value, language, metric):
                wrong[language, metric] = value, printed.value("ua-01", "low", language, metric)
    assert wrong == {}
    assert cells == 188
