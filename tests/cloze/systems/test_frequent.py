from kasu.cloze.systems import frequent
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run


def test_the_most_frequent_form_of_the_lemma_and_else_the_lemma(answer):
    train = [("dog", "dog"), ("dog", "dogs"), ("dog", "dogs"), ("be", "is")]
    assert answer("frequent", train, "dog", "be", "bark") == ["dogs", "is", "bark"]


def test_of_equally_frequent_forms_the_first(answer):
    assert answer("frequent", [("dog", "dogs"), ("dog", "dog")], "dog") == ["dogs"]


def test_without_training_it_copies(answer):
    assert answer("frequent", [], "dog") == ["dog"]


def test_case_does_not_divide_a_form_but_tells_lemmas_apart(answer):
    train = [("bill", "bill"), ("bill", "bill"), ("bill", "Bills"), ("bill", "bills")]
    train += [("bill", "bills"), ("Bill", "Bill")]
    assert answer("frequent", train, "bill", "Bill", "BILL") == ["bills", "Bill", "BILL"]


def test_case_is_that_of_the_language():
    items = [Item("ısı", (), form) for form in ("isı", "Isı", "ısı", "isı", "Isı")]
    asked = [Item("ısı", ())]

    def answer(code):
        data = Data("mine", "track1-low", items, [], asked, code)
        ((one,),) = (found.test for found in frequent.train(data, [Run()], {}, None).values())
        return one.forms

    assert (answer("tr"), answer("und")) == (["Isı"], ["isı"])
