"""Model folders: how long an input may be, weights that are missing, and code that must not run."""

import json
import pickle
import shutil
from collections import Counter
from pathlib import Path

import huggingface_hub
import pytest
import sentencepiece
import torch
import transformers
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from kasu.base.errors import KasuError
from kasu.lm import CAUSAL, ENCODER, MASKED
from kasu.lm.models.encoder import Encoder
from kasu.lm.models.language_model import load_model
from kasu.lm.models.loading import load_parts, load_tokenizer, longest_input
from kasu.lm.scoring.entries import encode_items
from kasu.lm.scoring.items import ItemText
from kasu.lm.scoring.score import score_rows

CPU = torch.device("cpu")
NAMES = ("bos_token", "pad_token", "eos_token", "unk_token", "mask_token", "cls_token", "sep_token")
SIZES = {
    "vocab_size": 8, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
    "intermediate_size": 8, "max_position_embeddings": 18,
}  # fmt: skip
# Config, class and longest input: tables of 18 positions, the first two of RoBERTa's are none
ARCHITECTURES = {
    "bert": ("BertConfig", "BertForMaskedLM", 18),
    "roberta": ("RobertaConfig", "RobertaForMaskedLM", 16),
    "xlm-roberta": ("XLMRobertaConfig", "XLMRobertaForMaskedLM", 16),
    "xlm-roberta-xl": ("XLMRobertaXLConfig", "XLMRobertaXLForMaskedLM", 16),
    "camembert": ("CamembertConfig", "CamembertForMaskedLM", 16),
    "mpnet": ("MPNetConfig", "MPNetForMaskedLM", 16),
    "gpt2": ("GPT2Config", "GPT2LMHeadModel", 18),
}


def save_tiny(folder: Path, name: str) -> Path:
    """A random network of one architecture; each `a` is a token, and none is added."""
    config, network, _ = ARCHITECTURES[name]
    torch.manual_seed(1)
    ids = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
    getattr(transformers, network)(
        getattr(transformers, config)(**SIZES, **ids)
    ).save_pretrained(folder)  # fmt: skip
    pieces = {f"[{token[:3]}]": number for number, token in enumerate(NAMES)} | {"a": 7}
    tokenizer = Tokenizer(models.WordLevel(pieces, unk_token="[unk]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    special = {token: f"[{token[:3]}]" for token in NAMES}
    if name == "gpt2":
        del special["bos_token"]  # it would be put before each sentence
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_the_longest_input_is_scored_and_one_more_token_refused(tmp_path, name):
    longest = ARCHITECTURES[name][2]
    folder = save_tiny(tmp_path, name)
    kind, definition = (CAUSAL, "causal") if name == "gpt2" else (MASKED, "pll_original")
    model = load_model(folder, kind, device=CPU)
    assert model.max_length == longest
    sentence = " ".join("a" * longest)
    entries = encode_items(model, [ItemText("1", "s", sentence)], definition, "error", Counter())
    (row,) = score_rows(model, entries, definition, 64)
    assert row["tokens"] == longest
    with pytest.raises(KasuError, match=rf"{longest + 1} tokens .*; expected {longest} at most"):
        encode_items(model, [ItemText("1", "s", f"{sentence} a")], definition, "error", Counter())


@pytest.mark.parametrize("name", [name for name in ARCHITECTURES if name != "gpt2"])
def test_an_encoder_reads_the_longest_input_and_cuts_one_token_more(tmp_path, name):
    encoder = Encoder(save_tiny(tmp_path, name), CPU)
    longest = " ".join("a" * ARCHITECTURES[name][2])
    assert encoder.encode([longest], 64).shape == (1, 8)
    assert encoder.encode([f"{longest} a"], 64).shape == (1, 8)
    assert encoder.count_gaps([longest, f"{longest} a"])[1] == 1


def test_a_tokenizer_may_take_less_than_the_network(bert):
    tokenizer = load_tokenizer(bert)
    assert load_parts(bert, MASKED, CPU).longest == 64
    tokenizer.model_max_length = 32
    assert longest_input(tokenizer, load_parts(bert, MASKED, CPU).network) == 32


@pytest.fixture
def copied(tmp_path, bert) -> Path:
    return shutil.copytree(bert, tmp_path / "copied")


def without(folder: Path, part: str) -> Path:
    """Take the weights whose names contain `part` out of a folder."""
    weights = load_file(folder / "model.safetensors")
    kept = {name: weight for name, weight in weights.items() if part not in name}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})
    return folder


