def test_the_most_frequent_form_of_the_lemma_and_else_the_lemma(answer):
    train = [("dog", "dog"), ("dog", "dogs"), ("dog", "dogs"), ("be", "is")]
    assert answer("frequent", train, "dog", "be", "bark") == ["dogs", "is", "bark"]


def test_of_equally_frequent_forms_the_first(answer):
    assert answer("frequent", [("dog", "dogs"), ("dog", "dog")], "dog") == ["dogs"]


def test_without_training_it_copies(answer):
    assert answer("frequent", [], "dog") == ["dog"]


def test_case_does_not_divide_a_form_or_a_lemma(answer):
    train = [("dog", "dog"), ("dog", "dog"), ("dog", "Dogs"), ("Dog", "dogs"), ("dog", "dogs")]
    assert answer("frequent", train, "DOG", "Bark") == ["dogs", "Bark"]
