"""Texts as tokens, and log probabilities at a few positions, of toy models and random ones."""

from types import SimpleNamespace

import pytest
import torch
from tokenizers.processors import TemplateProcessing
from torch import nn
from transformers.activations import GELUActivation
from transformers.models.bert.modeling_bert import BertIntermediate

from kasu.base.errors import KasuError
from kasu.lm.models.language_model import load_model
from kasu.lm.models.shortcuts import PackedLinear, cutting, find_cuts, pack_linears, restore

CPU = torch.device("cpu")
BFLOAT16 = pytest.mark.skipif(
    not torch.ops.mkldnn._is_mkldnn_bf16_supported(), reason="oneDNN has no bfloat16 here"
)


@pytest.fixture(scope="module")
def masked(bert):
    return load_model(bert, "masked", device=CPU)


def test_tokens_with_their_words_and_special_ones(masked):
    text = masked.encode("etxeak du", special_tokens=True, within_words=True)
    assert masked.tokenizer.convert_ids_to_tokens(text.ids) == [
        "[CLS]", "etxe", "##ak", "du", "[SEP]",
    ]  # fmt: skip
    assert text.special == (True, False, False, False, True)
    assert text.words == (None, 0, 0, 1, None)
    bare = masked.encode("etxeak du", special_tokens=False)
    assert (bare.ids, bare.special, bare.words) == (text.ids[1:-1], (False,) * 3, ())


def test_a_special_token_in_a_text_is_its_own(masked):
    text = masked.encode("etxe [SEP]", special_tokens=False)
    assert text.special == (False,) * len(text.ids)


def test_words_take_a_fast_tokenizer(bigram):
    model = bigram("masked")
    model.tokenizer = SimpleNamespace(is_fast=False)
    line = "bigram: its tokenizer does not align tokens and text; expected a fast one"
    with pytest.raises(KasuError, match=line):
        model.encode("etxe", special_tokens=True, within_words=True)


def test_what_a_model_says_of_itself(masked):
    assert masked.vocabulary == masked.network.config.vocab_size
    assert masked.max_length == 64
    assert (masked.mask, masked.unknown, masked.missing) == (4, 1, ())
    assert not masked.network.training


def test_log_probabilities_by_hand(bigram):
    model = bigram("causal")
    ids = torch.tensor([[5, 6, 7], [8, 9, 10]])
    found = model.log_probabilities(ids, [0, 1, 1], [1, 0, 2], [3, 4, 5])
    table = model.network.table.log_softmax(1)
    torch.testing.assert_close(found, table[[6, 8, 10], [3, 4, 5]])
    assert (found.dtype, found.device.type) == (torch.float32, "cpu")


def test_a_cut_in_the_last_layer_and_one_below_the_head(masked):
    attention, below = find_cuts(masked.network)
    assert attention.module is masked.network.bert.encoder.layer[1].attention.output
    assert (attention.below, below.below) == (False, True)
    assert below.module is masked.network.bert
    assert find_cuts(nn.Linear(2, 2)) == []


def test_only_states_that_are_asked_for_pass_a_cut(masked):
    ids, rows, positions = (
        torch.tensor([[2, 5, 6, 3]] * 2),
        torch.tensor([1, 0]),
        torch.tensor([2, 1]),
    )
    with torch.inference_mode():
        whole = masked.network(input_ids=ids).logits[rows, positions]
        for cut in find_cuts(masked.network):
            with cutting(cut, rows, positions) as passed:
                assert not passed
                logits = masked.network(input_ids=ids).logits
                assert passed
            torch.testing.assert_close(logits.squeeze(0), whole, rtol=1e-4, atol=1e-4)
        with cutting(None, rows, positions) as passed:
            assert masked.network(input_ids=ids).logits.shape[:2] == (2, 4)
        assert not passed
        # the hooks are gone
        assert masked.network(input_ids=ids).logits.shape[:2] == (2, 4)


def test_packed_layers_compute_the_same_and_can_be_put_back():
    torch.manual_seed(1)
    network = nn.Sequential(
        nn.Linear(8, 16), nn.GELU(), nn.Sequential(nn.Linear(16, 4, bias=False))
    )
    inputs = torch.randn(5, 8)
    layers = [network[0], network[2][0]]
    with torch.inference_mode():
        expected = network(inputs)
        replaced = pack_linears(network)
        assert [type(network[0]), type(network[2][0])] == [PackedLinear] * 2
        torch.testing.assert_close(network(inputs), expected)
    restore(replaced)
    assert [network[0], network[2][0]] == layers