@pytest.mark.parametrize("kind", [ENCODER, MASKED])
def test_missing_weights_are_an_error(copied, kind):
    without(copied, "layer.1.output.dense.weight")
    with pytest.raises(KasuError, match=r"no weights .*encoder\.layer\.1\.output\.dense\.weight"):
        load_parts(copied, kind, CPU)


@pytest.mark.parametrize("kind", [ENCODER, MASKED])
def test_missing_weights_may_be_random_always_the_same(copied, kind, caplog):
    without(copied, "layer.1.output.dense.weight")
    with caplog.at_level("WARNING", "kasu"):
        one, other = (load_parts(copied, kind, CPU, untrained=True) for _ in range(2))
    (name,) = one.missing
    assert name.endswith("encoder.layer.1.output.dense.weight")
    assert "the checkpoint lacks 1 weights, now random" in caplog.text
    assert torch.equal(one.network.state_dict()[name], other.network.state_dict()[name])


def test_weights_that_have_another_name_are_named(copied):
    weights = load_file(copied / "model.safetensors")
    renamed = {name.replace("cls.predictions", "lm_head"): each for name, each in weights.items()}
    save_file(renamed, copied / "model.safetensors", {"format": "pt"})
    with pytest.raises(KasuError, match=r"no weights cls\.predictions\..*; it has lm_head\."):
        load_parts(copied, MASKED, CPU)


@pytest.mark.parametrize("kind", [ENCODER, MASKED])
def test_weights_of_another_shape_are_named(tmp_path, bert, kind):
    wide = restated(bert, tmp_path / "wide", intermediate_size=40)
    with pytest.raises(KasuError, match=r"of another shape: .*intermediate\.dense\.bias"):
        load_parts(wide, kind, CPU)


@pytest.mark.parametrize("prefix", ["bert.", ""])
@pytest.mark.parametrize("kind", [ENCODER, MASKED])
def test_layers_that_the_config_does_not_count_are_refused(tmp_path, bert, kind, prefix):
    fewer = restated(bert, tmp_path / "fewer", num_hidden_layers=1)
    weights = load_file(fewer / "model.safetensors")
    renamed = {name.replace("bert.", prefix): each for name, each in weights.items()}
    save_file(renamed, fewer / "model.safetensors", {"format": "pt"})
    with pytest.raises(KasuError) as error:
        load_parts(fewer, kind, CPU)
    names = ", ".join(
        f"{prefix}encoder.layer.1.attention.output.{name}"
        for name in ("LayerNorm.bias", "LayerNorm.weight", "dense.bias")
    )
    assert str(error.value) == (
        f"{fewer}: weights of further layers, which are not used: {names}, ...; expected as many"
        " layers as config.json has"
    )


def test_layers_that_predict_later_tokens_may_be_unused(tmp_path, bert):
    counted = {"num_hidden_layers": 1, "num_nextn_predict_layers": 1}
    assert load_parts(restated(bert, tmp_path / "fewer", **counted), MASKED, CPU).missing == ()


def test_old_buffers_and_another_head_may_be_unused(copied):
    weights = load_file(copied / "model.safetensors")
    for name in ("bert.encoder.layer.1.attention.masked_bias", "cls.0.weight"):
        weights[name] = torch.zeros(1)
    save_file(weights, copied / "model.safetensors", {"format": "pt"})
    assert load_parts(copied, MASKED, CPU).missing == ()


