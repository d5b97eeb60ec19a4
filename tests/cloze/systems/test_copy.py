def test_the_form_is_the_lemma(answer):
    assert answer("copy", [("dog", "dogs")], "dog", "Tauchen") == ["dog", "Tauchen"]
    assert answer("copy", [], "dog") == ["dog"]
