"""The words on both sides of one."""

from hypothesis import given
from hypothesis import strategies as st

from kasu.cloze.context.sides import Sides
from kasu.transduction.items import Context, Item, Token

SENTENCE = [
    Token("Bush", "Bush", ("PROPN",)),
    Token("made", "make", ("V", "PST")),
    Token(None, "plan", ()),
    Token("to", "to", ("PART",)),
]
LETTERS = Sides(lambda token: token.form or "?", first="<", last=">")


def item(place, tokens=SENTENCE):
    return Item(tokens[place].lemma, (), None, Context(tokens, place))


def test_each_side_is_read_from_left_to_right():
    assert LETTERS.units(item(2)) == (list("<Bushmade"), list("to>"))
    assert LETTERS.units(item(1)) == (list("<Bush"), list("?to>"))


def test_a_side_without_words_has_its_boundary_or_nothing():
    assert LETTERS.units(item(0))[0] == ["<"]
    assert LETTERS.units(item(3))[1] == [">"]
    assert LETTERS.units(Item("plan", ())) == (["<"], [">"])
    assert Sides(lambda token: [1]).units(item(3)) == ([1, 1, 1], [])
    assert Sides(lambda token: [1], empty=[9]).units(item(3)) == ([1, 1, 1], [9])


def test_ids_are_padded_by_side():
    lengths = Sides(lambda token: [9] * len(token.form or ""), first=[1], last=[2])
    left, right = lengths.ids([item(1), item(3)])
    assert left.tolist() == [[1, 9, 9, 9, 9, 0, 0, 0, 0], [1, 9, 9, 9, 9, 9, 9, 9, 9]]
    assert right.tolist() == [[9, 9, 2], [2, 0, 0]]


def test_a_unit_may_have_several_ids():
    pairs = Sides(lambda token: [(5, len(token.lemma))])
    left, right = pairs.ids([item(0), item(1)], 2)
    assert left.tolist() == [[[0, 0]], [[5, 4]]]
    assert right.tolist() == [[[5, 4], [5, 4], [5, 2]], [[5, 4], [5, 2], [0, 0]]]


def test_sides_without_words_are_one_position_of_padding():
    left, right = Sides(lambda token: [1]).ids([Item("plan", ())])
    assert (left.tolist(), right.tolist()) == ([[0]], [[0]])


words = st.builds(Token, st.text("ab"), st.text("ab"), st.tuples(st.sampled_from("NV")))


@given(st.lists(words, min_size=1, max_size=6), words, st.data())
def test_what_the_word_itself_is_makes_no_difference(tokens, other, data):
    place = data.draw(st.integers(0, len(tokens) - 1))
    changed = [*tokens[:place], other, *tokens[place + 1 :]]
    whole = Sides(lambda token: [token], first=["<"], last=[">"])
    assert whole.units(item(place, tokens)) == whole.units(item(place, changed))
