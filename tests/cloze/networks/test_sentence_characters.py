"""The network that reads the characters of a whole sentence."""

import copy
from dataclasses import replace

import pytest
import torch

from kasu.cloze.context.padded_words import read_alphabets
from kasu.cloze.networks.sentence_characters import Layers, SentenceCharacters
from kasu.neural.optimizers import adam
from kasu.neural.resume import Work
from kasu.neural.stacked import Stacked
from kasu.neural.stopping import Patience
from kasu.neural.training import Training, fit, fit_all
from kasu.transduction.alphabet import END, START
from kasu.transduction.items import Context, Item, Token
from kasu.transduction.search import greedy

SENTENCE = [
    Token("Le", "le", ("DET", "SG")),
    Token("chat", "chat", ("N", "SG")),
    Token("noir", "noir", ("ADJ", "SG")),
    Token("dort", "dormir", ("V", "PRS")),
    Token(".", ".", ("PUNCT",)),
]


def items(tokens=SENTENCE):
    return [
        Item(token.lemma, token.tags, token.form, Context(tokens, place))
        for place, token in enumerate(tokens)
    ]


def network(layers=1, *, full=True, dropout=0.0, decoder=None, learnt=None):
    torch.manual_seed(1)
    return SentenceCharacters(
        *read_alphabets(learnt or items(), full),
        full=full,
        embedding=4,
        tag_embedding=3,
        words=Layers(6, layers),
        tag_layers=Layers(2, layers),
        context=Layers(5, layers),
        decoder=Layers(6, decoder or layers),
        dropout=dropout,
        together=16,
    ).double()


def around(network, *asked):
    """The vectors of what is before and after items, (B, 5) each, without dropout."""
    network.eval()
    with torch.no_grad():
        return network.start(network.batch(asked)).around.tensor_split(2, 1)


def forward(network, side, *asked):
    """The forward states at the ends of one side of items."""
    read = copy.deepcopy(network)
    # Zeros in what the output gate lets through: the second direction adds nothing
    kernel = read.context[side].layers[-1].kernel
    for name in ("weight_ih_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"):
        torch.nn.init.zeros_(getattr(kernel, name))
    return around(read, *asked)[side]


def equal(one, other):
    return torch.allclose(one, other, rtol=0, atol=1e-12)


def changed(place, **parts):
    tokens = [*SENTENCE]
    tokens[place] = tokens[place]._replace(**parts)
    return items(tokens)


def test_widths_are_those_of_the_paper():
    made = network()
    assert made.words.width == 6 + 6 + 2
    assert made.context[0].layers[0].kernel.input_size == 14
    # The output of the decoder with both contexts: query and, with what it attends to, writer
    assert made.decoder.attention.key.weight.shape == (6 + 2 * 5, 6)
    assert made.decoder.attention.key.bias is not None
    assert made.decoder.see.weight.shape == (6, 6 + 2 * 5 + 6)
    assert network(full=False).words.width == 6
    # What reads the left is not what reads the right, against the paper
    assert made.context[0] is not made.context[1]
    assert made.decoder.table is made.words.characters.table


def test_the_words_before_and_after_have_boundaries():
    batch = network().batch(items()[1:2])
    left, right = batch.sides
    assert left.words[0][:, 0].tolist()[0] == START
    assert right.words[0][:, 0].tolist()[-1] == END
    assert [len(left.words[0]), len(right.words[0])] == [2, 4]
    assert left.places.tolist() == [[0, 1]]


def test_each_word_of_a_batch_is_read_once():
    batch = network().batch([*items(), *items()])
    # A boundary and the words but the last, or but the first
    assert [len(side.words[0]) for side in batch.sides] == [5, 5]
    left = batch.sides[0]
    assert left.places[:3].tolist() == [[0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 1, 2, 0, 0]]
    assert left.real[:2].tolist() == [[True] + [False] * 4, [True, True, False, False, False]]