def test_gelu_is_computed_by_the_layer_before_it_to_the_last_bit(bert, monkeypatch):
    asked = torch.arange(40).reshape(4, 10), [0, 3], [2, 5], [7, 8]
    fused = load_model(bert, "masked", device=CPU)
    monkeypatch.setattr(
        "kasu.lm.models.language_model.pack_linears",
        lambda network, *_: pack_linears(network, False),
    )
    apart = load_model(bert, "masked", device=CPU)
    kinds = [[type(each) for each in model.network.modules()] for model in (fused, apart)]
    assert [each.count(GELUActivation) for each in kinds] == [0, 3]  # two layers and the head
    assert PackedLinear in kinds[0]
    assert fused.log_probabilities(*asked).tolist() == apart.log_probabilities(*asked).tolist()


def test_a_gelu_that_comes_first_is_left_where_it_is(bert, monkeypatch):
    monkeypatch.setattr(
        BertIntermediate, "forward", lambda self, x: self.dense(self.intermediate_act_fn(x))
    )
    model = load_model(bert, "masked", device=CPU)
    layers = [layer for layer in model.network.modules() if isinstance(layer, PackedLinear)]
    assert layers
    assert {layer.after for layer in layers} == {"none"}


def test_a_model_is_packed_and_cut_where_that_changes_nothing(masked, bigram):
    assert masked._cut is not None
    assert not masked._cut.below
    assert bigram("causal")._cut is None


@BFLOAT16
def test_a_packed_layer_multiplies_in_bfloat16_only_under_autocast():
    torch.manual_seed(1)
    network, inputs = nn.Sequential(nn.Linear(64, 64)), torch.randn(5, 64)
    with torch.inference_mode():
        precise = network(inputs)
        pack_linears(network, autocast=True)
        torch.testing.assert_close(network(inputs), precise)
        with torch.autocast("cpu", torch.bfloat16):
            rounded = network(inputs)
    assert rounded.dtype == torch.bfloat16
    assert 1e-4 < (rounded - precise).abs().max() < 1e-2


@BFLOAT16
def test_bfloat16_is_packed_and_near_float32(bert):
    asked = torch.arange(40).reshape(4, 10), [0, 3], [2, 5], [7, 8]
    precise = load_model(bert, "masked", device=CPU).log_probabilities(*asked)
    packed = load_model(bert, "masked", device=CPU, dtype="bfloat16")
    assert any(isinstance(layer, PackedLinear) for layer in packed.network.modules())
    found = packed.log_probabilities(*asked)
    assert found.dtype == torch.float32
    assert found.tolist() != precise.tolist()
    torch.testing.assert_close(found, precise, atol=0.05, rtol=0)


def test_what_the_processor_cannot_pack_in_bfloat16_is_left_to_torch(bert, monkeypatch):
    def refuse(linear, dtype):
        raise RuntimeError("bf16 path needs the cpu support avx512bw, avx512vl and avx512dq")

    monkeypatch.setattr("kasu.lm.models.shortcuts._pack", refuse)
    model = load_model(bert, "masked", device=CPU, dtype="bfloat16")
    assert not any(isinstance(layer, PackedLinear) for layer in model.network.modules())
    assert model._cut is not None
    found = model.log_probabilities(torch.tensor([[2, 5, 3]]), [0], [1], [5])
    assert found.dtype == torch.float32


def test_a_text_that_the_tokenizer_begins_gets_no_second_beginning(bigram):
    """XGLM's begins with </s>, as in its training, and has a <s> besides."""
    model = bigram("causal")
    begin, other = model.tokenizer.convert_tokens_to_ids(["etxe", "du"])
    model.tokenizer.bos_token = "etxe"
    backend = model.tokenizer.backend_tokenizer
    backend.post_processor = TemplateProcessing(single="du $A", special_tokens=[("du", other)])
    assert model.encode("etxe", special_tokens=True).ids == (other, begin)
    backend.post_processor = TemplateProcessing(single="$A", special_tokens=[])
    assert model.encode("du", special_tokens=True).ids == (begin, other)
