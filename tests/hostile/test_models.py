"""Folders of language models that are bad or hostile: each ends in a line, and no code runs."""

import json
import pickle
from io import BytesIO
from pathlib import Path

import pytest
import torch

from kasu.lm import MASKED
from kasu.lm.models.loading import load_parts


class Evil:
    """What a pickle runs when it is read."""

    def __reduce__(self):
        return Path.touch, (Path("RAN"),)


def torch_pickle():
    content = BytesIO()
    torch.save(Evil(), content)
    return content.getvalue()


CONFIG = {
    "model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": 8,
    "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8, "vocab_size": 3,
    "max_position_embeddings": 16,
}  # fmt: skip
PIECES = {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1, "[MASK]": 2}, "unk_token": "[UNK]"}
PARTS = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
TOKENIZER = dict.fromkeys(PARTS) | {"version": "1.0", "added_tokens": [], "model": PIECES}
SPECIAL = {"unk_token": "[UNK]", "mask_token": "[MASK]", "model_max_length": 16}
FAST = SPECIAL | {"tokenizer_class": "PreTrainedTokenizerFast"}
SOUND = {
    "config.json": json.dumps(CONFIG),
    "tokenizer.json": json.dumps(TOKENIZER),
    "tokenizer_config.json": json.dumps(FAST),
    "model.safetensors": (2).to_bytes(8, "little") + b"{}",
}
CODE = 'open("RAN", "w")\nclass C: pass\nclass M: pass\nclass T: pass\n'
MAP = {"AutoConfig": "m.C", "AutoModelForMaskedLM": "m.M", "AutoModel": "m.M"}
OTHER = {"AutoConfig": "evil/repo--m.C"}
PART = {"model.safetensors": None, "m-1.safetensors": SOUND["model.safetensors"]}
INDEX = {"metadata": {}, "weight_map": {"a": "../../../../etc/passwd"}}


def config(**changes):
    """The files of a model whose configuration differs."""
    return {"config.json": json.dumps(CONFIG | changes)}


UNPICKLED = "the weights need full unpickling, which may run any code; expected safetensors"
NONE = "no *.safetensors or pytorch_model*.bin; expected the folder of a model"
OWN_CODE = "the model brings its own code; expected a model without code"
HEADER = "/model.safetensors: not safetensors (Error while deserializing header: header too "
HOLLOW = "no weights "
AS_WRITTEN = "expected as transformers writes it"
# Files that differ from SOUND, None for those that are gone; how the line begins
CASES = {
    "an empty folder": (dict.fromkeys(SOUND), ": no config.json; expected the folder of a model"),
    "no weights": ({"model.safetensors": None}, f": {NONE}"),
    "weights of another format": ({"model.safetensors": b"x"}, f"{HEADER}small)"),
    "weights without a tensor": ({}, f": {HOLLOW}"),
    "empty weights": ({"model.safetensors": b""}, f"{HEADER}small)"),
    "a header of 2^62 bytes": (
        {"model.safetensors": (1 << 62).to_bytes(8, "little") + b"{}"},
        f"{HEADER}large)",
    ),
    "a pickle": (
        {"model.safetensors": None, "pytorch_model.bin": pickle.dumps(Evil(), 2)},
        f": {UNPICKLED}",
    ),
    "a pickle of torch": (
        {"model.safetensors": None, "pytorch_model.bin": torch_pickle()},
        f": {UNPICKLED}",
    ),
    "an index that leaves the folder": (
        {"model.safetensors": None, "model.safetensors.index.json": json.dumps(INDEX)},
        f": {NONE}",
    ),
    "an index that names a part elsewhere": (
        PART | {"model.safetensors.index.json": json.dumps(INDEX)},
        "/model.safetensors.index.json: no weight_map to files beside it; expected as",
    ),
    "an index of a list": (
        PART | {"model.safetensors.index.json": json.dumps({"weight_map": ["a"]})},
        "/model.safetensors.index.json: no weight_map to files beside it",
    ),
    "an index without one of its parts": (
        PART
        | {"model.safetensors.index.json": json.dumps({"weight_map": {"a": "m-2.safetensors"}})},
        ": no m-2.safetensors; expected the weights that model.safetensors.index.json names",
    ),
    "no tokenizer": (
        {"tokenizer.json": None, "tokenizer_config.json": None},
        ": no tokenizer; expected a model and its tokenizer in one folder",
    ),
    "an adapter alone": (
        {"config.json": None, "adapter_config.json": "{}"},
        ": adapter_config.json: an adapter, which is not applied; expected merged weights",
    ),
    "a configuration that is a list": (
        {"config.json": "[1]"},
        "/config.json: list; expected an object",
    ),
    "an empty configuration": ({"config.json": ""}, "/config.json: not JSON (Expecting value"),
    "a configuration in latin-1": ({"config.json": b"\xff"}, "/config.json: not JSON ('utf-8'"),
    "a configuration nested deeply": (
        {"config.json": "[" * 100_000},
        "/config.json: not JSON (maximum recursion depth exceeded",
    ),
    "a width that is a word": (config(hidden_size="big"), ": its tokenizer cannot be loaded ("),
    "a width of 2^40": (config(hidden_size=1 << 40), ": the model cannot be loaded (Storage size"),
    "a negative width": (config(hidden_size=-8), ": the model cannot be loaded (Trying to create"),
    "architectures of numbers": (
        config(architectures=[5]),
        f"/config.json: architectures: [5]; {AS_WRITTEN}",
    ),
    "a type that is a list": (
        config(model_type=["x"], auto_map=MAP),
        f"/config.json: model_type: ['x']; {AS_WRITTEN}",
    ),
    "an unknown type": (config(model_type="evil"), ": the model cannot be loaded (The checkpoint"),
    "code of its own": (config(model_type="evil", auto_map=MAP) | {"m.py": CODE}, f": {OWN_CODE}"),
    "code for a known type": (config(auto_map=MAP) | {"m.py": CODE}, f": {HOLLOW}"),
    "code of another repository": (config(model_type="evil", auto_map=OTHER), f": {OWN_CODE}"),
    "a map of code that is a list": (
        config(auto_map=["x"]),
        f"/config.json: auto_map: ['x']; {AS_WRITTEN}",
    ),
    "a tokenizer with code": (
        {
            "m.py": CODE,
            "tokenizer_config.json": json.dumps(
                SPECIAL | {"tokenizer_class": "T", "auto_map": {"AutoTokenizer": ["m.T", None]}}
            ),
        },
        f": {HOLLOW}",
    ),
    "a tokenizer of another kind": (
        {"tokenizer.json": '{"a":1}'},
        ": its tokenizer cannot be loaded ('added_tokens')",
    ),
    "a tokenizer in latin-1": (
        {"tokenizer.json": b"\xff"},
        ": its tokenizer cannot be loaded ('utf-8' codec",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_bad_model_is_one_line(tmp_path, line, monkeypatch, case):
    changes, expected = CASES[case]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m").mkdir()
    for name, content in (SOUND | changes).items():
        if content is not None:
            data = content if isinstance(content, bytes) else content.encode()
            (tmp_path / "m" / name).write_bytes(data)
    found = line(load_parts, tmp_path / "m", MASKED, torch.device("cpu"))
    assert found.startswith(f"DIR/m{expected}")
    assert not (tmp_path / "RAN").exists()
