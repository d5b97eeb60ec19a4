from kasu.transduction.alphabet import END, START, UNKNOWN, Alphabet


def test_symbols_are_numbered_by_code_point_after_the_reserved_ids():
    alphabet = Alphabet("etxea")
    assert alphabet.symbols == ["a", "e", "t", "x"]
    assert alphabet.encode("etxea") == [5, 6, 7, 5, 4]
    assert len(alphabet) == 8


def test_a_symbol_that_the_alphabet_lacks_is_unknown():
    assert Alphabet("ab").encode("cab") == [UNKNOWN, 4, 5]


def test_foreign_symbols_have_ids_beyond_the_alphabet():
    alphabet = Alphabet("ab")
    foreign = alphabet.foreign("žaxž")
    assert foreign == ["ž", "x"]
    assert alphabet.encode("žaxž", foreign) == [6, 4, 7, 6]
    assert alphabet.decode([6, 4, 7, 6], foreign) == list("žaxž")


def test_reserved_ids_decode_to_nothing():
    assert Alphabet("ab").decode([START, 4, UNKNOWN, 5, END]) == ["a", "b"]


def test_unknown_symbols_are_the_foreign_ones_of_the_source_in_turn():
    alphabet = Alphabet("ab")
    assert alphabet.requeue([4, UNKNOWN, 5, UNKNOWN, END], "žaxž") == list("ažbx")
    # Twice in the source, twice in the answer; then there is none left
    assert alphabet.requeue([UNKNOWN] * 3 + [4], "žž") == list("žža")
    assert alphabet.requeue([UNKNOWN, 4], "ab") == ["a"]
