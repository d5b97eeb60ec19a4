"""The predictor of features: what it reads of a sentence, in what order, and never sees."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.cloze.context.words import read_words
from kasu.cloze.networks.msd_predictor import MsdPredictor, msd
from kasu.transduction.alphabet import UNKNOWN, Alphabet
from kasu.transduction.items import Context, Item, Token

TOKENS = [
    Token("Bush", "Bush", ("PROPN",)),
    Token("made", "make", ("V", "PST")),
    Token("plans", "plan", ("N", "PL")),
    Token("to", "to", ("PART",)),
    Token("leave", "leave", ("V", "NFIN")),
]


def item(place: int, tokens: list[Token] = TOKENS) -> Item:
    _, lemma, tags = tokens[place]
    return Item(lemma or "", tags, tokens[place].form, Context(tokens, place))


ITEMS = [item(2), item(1), item(4), item(0)]


def predictor(unknown: float = 0.0) -> MsdPredictor:
    torch.manual_seed(5)
    return MsdPredictor(
        Alphabet("Bushmakepltov"), read_words(ITEMS, hidden=False), Alphabet(map(msd, ITEMS)),
        embedding=4, directed=3, size=5, unknown=unknown,
    ).eval()  # fmt: skip


def scores(made: MsdPredictor, *items: Item) -> torch.Tensor:
    """The log probabilities of all classes, by their symbols, (B, C)."""
    found = []
    for answer in made.answer(items, 10):
        found.append([score for _, score in sorted(zip(*answer, strict=True))])
    return torch.tensor(found)


def covered(tokens: list[Token], *places: int) -> list[Token]:
    return [
        Token(None, token.lemma, ()) if place in places else token
        for place, token in enumerate(tokens)
    ]


def test_a_class_is_all_features_of_a_training_item():
    made = predictor()
    assert made.classes.symbols == ["N;PL", "PROPN", "V;NFIN", "V;PST"]
    assert len(made.output.bias) == 4
    assert made.batch(ITEMS).label.tolist() == [0, 3, 2, 1]


def test_words_around_are_read_in_order_and_the_lemma_by_its_characters():
    made = predictor()
    batch = made.batch([ITEMS[0]])
    assert batch.left[0].tolist() == [list(ids) for ids in made.words.encode(TOKENS[:2])]
    assert batch.right[0].tolist() == [list(ids) for ids in made.words.encode(TOKENS[3:])]
    (plan,) = made.words.encode(TOKENS[2:3])
    assert batch.lemma.tolist() == [plan[1]]
    assert batch.source.tolist() == [made.characters.encode("plan")]


def test_three_final_states_are_the_input_of_one_step_from_a_learnt_state():
    made = predictor()
    batch = made.batch([ITEMS[0]])
    lemma = made.table(batch.lemma).expand(4, -1)
    read = (
        (made.left, made.table(batch.left[0]).flatten(1)),
        (made.right, made.table(batch.right[0]).flatten(1)),
        (made.base, torch.cat([made.spelling(batch.source[0]), lemma], 1)),
    )
    context = torch.cat([network(each[None])[1][0] for network, each in read], 1)
    assert context.shape == (1, 18)
    output, _ = made.cell.step(context, tuple(part[None] for part in made.first))
    expected = made.output(output).log_softmax(1)
    torch.testing.assert_close(scores(made, ITEMS[0]), expected.detach())
    made.loss(batch).backward()
    assert all(part.grad is not None and part.grad.any() for part in made.first)


def test_a_side_without_words_is_a_vector_of_zeros():
    made = predictor()
    batch = made.batch([item(0), item(4)])
    left, right = made._side(made.left, batch.left), made._side(made.right, batch.right)
    assert [row.any().item() for row in left] == [False, True]
    assert [row.any().item() for row in right] == [True, False]


def test_the_loss_is_the_mean_over_items():
    made = predictor()
    alone = [made.loss(made.batch([each])).item() for each in ITEMS]
    assert made.loss(made.batch(ITEMS)).item() == pytest.approx(sum(alone) / 4, abs=1e-6)
    best, second = scores(made, ITEMS[0])[0], made.answer(ITEMS[:1], 2)[0]
    assert alone[0] == pytest.approx(-best[0].item(), abs=1e-6)
    assert second.scores == pytest.approx(best.sort(descending=True).values[:2].tolist())


def test_padding_and_other_items_change_no_probability():
    made = predictor()
    alone = torch.cat([scores(made, each) for each in ITEMS])
    torch.testing.assert_close(scores(made, *ITEMS), alone, rtol=0, atol=1e-6)


words = st.sampled_from([*TOKENS, Token("x", "y", ("Z",)), Token(None, None, ())])


@settings(max_examples=20)
@given(st.lists(words, min_size=1, max_size=6), words, st.data())
def test_form_and_features_of_the_word_itself_make_no_difference(tokens, other, data):
    place = data.draw(st.integers(0, len(tokens) - 1))
    changed = [*tokens]
    changed[place] = other._replace(lemma=tokens[place].lemma)
    one = item(place, tokens)
    two = one._replace(tags=other.tags, target=other.form, context=Context(changed, place))
    made = predictor()
    assert torch.equal(scores(made, one), scores(made, two))


def test_what_is_hidden_or_new_is_unknown():
    made = predictor()
    batch = made.batch([item(2, covered(TOKENS, 1, 2))])
    forms, lemmata, features = made.words.offsets
    make = made.words.encode(TOKENS[1:2])[0][1]
    assert batch.left[0, 1].tolist() == [forms + UNKNOWN, make, features + UNKNOWN]
    (new,) = made.batch([item(0, [Token("x", "y", ("Z",)), *TOKENS])]).lemma.tolist()
    assert new == lemmata + UNKNOWN


def test_training_reads_a_share_of_the_words_as_unknown():
    made = predictor(unknown=0.5)
    unknown = {offset + UNKNOWN for offset in made.words.offsets}

    def share() -> float:
        read = [made.inputs(made.batch(ITEMS[:1], seed)) for seed in range(50)]
        ids = [each for left, right, lemma, *_ in read for part in (left, right, lemma)
               for each in part.flatten().tolist()]  # fmt: skip
        return sum(each in unknown for each in ids) / len(ids)

    assert share() == 0
    made.train()
    assert share() == pytest.approx(0.5, abs=0.1)


def test_a_long_sentence_and_one_of_a_single_token():
    made = predictor()
    assert torch.isfinite(scores(made, item(250, TOKENS * 100), item(0, TOKENS[:1]))).all()
    assert len(made.answer([Item("", ())])) == 1
    assert made.answer([]) == []