@pytest.fixture
def asked(monkeypatch) -> list[object]:
    """What is asked of the network, which a process that is not offline may ask."""
    hosts: list[object] = []

    def refuse(*arguments: object, **_: object) -> None:
        hosts.append(arguments)
        raise OSError("no network")

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.delenv("DISABLE_SAFETENSORS_CONVERSION", raising=False)
    return hosts


@pytest.mark.parametrize("file", ["model.safetensors", "pytorch_model.bin"])
def test_no_load_asks_the_network(copied, gpt2, asked, file):
    if file.endswith(".bin"):
        torch.save(load_file(copied / "model.safetensors"), copied / file)
        (copied / "model.safetensors").unlink()
    for folder, kind in ((copied, ENCODER), (copied, MASKED), (gpt2, CAUSAL)):
        load_parts(folder, kind, CPU)
    with pytest.raises(KasuError):  # a class that looks for files which are not there
        (copied / "tokenizer.json").unlink()
        load_tokenizer(copied)
    assert asked == []


def test_an_adapter_is_not_passed_over(copied):
    (copied / "adapter_config.json").write_text("{}")
    line = r"adapter_config\.json: an adapter, which is not applied; expected merged weights"
    with pytest.raises(KasuError, match=line):
        load_parts(copied, MASKED, CPU)


def test_a_network_without_a_finite_answer_is_one_line(copied):
    weights = load_file(copied / "model.safetensors")
    weights["bert.embeddings.LayerNorm.weight"][:] = torch.nan
    save_file(weights, copied / "model.safetensors", {"format": "pt"})
    with pytest.raises(KasuError, match=r"its network does not answer \(no finite answer\)"):
        load_parts(copied, MASKED, CPU)


def test_an_encoder_that_needs_a_decoder_is_one_line(tmp_path, bert):
    config = transformers.T5Config(
        vocab_size=64, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2
    )
    transformers.T5ForConditionalGeneration(config).save_pretrained(tmp_path)
    load_tokenizer(bert).save_pretrained(tmp_path)
    with pytest.raises(KasuError, match="an encoder-decoder model; expected a masked"):
        load_parts(tmp_path, ENCODER, CPU)


def test_a_whole_model_is_not_untrained(bert):
    with pytest.raises(KasuError, match="all weights are there; expected some to be missing"):
        load_parts(bert, MASKED, CPU, untrained=True)


def test_a_head_and_a_pooler_are_no_part_of_an_encoder(copied):
    without(copied, "cls.")
    assert load_parts(copied, ENCODER, CPU).missing == ()


@pytest.mark.parametrize("kind", [ENCODER, MASKED])
def test_older_weights_are_read_as_weights_only(copied, bert, kind):
    torch.save(load_file(copied / "model.safetensors"), copied / "pytorch_model.bin")
    (copied / "model.safetensors").unlink()
    one, other = (load_parts(path, kind, CPU).network.state_dict() for path in (copied, bert))
    assert one.keys() == other.keys()
    pooler = "pooler"  # missing, hence random
    assert all(torch.equal(one[name], other[name]) for name in one if pooler not in name)


class Trap:
    def __reduce__(self):
        return exec, ("raise SystemExit('code of a checkpoint ran')",)


@pytest.mark.parametrize("kind", [ENCODER, MASKED])
def test_weights_that_need_unpickling_are_refused(copied, kind):
    (copied / "model.safetensors").unlink()
    torch.save({"bert.embeddings.word_embeddings.weight": Trap()}, copied / "pytorch_model.bin")
    with pytest.raises(KasuError, match="need full unpickling"):
        load_parts(copied, kind, CPU)
    (copied / "pytorch_model.bin").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(KasuError, match="need full unpickling"):
        load_parts(copied, kind, CPU)


def test_a_model_of_the_other_kind_is_refused(bert, gpt2):
    with pytest.raises(KasuError, match="no gpt2 network is masked; expected a masked one"):
        load_parts(gpt2, MASKED, CPU)
    line = "its answers change with what comes later; expected a causal network, or a definition"
    with pytest.raises(KasuError, match=line):
        load_parts(bert, CAUSAL, CPU)


