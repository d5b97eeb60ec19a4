"""Networks on a device other than the CPU: none of their tensors is left behind.

The device is emulated. It computes on the CPU, and refuses what a GPU refuses, tensors of both.
Where there is a GPU, it takes the same tests.
"""

from contextlib import ExitStack

import pytest
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from kasu.cloze.context.subwords import learn_subwords
from kasu.cloze.networks.three_encoders import ThreeEncoders
from kasu.neural.device import make_deterministic
from kasu.neural.optimizers import adadelta, clip_norm
from kasu.neural.recurrent.networks import Recurrent
from kasu.neural.resume import Work
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import START, UNKNOWN, Alphabet
from kasu.transduction.edits.actions import COPY, DELETE, MOVE, ActionAlphabet
from kasu.transduction.edits.imitation import Expert
from kasu.transduction.features import Slots
from kasu.transduction.items import Item
from kasu.transduction.layers.encoder import Encoder
from kasu.transduction.layers.pointer_generator import PointerGenerator
from kasu.transduction.networks.actor_critic import Rewards
from kasu.transduction.networks.contextual_seq2seq import ContextualSeq2Seq
from kasu.transduction.networks.joined_seq2seq import JoinedSeq2Seq
from kasu.transduction.networks.luong_seq2seq import LuongSeq2Seq
from kasu.transduction.networks.ordered_seq2seq import OrderedSeq2Seq
from kasu.transduction.networks.pointing import PointingTransducer
from kasu.transduction.networks.repeating import RepeatingTransducer
from kasu.transduction.networks.seq2seq import TwoEncoders
from kasu.transduction.networks.training import Recipe, train
from kasu.transduction.networks.transducer import EditTransducer
from kasu.transduction.networks.tutorial_seq2seq import TutorialSeq2Seq
from kasu.transduction.networks.two_headed import NetworkSizes, TwoHeaded
from kasu.transduction.networks.vector_seq2seq import VectorSeq2Seq

AWAY = torch.device("meta")  # a name that torch has and that nothing else uses
DEVICES = [
    pytest.param(AWAY, id="emulated"),
    pytest.param(
        torch.device("cuda"), id="gpu",
        marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU"),
    ),
]  # fmt: skip
aten = torch.ops.aten
# What takes tensors of both devices on a GPU, too: lengths and indices may be on the CPU
MIXED = {
    aten._pack_padded_sequence.default,
    aten._pack_padded_sequence_backward.default,
    aten._pad_packed_sequence.default,
    aten.copy_.default,
    aten.index.Tensor,
    aten.index_put_.default,
}


class Away(torch.Tensor):
    """A tensor on the emulated device."""

    @staticmethod
    def __new__(cls, held):
        return torch.Tensor._make_wrapper_subclass(
            cls, held.shape, strides=held.stride(), dtype=held.dtype, device=AWAY
        )

    def __init__(self, held):
        self.held = held

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is Tensor.tolist:  # torch has none for a class of one's own
            return args[0].held.tolist()
        with torch._C.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return compute(func, args, kwargs or {})


class Numbers(TorchFunctionMode):
    """While it is on, numbers can be sent to the device."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if func is torch.tensor:
            device = kwargs.pop("device", "cpu")
            return func(*args, **kwargs).to(device)
        if func in (Tensor.__getitem__, Tensor.__setitem__):
            tensor, places, *value = args
            whole = isinstance(places, tuple)
            places = [
                torch.tensor(each) if isinstance(each, list) else each
                for each in (places if whole else (places,))
            ]
            args = (tensor, tuple(places) if whole else places[0], *value)
        return func(*args, **kwargs)


class Operations(TorchDispatchMode):
    """While it is on, the device computes."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return compute(func, args, kwargs or {})


def over(function, values):
    """Apply a function to all that is in tuples, lists and dictionaries (torch's takes longer)."""
    kind = type(values)
    if kind is tuple or kind is list:
        return kind([over(function, each) for each in values])
    if kind is dict:
        return {key: over(function, each) for key, each in values.items()}
    return function(values)


def compute(func, args, kwargs):
    """Run an operation; its results are where its arguments are, or where they are asked for."""
    tensors = []

    def taken(given):
        if isinstance(given, Tensor):
            tensors.append(given)
        return given.held if isinstance(given, Away) else given

    args, kwargs = over(taken, (args, kwargs))
    away = [each for each in tensors if isinstance(each, Away)]
    here = [each for each in tensors if not isinstance(each, Away) and each.dim()]
    assert not any(each.is_meta for each in here), f"{func}: not emulated"
    if away and here and func not in MIXED:
        raise RuntimeError(f"{func}: tensors on two devices")
    asked = kwargs.get("device")
    if asked is not None:
        kwargs = kwargs | {"device": "cpu"}
    goes_away = bool(away) if asked is None else torch.device(asked) == AWAY
    known = {id(each): each for each in tensors} | {id(each.held): each for each in away}

    def placed(made):
        if id(made) in known:  # changed in place
            return known[id(made)]
        return Away(made) if goes_away and isinstance(made, Tensor) else made

    made = func(*args, **kwargs)
    if func is aten._pack_padded_sequence.default:  # lengths stay on the CPU
        return placed(made[0]), made[1]
    return over(placed, made)


# Short, since each operation of the emulated device takes long
ITEMS = [Item("kal", ("N", "PL"), "kalk"), Item("me", ("N", "ERG"), "mek"), Item("u", (), "u")]
ASKED = [*ITEMS, Item("že", ("V",))]
CHARACTERS, TAGS = Alphabet("kalemndiur"), Alphabet(["N", "PL", "ERG"])


