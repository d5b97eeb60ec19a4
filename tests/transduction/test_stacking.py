"""Networks that are trained as a stack end as those that are trained one by one."""

import pytest
import torch
from torch import nn

from kasu.cloze.context.subwords import learn_subwords
from kasu.cloze.networks.three_encoders import ThreeEncoders
from kasu.neural.optimizers import adadelta, adam, clip_norm, nadam, rmsprop, sgd
from kasu.neural.recurrent.networks import Recurrent
from kasu.neural.resume import Work
from kasu.neural.stacked import Stacked
from kasu.neural.stopping import Patience
from kasu.neural.training import Training, fit, fit_all
from kasu.transduction.alignments.crp_alignment import align_by_crp
from kasu.transduction.alphabet import PAD, START, UNKNOWN, Alphabet
from kasu.transduction.batch import pad
from kasu.transduction.edits.actions import (
    COPY,
    DELETE,
    MOVE,
    ActionAlphabet,
    moving_oracle,
)
from kasu.transduction.edits.glyphs import Patches
from kasu.transduction.edits.imitation import Expert
from kasu.transduction.features import Slots
from kasu.transduction.items import Item
from kasu.transduction.layers.encoder import Encoder
from kasu.transduction.layers.pointer_generator import PointerGenerator
from kasu.transduction.networks.actor_critic import Rewards
from kasu.transduction.networks.character_lm import CharacterLM
from kasu.transduction.networks.contextual_seq2seq import ContextualSeq2Seq
from kasu.transduction.networks.inflector import Inflector
from kasu.transduction.networks.joined_seq2seq import JoinedSeq2Seq
from kasu.transduction.networks.luong_seq2seq import LuongSeq2Seq
from kasu.transduction.networks.multitask_seq2seq import MultitaskSeq2Seq
from kasu.transduction.networks.ordered_seq2seq import OrderedSeq2Seq
from kasu.transduction.networks.patching import PatchingTransducer
from kasu.transduction.networks.pointer_lm import StepSizes, StepTransducer
from kasu.transduction.networks.pointing import PointingTransducer
from kasu.transduction.networks.repeating import RepeatingTransducer
from kasu.transduction.networks.seq2seq import TwoEncoders
from kasu.transduction.networks.transducer import EditTransducer
from kasu.transduction.networks.tutorial_seq2seq import TutorialSeq2Seq
from kasu.transduction.networks.two_headed import NetworkSizes, TwoHeaded
from kasu.transduction.networks.vector_seq2seq import VectorSeq2Seq

# Alphabets of 10, 11 and 4 symbols, of 3, 3 and 2 features
LANGUAGES = [
    [
        Item("kale", ("N", "PL"), "kaleak"),
        Item("mendi", ("N", "ERG"), "mendik"),
        Item("ur", ("N",), "ur"),
    ],
    [Item("abcdefghijk", ("X", "Y", "Z"), "abck"), Item("j", ("X",), "jjj"), Item("i", (), "ii")],
    [Item("x", ("N",), "xyx"), Item("yz", ("N", "V"), "zyw")],
]


def two_encoders(characters, tags):
    table = nn.Embedding(len(characters), 5)
    lemma, features = (
        Encoder(each, Recurrent("lstm", 5, 6, directions=2))
        for each in (table, nn.Embedding(len(tags), 5))
    )
    decoder = PointerGenerator(table, 7, [12, 12], 4)
    return TwoEncoders(characters, tags, lemma, features, decoder, dropout=0.5)


def edit_transducer(characters, tags):
    alphabet = ActionAlphabet(characters.symbols, [COPY, DELETE])
    network = EditTransducer(
        alphabet, Slots(tags, 3), embedding=5, size=6, kind="coupled", limit=20
    )
    network.teacher = Expert(limit=20, k=1.0, rolled_out=0.5)
    return network


def pointing_transducer(characters, tags):
    alphabet = ActionAlphabet(characters.symbols, [COPY, MOVE])
    return PointingTransducer(alphabet, tags, embedding=5, size=6, layers=2)