def test_a_network_is_judged_by_what_it_does(tmp_path, bert):
    """The name of its architecture, BertForMaskedLM, says nothing of is_decoder."""
    decoder = restated(bert, tmp_path / "decoder", is_decoder=True)
    assert load_parts(decoder, CAUSAL, CPU).network.config.is_decoder
    line = "its answers do not change with what comes later; expected a masked network"
    with pytest.raises(KasuError, match=line):
        load_parts(decoder, MASKED, CPU)
    named = restated(bert, tmp_path / "named", architectures=["BertLMHeadModel"])
    assert load_parts(named, MASKED, CPU).missing == ()
    with pytest.raises(KasuError, match="its answers change with what comes later"):
        load_parts(named, CAUSAL, CPU)


def restated(folder: Path, copy: Path, **stated) -> Path:
    """Copy a model, and state something else in its configuration."""
    shutil.copytree(folder, copy)
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(config | stated))
    return copy


def test_a_network_that_cannot_be_asked_is_one_line(copied, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("no such kernel")

    monkeypatch.setattr(transformers.BertForMaskedLM, "forward", fail)
    with pytest.raises(KasuError, match=r"its network does not answer \(no such kernel\)"):
        load_parts(copied, MASKED, CPU)


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("BertTokenizer", "vocab.txt or tokenizer.json"),
        ("XLMRobertaTokenizer", "sentencepiece.bpe.model or tokenizer.json"),
        ("T5Tokenizer", "spiece.model or tokenizer.json"),
    ],
)
def test_a_tokenizer_without_a_vocabulary_is_one_line(copied, name, files):
    """transformers makes one of special tokens alone."""
    (copied / "tokenizer.json").unlink()
    (copied / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name}))
    with pytest.raises(KasuError, match=rf"its tokenizer cannot be loaded \(no {files}\)"):
        load_tokenizer(copied)


def test_a_vocabulary_that_cannot_be_used_is_one_line(copied):
    path = copied / "tokenizer.json"
    stated = json.loads(path.read_text())
    del stated["model"]["vocab"]["[UNK]"]
    stated["added_tokens"] = []
    path.write_text(json.dumps(stated))
    with pytest.raises(KasuError, match=r"its tokenizer cannot be loaded .*Missing"):
        load_tokenizer(copied)


def test_a_tokenizer_does_what_its_file_says(copied):
    """Whatever the class that the configuration names makes of the same vocabulary."""
    path = copied / "tokenizer_config.json"
    path.write_text(json.dumps({"tokenizer_class": "RobertaTokenizer", "add_prefix_space": True}))
    names = load_tokenizer(copied).convert_ids_to_tokens
    assert names(load_tokenizer(copied)("etxeak du")["input_ids"]) == [
        "[CLS]", "etxe", "##ak", "du", "[SEP]",
    ]  # fmt: skip


def test_a_token_that_the_vocabulary_lacks_is_none(copied, caplog):
    """The class of the configuration names <s> and <mask>, which no network was trained on."""
    (copied / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "GPT2Tokenizer"}))
    with caplog.at_level("INFO", "kasu"):
        tokenizer = load_tokenizer(copied)
    assert tokenizer.bos_token_id is tokenizer.unk_token_id is None
    assert caplog.messages == [
        f"{copied}: not in the vocabulary, so there is none: bos_token, eos_token, unk_token"
    ]


@pytest.mark.parametrize(
    ("name", "file"),
    [("DebertaV2Tokenizer", "spm.model"), ("XLMRobertaTokenizer", "sentencepiece.bpe.model")],
)
def test_a_model_of_sentencepiece_is_enough(copied, tmp_path, name, file):
    text = iter(["etxea handia da.", "gizonak etxea ikusi du."] * 20)
    with (copied / file).open("wb") as written:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=text, model_writer=written, vocab_size=20, minloglevel=2
        )
    (copied / "tokenizer.json").unlink()
    (copied / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name}))
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(copied / file))
    sentence = "gizona handia da."
    assert load_tokenizer(copied).tokenize(sentence) == pieces.encode(sentence, out_type=str)