def test_what_the_word_itself_is_makes_no_difference():
    made, place = network(), 2
    given = items()[place]
    other = changed(place, form="xx", tags=("V",), lemma="?")[place]._replace(source=given.source)
    for one, two in zip(around(made, given), around(made, other), strict=True):
        assert torch.equal(one, two)
    assert made.answer([given]) == made.answer([other])


def test_the_backward_half_of_the_left_sees_the_word_next_to_it_alone():
    made = network()
    # Words of equal lengths: padding stays what it is
    far, near = changed(0, form="eL")[4], changed(3, form="trod")[4]
    given = items()[4]

    def backward(item):
        return around(made, item)[0] - forward(made, 0, item)

    assert equal(backward(given), backward(far))
    assert not equal(forward(made, 0, given), forward(made, 0, far))
    assert not equal(backward(given), backward(near))


def test_the_backward_half_of_the_right_is_a_constant():
    made = network()
    asked = items()
    found = around(made, *asked)[1] - forward(made, 1, *asked)
    assert all(equal(found[0], row) for row in found)
    # Of the first item's words the left has none: their forward states differ
    assert not equal(forward(made, 1, *asked)[0], forward(made, 1, *asked)[1])


def test_each_side_has_an_lstm_of_its_own():
    made, asked = network(), items()
    left, right = around(made, *asked)
    for weight in made.context[1].parameters():
        torch.nn.init.zeros_(weight)
    found, other = around(made, *asked)
    assert equal(found, left)
    assert not other.any()
    assert right.any()


def test_the_forward_states_of_the_left_are_those_of_one_run():
    made = network()
    asked = items()
    batch = made.batch(asked)
    (side, _), network_of_words = batch.sides, made.context[0]
    parts = [(ids, ids >= 0, [torch.ones(())]) for ids in side.words]
    outputs, *_ = network_of_words(made.words(parts)[side.places[-1:]])
    expected = outputs[0, :, :5]
    assert equal(forward(made, 0, *asked), expected)


@pytest.mark.parametrize("layers", [1, 2])
def test_words_that_are_read_once_are_as_words_that_are_read_at_each_place(layers):
    made = network(layers)
    batch = made.batch(items())
    sides = []
    for side in batch.sides:
        flat = side.places.flatten()
        places = torch.arange(len(flat)).view_as(side.places)
        sides.append(side._replace(words=[ids[flat] for ids in side.words], places=places))
    again = replace(batch, sides=tuple(sides))
    assert made.loss(batch).item() == pytest.approx(made.loss(again).item(), abs=1e-12)


def test_padding_of_the_lemma_is_attended_to():
    made = network().eval()
    alone = made.start(made.batch(items()[:1]))
    beside = made.start(made.batch(items()))
    assert alone.memory.values.shape[1] == 2
    assert beside.memory.values.shape[1] == 6
    assert not beside.memory.padding.any()
    # So the state it starts from has read the padding, too
    assert not equal(alone.hidden[0][0], beside.hidden[0][0])


@pytest.mark.parametrize(("layers", "decoder"), [(1, 1), (2, 2), (2, 1), (1, 2)])
def test_the_decoder_starts_from_the_first_states_of_the_lemma(layers, decoder):
    made = network(layers, decoder=decoder).eval()
    batch = made.batch(items())
    reader = made.words.characters
    _, hidden, cell = reader.network(reader.table(batch.source))
    # First forward, then backward: both of the first layer
    expected = [part[0, :, half] for half in (slice(6), slice(6, 12)) for part in (hidden, cell)]
    found = made.start(batch).hidden
    assert len(found) == 2 * decoder
    assert all(equal(one, other) for one, other in zip(found, expected, strict=False))


def test_the_query_has_the_sentence():
    made = network().eval()
    state = made.start(made.batch(items()))
    previous = torch.full((5,), START)
    first, _ = made.decoder.step(state, previous)
    torch.nn.init.zeros_(made.decoder.see.weight[:, 6:16])  # it no longer writes with the sentence
    one, _ = made.decoder.step(state, previous)
    other, _ = made.decoder.step(state._replace(around=state.around + 1), previous)
    assert not equal(first, one)
    assert not equal(one, other)