def patching_transducer(characters, tags):
    patches = Patches(characters.symbols)
    return PatchingTransducer(characters.symbols, tags, patches, embedding=5, size=6)


def frozen_transducer(characters, tags):
    """As RACAI's submission: only recurrent weights are trained."""
    network = pointing_transducer(characters, tags)
    for part in (network.table, network.features, network.output):
        part.requires_grad_(False)
    return network


def vector_seq2seq(characters, tags):
    return VectorSeq2Seq(characters, tags, 6, fed=False)


def fed_seq2seq(characters, tags):
    return VectorSeq2Seq(characters, tags, 6, fed=True)


def multitask_seq2seq(characters, tags):
    # The alphabets have two languages, two and one
    features, languages = (Alphabet(part) for part in (tags.symbols[:1], tags.symbols[1:]))
    return MultitaskSeq2Seq(characters, features, languages, 6)


def two_headed(characters, tags):
    parts = NetworkSizes(5, 6, 2), NetworkSizes(3, 4, 1), NetworkSizes(5, 7, 2)
    return TwoHeaded(characters, tags, *parts, dropout=0.5, together=2)


def ordered_seq2seq(characters, tags):
    orders = ("forward", "backward", "outside_in")
    return OrderedSeq2Seq(characters, tags, orders, embedding=4, size=6, dropout=0.5, forced=0.5)


def repeating_transducer(characters, tags):
    alphabet = ActionAlphabet(characters.symbols, [COPY, DELETE])
    return RepeatingTransducer(
        alphabet, tags, embedding=5, size=6, steps=9, dropout=0.5, grouped=False
    )


def luong_seq2seq(characters, tags):
    return LuongSeq2Seq(characters, tags, embedding=5, size=6, dropout=0.5, discount=0.9, length=9)


def joined_seq2seq(characters, tags):
    return JoinedSeq2Seq(characters, tags, embedding=5, size=6, bound=0.1)


def rewarded_seq2seq(characters, tags):
    """As it is refined: from its own answers."""
    network = luong_seq2seq(characters, tags)
    network.teacher = Rewards()
    return network


def character_lm(characters, tags):
    return CharacterLM(characters, tags, history=3, layers=2, size=5, feature=4, dense=3)


def step_transducer(characters, tags, fused=None):
    alphabet = ActionAlphabet(characters.symbols, [MOVE])
    sizes = StepSizes(embedding=5, encoder=6, decoder=7, feature=4, dense=5, history=3)
    model = CharacterLM(alphabet, tags, history=3, layers=2, size=5, feature=4, dense=3)
    network = StepTransducer(
        alphabet, tags, sizes, dropout=0.5, fused=model if fused else None, erased=0.5
    )
    items = [item for items in LANGUAGES for item in items]
    columns = align_by_crp([(item.source, item.target) for item in items], passes=0, seed=1)
    network.teacher = dict(zip(items, map(moving_oracle, columns), strict=True))
    return network


def fused_transducer(characters, tags):
    return step_transducer(characters, tags, fused=True)


class Features(nn.Module):
    """The features of an item as its context."""

    def __init__(self, tags):
        super().__init__()
        self.tags, self.width = tags, 3
        self.table = nn.Embedding(len(tags), 3, sparse=True)
        self.register_buffer("unknown", torch.tensor([UNKNOWN]), persistent=False)

    def ids(self, items):
        return pad([self.tags.encode(item.tags) or [START] for item in items])

    def forward(self, ids):
        return (self.table(ids) * (ids != PAD).unsqueeze(2)).sum(1)


def contextual_seq2seq(characters, tags):
    # Wide enough that no vector is dropped whole: lazy Adam takes one for read only if it is sparse
    rates = {"dropout": 0.5, "unknown": 0.5}
    return ContextualSeq2Seq(characters, Features(tags), embedding=20, size=5, **rates)