def test_a_far_smaller_vocabulary_is_said(tmp_path, caplog):
    folder = save_tiny(tmp_path, "bert")
    network = transformers.BertForMaskedLM(transformers.BertConfig(**SIZES | {"vocab_size": 9}))
    network.save_pretrained(folder)
    with caplog.at_level("WARNING", "kasu"):
        load_parts(folder, MASKED, CPU)
    assert "its tokenizer has 8 tokens, its network 9; is it the tokenizer" in caplog.text


def test_a_name_of_the_hub_is_no_folder():
    with pytest.raises(KasuError, match=r"bert-base-cased: no such folder; expected the folder"):
        load_parts("bert-base-cased", ENCODER, CPU)


def test_a_folder_that_holds_no_model_is_one_line(copied):
    weights = copied / "model.safetensors"
    for content in (weights.read_bytes()[:-100], b"no weights"):
        weights.write_bytes(content)
        with pytest.raises(KasuError, match=r"copied/model\.safetensors: not safetensors \("):
            load_parts(copied, ENCODER, CPU)
    weights.unlink()
    with pytest.raises(KasuError, match=r"copied: no \*\.safetensors or pytorch_model\*\.bin"):
        load_parts(copied, ENCODER, CPU)
    (copied / "tokenizer.json").write_text("{")
    with pytest.raises(KasuError, match="copied: its tokenizer cannot be loaded"):
        load_tokenizer(copied)
    (copied / "config.json").write_text("{")
    with pytest.raises(KasuError, match=r"config\.json: not JSON"):
        load_tokenizer(copied)


REVISION = "0123456789abcdef0123456789abcdef01234567"
CODE = """
import torch
from transformers import BertConfig, BertForMaskedLM

class OwnConfig(BertConfig):
    model_type = "own"

class OwnForMaskedLM(BertForMaskedLM):
    config_class = OwnConfig
"""


@pytest.fixture
def with_code(tmp_path, bert) -> Path:
    """A model of a type that transformers lacks, in a folder named after its revision."""
    folder = shutil.copytree(bert, tmp_path / REVISION)
    (folder / "own.py").write_text(CODE)
    config = json.loads((folder / "config.json").read_text())
    code = {"AutoConfig": "own.OwnConfig", "AutoModelForMaskedLM": "own.OwnForMaskedLM"}
    config |= {"model_type": "own", "auto_map": code, "architectures": ["OwnForMaskedLM"]}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.mark.parametrize("kind", [ENCODER, MASKED])
def test_code_of_a_model_does_not_run_unasked(with_code, kind):
    (with_code / "own.py").write_text("raise SystemExit('code of a model ran')")
    with pytest.raises(KasuError, match="the model brings its own code"):
        load_parts(with_code, kind, CPU)
    load_tokenizer(with_code)
    for revision, error in (("main", "40 hexadecimal digits"), ("f" * 40, "not revision")):
        with pytest.raises(KasuError, match=error):
            load_parts(with_code, kind, CPU, remote_code=revision)


def test_code_of_a_pinned_revision_runs_and_the_log_says_so(with_code, caplog, monkeypatch, bert):
    from transformers import dynamic_module_utils

    modules = str(with_code.parent / "modules")
    monkeypatch.setattr(dynamic_module_utils, "HF_MODULES_CACHE", modules)
    monkeypatch.syspath_prepend(modules)
    with caplog.at_level("WARNING", "kasu"):
        model = load_model(with_code, MASKED, device=CPU, remote_code=REVISION)
    assert "code of the model runs" in caplog.text
    assert type(model.network).__name__ == "OwnForMaskedLM"
    question = (torch.tensor([[2, 5, 3]]), [0], [1], [5])
    other = load_model(bert, MASKED, device=CPU)
    assert model.log_probabilities(*question) == other.log_probabilities(*question)