@pytest.mark.parametrize("layers", [1, 2])
def test_steps_are_as_teacher_forcing(layers):
    made = network(layers).eval()
    batch = made.batch(items())
    target, state = batch.target[:, :-1], made.start(batch)
    masks = [torch.ones(*target.shape, width) for width in (4, 6)]
    whole = made.decoder.teacher(state, target, masks[:layers])
    for at in range(target.shape[1]):
        log_probs, state = made.decoder.step(state, target[:, at])
        assert equal(log_probs, whole[:, at])


def test_the_loss_is_the_mean_of_all_symbols_of_a_batch():
    made = network().eval()
    batch = made.batch(items())
    log_probs = made.decoder.teacher(made.start(batch), batch.target[:, :-1], [torch.ones(())])
    right = [
        log_probs[row, at, symbol].item()
        for row, ids in enumerate(batch.target.tolist())
        for at, symbol in enumerate(ids[1:])
        if symbol
    ]
    # Le chat noir dort ., and an END of each
    assert len(right) == 2 + 4 + 4 + 4 + 1 + 5
    assert made.loss(batch).item() == pytest.approx(-sum(right) / len(right))


def test_limits_depend_on_the_batch():
    asked = items()
    made = network()
    # The longest form before any of them has 4, 2 or only the boundary
    assert made.limits(asked) == [16] * 5
    assert made.limits(asked[:2]) == [8, 8]
    assert made.limits(asked[:1]) == [4]
    assert network(full=False).limits(asked[1:4]) == [24] * 3


def test_an_empty_lemma_is_read():
    made = network().eval()
    (row,) = made.batch([items()[0]._replace(source="")]).source.tolist()
    assert row == made.characters.encode("*")


def test_dropout_is_of_the_seed_and_of_training_alone():
    made = network(2, dropout=0.5)
    first, same, other = (made.loss(made.batch(items(), seed)).item() for seed in (1, 1, 2))
    assert first == same != other
    made.eval()
    assert len({made.loss(made.batch(items(), seed)).item() for seed in (1, 2)}) == 1
    # Embeddings of three parts on each side; of the lemma; of the target: each with a layer above
    assert len(made.inputs(made.batch(items()))) == 2 * (3 * 4 + 3) + 4 + 3


def test_answers_stay_within_their_limits():
    made = network().eval()
    batch = made.batch(items()[:1])
    (found,) = greedy(made.decoder, made.start(batch), made.limits(items()[:1]))
    assert len(found.ids) <= 4


# Of unequal sizes: sentences of 5, 2 and 1 words
LANGUAGES = [
    items(),
    items([Token("ab", "ba", ("X",)), Token("abcab", "c", ("Y", "X", "Z"))]),
    items([Token("x", "xyz", ("N",))]),
]


@pytest.mark.parametrize("layers", [1, 2])
def test_a_stack_ends_as_separate_networks_do(tmp_path, layers):
    def training(number):
        learnt = LANGUAGES[number]
        made = network(layers, dropout=0.3, learnt=learnt)

        def batches(epoch):
            return [made.batch(learnt[-1:], epoch), made.batch(learnt[:1], -epoch)]

        return Training(
            made, batches, lambda: {}, str(number), Patience(2, 2), adam(0.01), None,
        )  # fmt: skip

    stacked = [training(number) for number in range(3)]
    together = fit_all(stacked, Stacked(stacked[0].model), Work(tmp_path / "all", {}, 600))
    for number, (weights, _) in enumerate(together):
        alone = training(number)
        expected, _ = fit(
            alone.model, alone.batches, alone.model.loss, alone.validate, name="m",
            stop=alone.stop, optimizers=alone.optimizers,
            work=Work(tmp_path / str(number), {}, 600),
        )  # fmt: skip
        for name in expected:
            torch.testing.assert_close(weights[name], expected[name], rtol=0, atol=1e-9)
