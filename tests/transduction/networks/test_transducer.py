"""The neural edit transducer."""

import random

import pytest
import torch

from kasu.transduction.alphabet import PAD, START, UNKNOWN, Alphabet
from kasu.transduction.edits.actions import (
    COPY,
    DELETE,
    END,
    ActionAlphabet,
    aligned_oracle,
    consuming,
)
from kasu.transduction.edits.imitation import Alignments, Expert
from kasu.transduction.features import Slots
from kasu.transduction.items import Item
from kasu.transduction.networks.transducer import EditTransducer
from kasu.transduction.search import beam

ITEMS = [Item("ab", ("N", "PL"), "abc"), Item("bab", ("V",), "b"), Item("c", ("N",), "cc")]
ALPHABET = ActionAlphabet("abc", [COPY, DELETE])


def make(teacher=None, kind="coupled", items=ITEMS, alphabet=ALPHABET):
    torch.manual_seed(1)
    slots = Slots(Alphabet(tag for item in items for tag in item.tags), 3)
    network = EditTransducer(alphabet, slots, embedding=12, size=16, kind=kind, limit=12)
    network.teacher = teacher
    return network


def stepped(decoder, actions):
    """Log probabilities at each step of the actions of the first item, one by one."""
    state, found = decoder.start(), []
    for previous in [START, *actions[:-1]]:
        log_probs, state = decoder.step(state, torch.tensor([previous]))
        found.append(log_probs[0])
    return torch.stack(found)


def score(decoder, actions):
    """Log probabilities at each step of the actions of the first item, in one pass."""
    return decoder.score(torch.tensor([[START, *actions[:-1]]]))[0]


@pytest.mark.parametrize("kind", ["coupled", "lstm", "gru"])
def test_one_pass_is_step_by_step(kind):
    decoder = make(kind=kind).decoder(ITEMS[:1])
    actions = ALPHABET.encode([COPY, "c", DELETE, "a", END])
    torch.testing.assert_close(score(decoder, actions), stepped(decoder, actions))


def test_possible_actions():
    decoder = make().decoder(ITEMS[:1])
    log_probs = score(decoder, ALPHABET.encode([DELETE, "a", COPY, END]))
    insertions = set(ALPHABET.encode("abc"))
    before = insertions | set(ALPHABET.encode([COPY, DELETE]))
    at_end = insertions | set(ALPHABET.encode([END]))
    assert possible(log_probs) == [before, before, before, at_end]
    assert log_probs.exp().sum(1).tolist() == pytest.approx([1] * 4)
    assert not before & {PAD, START, UNKNOWN}


def possible(log_probs):
    return [set((row > -torch.inf).nonzero().flatten().tolist()) for row in log_probs]


def test_the_decoder_reads_the_symbol_at_its_pointer():
    """After DELETE the encoding of the second symbol matters, and no longer that of the first."""
    decoder = make().decoder(ITEMS[:1])
    read = []
    for place in range(4):
        other = decoder.detached()
        other.contexts = other.contexts.clone()
        other.contexts[place] += 1
        actions = ALPHABET.encode([DELETE, "a"])
        read.append((score(other, actions) != score(decoder, actions)).any(1).tolist())
    # What is read first is remembered
    assert read == [[False, False], [True, True], [False, True], [False, False]]


def test_the_first_action_reads_as_a_copy():
    network = make()
    decoder = network.decoder(ITEMS[:1])
    (copied,) = ALPHABET.encode([COPY])
    torch.testing.assert_close(decoder.actions[START], decoder.actions[copied])


def test_features_matter():
    network = make()
    one, other = (network.decoder([Item("ab", tags)]) for tags in (("N", "PL"), ("V",)))
    actions = ALPHABET.encode([COPY])
    assert not torch.equal(score(one, actions), score(other, actions))


def test_symbols_share_their_embedding_with_their_insertion():
    network = make()
    (ids,) = ALPHABET.encode("a")
    before = network.decoder(ITEMS[:1])
    with torch.no_grad():
        network.table.weight[ids] += 1
    after = network.decoder(ITEMS[:1])
    assert not torch.equal(before.contexts, after.contexts)
    assert not torch.equal(before.actions[ids], after.actions[ids])


def test_an_unknown_symbol_has_the_mean_of_trained_embeddings():
    network = make()
    trained = [number for number in range(len(ALPHABET)) if number not in (PAD, UNKNOWN)]
    found = network.embed(torch.tensor([[UNKNOWN, START]]))
    expected = torch.stack([network.table.weight[trained].mean(0), network.table.weight[START]])
    torch.testing.assert_close(found[0], expected)


def test_an_unknown_symbol_can_be_copied():
    network = make()
    with torch.no_grad():
        network.output.weight.zero_()
        network.output.bias.zero_()
        network.output.bias[ALPHABET.encode([COPY, END])] = 9.0
    (answer,) = network.answer([Item("aßb", ("N",))])
    assert answer.forms == ["aßb"]