def tutorial_seq2seq(characters, tags):
    rates = {"dropout": 0.5, "unknown": 0.5, "forced": 0.5}
    return TutorialSeq2Seq(
        characters, Features(tags), embedding=20, size=5, **rates, limit=8, masked=True
    )


def inflector(characters, tags):
    return Inflector(characters, tags, embedding=5, size=6)


class Spelled:
    """Of each word the source and a part of it, as if they were the sides of its sentence."""

    def __init__(self, subwords):
        self.encode = subwords.encode

    def ids(self, items):
        rows = [self.encode(item.source) for item in items]
        return pad(rows), pad([row[:2] for row in rows])


def three_encoders(characters, tags):
    subwords = learn_subwords(dict.fromkeys(characters.symbols, 1), 0)
    network = ThreeEncoders(characters, subwords, embedding=5, size=6, dropout=0.5)
    network.sides = Spelled(subwords)
    return network


def training(make, optimizers, number):
    """Training on one of the languages; on the second it stops early."""
    torch.manual_seed(number)
    items = LANGUAGES[number]
    characters = Alphabet("".join(f"{item.source}{item.target}" for item in items))
    network = make(characters, Alphabet(tag for item in items for tag in item.tags)).double()
    scores = iter(([1, 2, 4, 3], [2, 1], [1, 2, 3, 4])[number])

    def batches(epoch):
        return [network.batch(items[:2], epoch, epoch), network.batch(items[1:], -epoch, epoch)]

    return Training(
        network, batches, lambda: {"score": next(scores)}, str(number),
        Patience((9, 1, 9)[number], 4), optimizers, clip_norm(1),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("make", "optimizers"),
    [
        (two_encoders, adam(0.01)),
        (edit_transducer, adadelta()),
        (pointing_transducer, adam(0.01)),
        (frozen_transducer, adam(0.01)),
        (patching_transducer, adam(0.01, decay=0.01)),
        (vector_seq2seq, rmsprop(0.01)),
        (fed_seq2seq, rmsprop(0.01)),
        (multitask_seq2seq, adam(0.01)),
        (two_headed, adam(0.01)),
        (ordered_seq2seq, sgd(0.1)),
        (repeating_transducer, adam(0.01)),
        (luong_seq2seq, adam(0.01)),
        (joined_seq2seq, adam(0.01)),
        (rewarded_seq2seq, sgd(0.5)),
        (contextual_seq2seq, adam(0.01)),
        (tutorial_seq2seq, adam(0.01)),
        (inflector, sgd(0.1)),
        (three_encoders, adam(0.01)),
        (character_lm, nadam(0.01)),
        (step_transducer, adam(0.01)),
        (fused_transducer, adam(0.01)),
    ],
)
def test_a_stack_ends_as_separate_networks_do(tmp_path, make, optimizers):
    stacked = [training(make, optimizers, number) for number in range(3)]
    together = fit_all(stacked, Stacked(stacked[0].model), Work(tmp_path / "together", {}, 600))
    assert [len(history) for _, history in together] == [4, 2, 4]
    for number, (weights, history) in enumerate(together):
        alone = training(make, optimizers, number)
        expected, own = fit(
            alone.model, alone.batches, alone.model.loss, alone.validate,
            name="m", stop=alone.stop, optimizers=alone.optimizers, clip=alone.clip,
            work=Work(tmp_path / str(number), {}, 600),
        )  # fmt: skip
        assert weights.keys() == expected.keys()
        for name in expected:
            torch.testing.assert_close(weights[name], expected[name], rtol=0, atol=1e-9)
        losses = [[row["train_loss"] for row in rows] for rows in (history, own)]
        assert losses[0] == pytest.approx(losses[1], abs=1e-9)
        answers = []
        for model, best in ((stacked[number].model, weights), (alone.model, expected)):
            model.load_state_dict(best)
            answers.append(model.answer(LANGUAGES[number], 3))
        for one, other in zip(*answers, strict=True):
            assert one.forms == other.forms
            assert one.scores == pytest.approx(other.scores, abs=1e-9)
