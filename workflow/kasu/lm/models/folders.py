"""The folders of models in Hugging Face form: what they tell before anything of them is loaded."""

import json
import math
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from kasu.base.errors import KasuError
from kasu.base.limits import hint
from kasu.base.paths import exists
from kasu.files.reading import expect_file
from kasu.lm import CAUSAL, MASKED

TOKENIZER_FILES = r"tokenizer[^/]*\.json|vocab[^/]*|merges\.txt|bpe\.codes|[^/]+\.model"
"""The names of the files of tokenizers, as a regular expression."""
_MODEL = "the folder of a model"
_ON_THE_HUB = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?", re.ASCII)
_ADAPTER = "adapter_config.json"
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_WHOLE = ("model.safetensors", "pytorch_model.bin")
_INDEX = ".index.json"
# How the names of architectures end, by the kind that they most often are
_ARCHITECTURES = {
    "WithLMHeadModel": MASKED,
    "ForMaskedLM": MASKED,
    "ForPreTraining": MASKED,
    "ForCausalLM": CAUSAL,
    "LMHeadModel": CAUSAL,
}
_HALF = "EncoderModel"  # the end of the name where the encoder of an encoder-decoder stands alone
# Settings by which a network of a masked class reads from left to right alone
_LEFT_TO_RIGHT = ("is_decoder", "causal")
# Names that many folders of models have: Kasu's, those of checkpoints, and of the hub's cache
_COMMON_NAME = re.compile(r"model|snapshots|[0-9]+|[0-9a-f]{40}|checkpoint-[0-9]+")


def model_name(reference: str) -> str:
    """Return the name of a model in paths and tables; of a folder, it depends on its path alone.

    It is the last name in the path, after its parents as long as the names are ones that many
    models have: `bert-1-64` for `runs/bert/1/64/model`.

    Args:
        reference: a name of the config's `models`, or a path with a `/`.
    """
    if "/" not in reference:
        return reference
    parts = [part for part in Path(reference).parts if part.strip("/") not in ("", "..")]
    shown: list[str] = []
    while parts and (not shown or _COMMON_NAME.fullmatch(shown[0])):
        shown.insert(0, parts.pop())
    return "-".join(part for part in shown if part not in ("model", "snapshots")) or "model"


def check_names(references: Iterable[str], where: str, taken: Iterable[str] = ()) -> None:
    """Check that different models of a study have different names.

    Args:
        where: where they stand, for messages: `config pretraining.published`.
        taken: names that no model may have.

    Raises:
        KasuError: two have one name, or one has a name that is taken.
    """
    names = dict.fromkeys(taken, "an output of Kasu")
    for reference in dict.fromkeys(references):
        name = model_name(reference)
        if name in names:
            found = f"{reference} has the name {name!r}, like {names[name]}"
            raise KasuError(where, found, "one by name, under `models`: {name: ..., folder: ...}")
        names[name] = reference


def read_config(folder: str | Path) -> dict[str, Any]:
    """Read the config.json of a model; its absence also tells a hub's name from a folder.

    Raises:
        KasuError: there is no such folder or file, or it is not as transformers writes it.
    """
    folder = Path(folder)
    path = folder / "config.json"
    if not folder.is_dir():
        if exists(folder):
            raise KasuError(folder, "a file", _MODEL)
        fetched = f", as `hf download {folder} --local-dir FOLDER` fetches one from the hub"
        named = _ON_THE_HUB.fullmatch(str(folder))
        raise KasuError(folder, "no such folder", _MODEL + (fetched if named else ""))
    if not exists(path):
        raise KasuError(folder, "no config.json", _MODEL)
    config = _read_object(path)
    names = config.get("architectures") or []
    for key, sound in (
        ("model_type", isinstance(config.get("model_type", ""), str)),
        ("architectures", isinstance(names, list) and all(isinstance(n, str) for n in names)),
        ("auto_map", isinstance(config.get("auto_map") or {}, dict)),
    ):
        if not sound:
            raise KasuError(path, f"{key}: {str(config[key])[:60]}", "as transformers writes it")
    return config


def expect_model(folder: str | Path, *, remote_code: bool = False) -> dict[str, Any]:
    """Check that a folder has what a model needs, and return its configuration.

    Args:
        remote_code: whether code that comes with the model may run.

    Raises:
        KasuError: see `read_config`; or there is an adapter, code that may not run, an
            encoder-decoder, no weights, a part of them alone, safetensors whose header cannot be
            read, or no tokenizer.
    """
    folder = Path(folder)
    if (folder / _ADAPTER).is_file():
        raise KasuError(folder, f"{_ADAPTER}: an adapter, which is not applied", "merged weights")
    config = read_config(folder)
    if not remote_code:
        _expect_no_code(folder, config)
        _expect_one_stack(folder, config)
    _expect_weights(folder)
    if not any(re.fullmatch(TOKENIZER_FILES, file.name) for file in folder.iterdir()):
        raise KasuError(folder, "no tokenizer", "a model and its tokenizer in one folder")
    return config