@pytest.mark.parametrize("width", [1, 3])
def test_answers_do_not_depend_on_other_items(width):
    network = make()
    together = network.answer(ITEMS, width)
    for item, answer in zip(ITEMS, together, strict=True):
        (alone,) = network.answer([item], width)
        assert alone.forms == answer.forms
        assert alone.scores == pytest.approx(answer.scores, abs=1e-4)


def test_scores_are_log_probabilities():
    network = make()
    (answer,) = network.answer(ITEMS[:1])
    decoder, actions = network.decoder(ITEMS[:1]), [START]
    state, total = decoder.start(), 0.0
    while len(actions) <= 12 and actions[-1] != ALPHABET.encode([END])[0]:
        log_probs, state = decoder.step(state, torch.tensor(actions[-1:]))
        best, action = log_probs[0].max(0)
        total, actions = total + best.item(), [*actions, action.item()]
    assert answer.forms == [consuming("ab", ALPHABET.decode(actions))]
    assert answer.scores == pytest.approx([total], abs=1e-5)


def test_a_form_has_the_score_of_its_best_way():
    network, width = make(), 12
    with torch.no_grad():
        network.output.bias[ALPHABET.encode([COPY, DELETE, "a", END])] += 3
    decoder = network.decoder(ITEMS[:1])
    (found,) = beam(decoder, decoder.start(), [network.limit], width)
    ways = [(consuming("ab", ALPHABET.decode(ids)), score) for ids, score in found]
    (answer,) = network.answer(ITEMS[:1], width)
    assert len(ways) == width
    assert 1 < len(answer.forms) < width
    best = {form: max(score for other, score in ways if other == form) for form, _ in ways}
    assert dict(zip(answer.forms, answer.scores, strict=True)) == pytest.approx(best, abs=1e-6)
    assert list(answer.scores) == sorted(answer.scores, reverse=True)


def test_loss_of_alignments():
    actions = [COPY, COPY, "c", END]
    network = make(Alignments({ITEMS[0]: actions}))
    ids = ALPHABET.encode(actions)
    log_probs = stepped(network.decoder(ITEMS[:1]), ids)
    expected = -sum(row[action] for row, action in zip(log_probs, ids, strict=True)) / len(ids)
    torch.testing.assert_close(network.loss(network.batch(ITEMS[:1], 1, 1)), expected)


def test_loss_is_a_mean_over_items():
    network = make(Expert(limit=12))
    single = [network.loss(network.batch([item], 1, 1)) for item in ITEMS]
    torch.testing.assert_close(network.loss(network.batch(ITEMS, 1, 1)), sum(single) / 3)


def test_the_seed_decides_what_is_drawn():
    network = make(Expert(limit=12, k=1.0, rolled_out=0.5))
    losses = [network.loss(network.batch(ITEMS[:1], seed, 20)).item() for seed in (1, 1, 2, 3)]
    assert losses[0] == losses[1]
    assert len(set(losses)) > 1


def test_lessons_have_no_gradient():
    network = make(Expert(limit=12, k=1.0, rolled_out=1.0))
    decoder = network.decoder(ITEMS[:1]).detached()
    assert not decoder.contexts.requires_grad
    assert not decoder.actions.requires_grad


def test_weights_are_drawn_as_in_dynet():
    """What the cell reads counts as one vector: symbol, encodings of two directions, features."""
    network = make()
    width = 12 + 2 * 16 + network.constant.width
    bound = (6 / (16 + width)) ** 0.5
    symbols = network.cell.layers[0].input
    for weight in (symbols, network.encodings.weight, network.constants.weight):
        assert 0.9 * bound < weight.abs().max() <= bound
    assert 0.9 * (3 / 12) ** 0.5 < network.table.weight.abs().max() <= (3 / 12) ** 0.5
    assert 0.9 < network.constant.table.weight.abs().max() <= 1  # of width 3


SUFFIXES = {"SG": "", "PL": "en", "GEN": "s"}
WORDS = ["".join(random.Random(seed).choices("bdgklaeiounmrt", k=5)) for seed in range(100)]
TOY = [
    Item(word, ("N", number), word + SUFFIXES[number])
    for place, word in enumerate(WORDS)
    for number in [[*SUFFIXES][place % 3]]
]


@pytest.mark.parametrize("teacher", ["alignments", "expert"])
def test_learns_suffixes(teacher):
    alphabet = ActionAlphabet({letter for item in TOY for letter in item.target}, [COPY, DELETE])
    aligned = {
        item: aligned_oracle(
            [*zip(item.source, item.source, strict=True)]
            + [(None, letter) for letter in SUFFIXES[item.tags[1]]]
        )
        for item in TOY
    }
    teachers = {
        "alignments": Alignments(aligned),
        "expert": Expert(limit=12, k=12.0, rolled_out=0.5),
    }
    network = make(teachers[teacher], items=TOY, alphabet=alphabet)
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    seen, unseen = TOY[:60], TOY[60:]
    for epoch in range(1, 7):
        for seed, item in enumerate(seen):
            optimizer.zero_grad()
            network.loss(network.batch([item], seed, epoch)).backward()
            optimizer.step()
    answers = network.answer(unseen)
    right = sum(a.forms[0] == item.target for a, item in zip(answers, unseen, strict=True))
    assert right / len(unseen) > 0.9