def two_encoders():
    table = nn.Embedding(len(CHARACTERS), 5)
    lemma, features = (
        Encoder(each, Recurrent("lstm", 5, 6, directions=2))
        for each in (table, nn.Embedding(len(TAGS), 5))
    )
    decoder = PointerGenerator(table, 7, [12, 12], 4)
    return TwoEncoders(CHARACTERS, TAGS, lemma, features, decoder, dropout=0.5)


def edit_transducer():
    alphabet = ActionAlphabet(CHARACTERS.symbols, [COPY, DELETE])
    return EditTransducer(alphabet, Slots(TAGS, 3), embedding=5, size=6, kind="coupled", limit=20)


def pointing_transducer():
    alphabet = ActionAlphabet(CHARACTERS.symbols, [COPY, MOVE])
    return PointingTransducer(alphabet, TAGS, embedding=5, size=6, layers=2)


def vector_seq2seq():
    return VectorSeq2Seq(CHARACTERS, TAGS, 6, fed=True)


def two_headed():
    parts = NetworkSizes(5, 6, 2), NetworkSizes(3, 4, 1), NetworkSizes(5, 7, 2)
    return TwoHeaded(CHARACTERS, TAGS, *parts, dropout=0.5, together=3)


def ordered_seq2seq():
    orders = ("backward", "outside_in")
    return OrderedSeq2Seq(CHARACTERS, TAGS, orders, embedding=4, size=6, dropout=0.5, forced=0.5)


def repeating_transducer():
    alphabet = ActionAlphabet(CHARACTERS.symbols, [COPY, DELETE])
    return RepeatingTransducer(
        alphabet, TAGS, embedding=5, size=6, steps=9, dropout=0.5, grouped=False
    )


def luong_seq2seq():
    return LuongSeq2Seq(CHARACTERS, TAGS, embedding=5, size=6, dropout=0.5, discount=0.9, length=9)


def joined_seq2seq():
    return JoinedSeq2Seq(CHARACTERS, TAGS, embedding=5, size=6, bound=0.1)


class Features(nn.Module):
    """The first feature of an item as its context."""

    def __init__(self):
        super().__init__()
        self.width, self.table = 3, nn.Embedding(len(TAGS), 3)
        self.register_buffer("unknown", torch.tensor([UNKNOWN]), persistent=False)

    def ids(self, items):
        return torch.tensor([[*TAGS.encode(item.tags), START][:1] for item in items], device="cpu")

    def forward(self, ids):
        return self.table(ids[:, 0])


def contextual_seq2seq():
    rates = {"dropout": 0.5, "unknown": 0.5}
    network = ContextualSeq2Seq(CHARACTERS, Features(), embedding=4, size=5, **rates)
    for table in (network.table, network.decoder.table):
        table.sparse = False  # the emulated device has no sparse tensors
    return network


def tutorial_seq2seq():
    rates = {"dropout": 0.5, "unknown": 0.5, "forced": 0.5}
    return TutorialSeq2Seq(
        CHARACTERS, Features(), embedding=4, size=5, **rates, limit=5, masked=True
    )


def three_encoders():
    return ThreeEncoders(CHARACTERS, learn_subwords({}, 0), embedding=4, size=5, dropout=0.5)


MAKERS = [
    three_encoders,
    tutorial_seq2seq,
    contextual_seq2seq,
    two_encoders,
    edit_transducer,
    pointing_transducer,
    vector_seq2seq,
    two_headed,
    ordered_seq2seq,
    repeating_transducer,
    luong_seq2seq,
    joined_seq2seq,
]


TEACHERS = {edit_transducer: Expert(limit=20, k=1.0, rolled_out=0.5), luong_seq2seq: Rewards()}


def test_the_emulated_device_refuses_what_a_gpu_refuses():
    with Operations(), Numbers():
        there = torch.arange(2, device=AWAY)
        assert (there + 1).device == AWAY
        assert (there + 1).tolist() == [1, 2]
        with pytest.raises(RuntimeError, match="two devices"):
            there + torch.arange(2)


# What is loaded into a tensor of that name is not lost
@pytest.mark.filterwarnings("ignore:for .* copying from a non-meta parameter")
@pytest.mark.parametrize("stacked", [False, True])
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("device", DEVICES)
def test_training_and_answers_are_the_same_on_another_device(tmp_path, device, make, stacked):
    recipe = Recipe(
        batch_size=2, epochs=2, stop=Patience(2, 2), optimizers=adadelta(), clip=clip_norm(1),
        validated=ITEMS, teacher=TEACHERS.get(make),
    )  # fmt: skip

    keys = {"one": (1,), "two": (2,)} if stacked else {"one": (1,)}

    def answers(device):
        work = Work(tmp_path / str(device), {}, 0)
        networks = train(make, ITEMS, recipe, keys, work, device, stacked=stacked)
        places = {each.device for network in networks for each in network.parameters()}
        assert {each.type for each in places} == {device.type}
        # A stack is divided again: its networks answer apart, one with a beam
        widths = ((1,), (3,)) if stacked else ((1, 3),)
        return [
            network.answer(ASKED, width)
            for network, some in zip(networks, widths, strict=True)
            for width in some
        ]

    make_deterministic(threads=1)  # refuses what a GPU computes in another order each time
    expected = answers(torch.device("cpu"))
    with ExitStack() as emulated:
        if device == AWAY:
            emulated.enter_context(Operations())
            emulated.enter_context(Numbers())
        found = answers(device)
    for one, other in zip(found, expected, strict=True):
        assert [answer.forms for answer in one] == [answer.forms for answer in other]
        for answer, same in zip(one, other, strict=True):
            # A GPU adds in another order: up to 8e-6 of a score of -20 to -120, on an H100
            share = 0 if device == AWAY else 1e-5
            assert answer.scores == pytest.approx(same.scores, rel=share, abs=1e-4)