def find_kind(config: Mapping[str, Any]) -> str | None:
    """Return MASKED or CAUSAL by what a configuration states; None if it is neither.

    What the network does decides once it is loaded (see `kasu.lm.models.loading.load_parts`).
    """
    for name in config.get("architectures") or ():
        for end, kind in _ARCHITECTURES.items():
            if name.endswith(end):
                return CAUSAL if any(config.get(key) is True for key in _LEFT_TO_RIGHT) else kind
    masked, causal = _types()
    named = {*(config.get("architectures") or ()), config.get("model_type")}
    for kind, known in ((MASKED, masked), (CAUSAL, causal)):
        if named.intersection(known.values()):
            return kind
    type_ = config.get("model_type")
    return MASKED if type_ in masked else CAUSAL if type_ in causal else None


def kind_of(folder: str | Path, remedy: str = "") -> str:
    """Return MASKED or CAUSAL by the configuration of a model (see `find_kind`).

    Args:
        remedy: what helps where it says neither, for messages.

    Raises:
        KasuError: the configuration cannot be read, names neither, or is an encoder-decoder's.
    """
    config = read_config(folder)
    if kind := find_kind(config):
        return kind
    _expect_one_stack(Path(folder), config)
    found = f"architectures {', '.join(config.get('architectures') or ()) or 'not stated'}"
    raise KasuError(Path(folder, "config.json"), found, f"{MASKED} or {CAUSAL}{remedy}")


def contradicts(config: Mapping[str, Any], kind: str) -> bool:
    """Return whether a network surely is not of the kind that somebody states.

    A class for causal networks may hold one that sees what comes later, if its type has masked
    networks too, as BERT's.
    """
    found = find_kind(config)
    if found in (None, kind):
        return False
    return kind == CAUSAL or config.get("model_type") not in _types()[0]


def _types() -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the classes of masked and of causal networks by type, as transformers has them."""
    # It takes seconds to import, and most configurations name their architecture
    from transformers.models.auto import modeling_auto

    return (
        modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
        modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    )


def _read_object(path: Path) -> dict[str, Any]:
    expect_file(path, "a file of JSON")
    try:
        with hint(path):
            found = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise KasuError(path, f"not JSON ({error})") from error
    if not isinstance(found, dict):
        raise KasuError(path, type(found).__name__, "an object")
    return found


def _expect_no_code(folder: Path, config: Mapping[str, Any]) -> None:
    """Refuse a model that cannot be loaded without code that it brings."""
    if not config.get("auto_map"):
        return
    from transformers import CONFIG_MAPPING  # it takes seconds to import

    if config.get("model_type") not in CONFIG_MAPPING:
        raise KasuError(
            folder,
            "the model brings its own code",
            "a model without code, or remote_code, which lets that of one commit of a hub run",
        )


def _expect_one_stack(folder: Path, config: Mapping[str, Any]) -> None:
    """Refuse an encoder-decoder, but for one that predicts masked words, as BART; and its half."""
    half = any(name.endswith(_HALF) for name in config.get("architectures") or ())
    if half or (config.get("is_encoder_decoder") is True and find_kind(config) is None):
        found = f"{'half of ' * half}an encoder-decoder model"
        raise KasuError(folder, found, f"a {MASKED} or {CAUSAL} one")


def _expect_weights(folder: Path) -> None:
    """Check that there are weights, that safetensors have a header, and an index all its parts."""
    weights = [file for pattern in _WEIGHTS for file in sorted(folder.glob(pattern))]
    if not weights:
        raise KasuError(folder, f"no {' or '.join(_WEIGHTS)}", _MODEL)
    # As transformers looks for them: safetensors first, one file before parts
    names = (f"{whole}{end}" for whole in _WHOLE for end in ("", _INDEX))
    first = next((name for name in names if (folder / name).is_file()), "")
    if first.endswith(_INDEX):
        _expect_parts(folder / first, {file.name for file in weights})
    for file in weights:
        if file.suffix == ".safetensors":
            expect_file(file, "weights")
            try:
                with hint(file), safe_open(file, "numpy"):
                    pass
            except SafetensorError as error:
                raise KasuError(file, f"not safetensors ({error})", "weights") from error


def _expect_parts(index: Path, present: Collection[str]) -> None:
    """Check that an index of weights names files beside it, and that all are there."""
    parts = _read_object(index).get("weight_map")
    names = [str(name) for name in parts.values()] if isinstance(parts, dict) else []
    if not names or any("/" in name for name in names):
        raise KasuError(index, "no weight_map to files beside it", "as transformers writes it")
    if lacking := sorted(set(names).difference(present)):
        raise KasuError(index.parent, f"no {lacking[0]}", f"the weights that {index.name} names")


def count_weights(model: str | Path) -> int:
    """Return the number of weights of a model folder without the vocabulary head (BL2MP-4)."""
    with safe_open(Path(model) / "model.safetensors", "np") as file:
        names = [name for name in file.keys() if not name.startswith("cls.")]  # noqa: SIM118
        return sum(math.prod(file.get_slice(name).get_shape()) for name in names)
