"""The sections on language models: one of a hub, or one that is trained here."""

import pytest

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.config.settings import Section
from kasu.lm.settings import Models, ModelSettings, ScoringSettings

COMMIT = "0123456789abcdef0123456789abcdef01234567"
TRAINING = {"vocabulary": 100, "layers": 2, "hidden": 128, "steps": 10}


class Config(Section):
    """A config of models alone."""

    models: Models


def read(*models: dict) -> tuple[ModelSettings, ...]:
    return read_settings({"models": list(models)}, Config).models


def named(name="a", model="owner/model", revision="main", **more: object) -> dict:
    return {"name": name, "id": model, "revision": revision, **more}


def test_models_pass():
    own = {"name": "own", "corpus": "demo", "training": TRAINING}
    code = named("c", revision=COMMIT, remote_code=True)
    trained, *_ = read(own, named(), named("b", files={"onnx/model.onnx": ""}), code)
    assert trained.kind is None
    assert trained.training.length is None


@pytest.mark.parametrize(
    ("models", "line"),
    [
        (
            [named(), named(model="x/y")],
            "config models: 'a' 2 times; expected each name once",
        ),
        (
            [named(remote_code=True)],
            "model 'a': remote_code with revision 'main'; expected a commit, 40 hexadecimal digits",
        ),
        (
            [{"name": "a", "remote_code": True}],
            "model 'a': remote_code with revision ''; expected a commit, 40 hexadecimal digits",
        ),
        (
            [named(files={"../../../evil": ""})],
            "model 'a', files: 'models/owner/model/main/../../../evil'; "
            "expected a relative path without '..'",
        ),
        (
            [named(files={"/etc/passwd": ""})],
            "model 'a', files: 'models/owner/model/main//etc/passwd'; "
            "expected a relative path without '..'",
        ),
        (
            [named(model="a/b/c")],
            "model 'a/b/c': 'a/b/c'; expected `owner/name`, and a commit or a name",
        ),
        (
            [named(files={"a": "xyz"})],
            "config models[0].files.a: found 'xyz'; expected a sha256 or nothing",
        ),
    ],
)
def test_a_model_that_cannot_be_fetched_is_one_line(models, line):
    with pytest.raises(KasuError) as error:
        read(*models)
    assert str(error.value) == line


@pytest.mark.parametrize(
    "model",
    [
        {"name": "a"},
        {"name": "a", "id": "owner/model"},
        {"name": "a", "corpus": "demo"},
        {"name": "a", "training": TRAINING},
        named(corpus="demo"),
        named(training=TRAINING),
        named(folder="/models/gpt"),
        {"name": "a", "folder": "/models/gpt", "corpus": "demo"},
    ],
)
def test_a_model_is_fetched_or_trained(model):
    with pytest.raises(KasuError) as error:
        read(model)
    expected = "expected a name, and folder, or id and revision, or corpus and training"
    assert str(error.value) == f"config models[0]: found {model!r}; {expected}"


def test_what_a_model_trained_here_cannot_have():
    own = {"name": "own", "corpus": "demo", "training": TRAINING}
    with pytest.raises(KasuError, match="model 'own': 'kind' beside `corpus`; expected that of a"):
        read(own | {"kind": "causal"})
    with pytest.raises(KasuError, match="model 'own': 'licence' beside `corpus`"):
        read(own | {"licence": "MIT"})
    with pytest.raises(KasuError, match="models: a trained model named 'work', as the folder of"):
        read(own | {"name": "work"})


def test_a_folder_has_kind_and_licence_and_nothing_of_the_hub(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    more = {"kind": "causal", "licence": "MIT", "untrained": True}
    (model,) = read({"name": "mine", "folder": "~/gpt/", **more})
    assert (model.folder, model.kind, model.licence) == (f"{tmp_path}/gpt", "causal", "MIT")
    for key, value in {"revision": "main", "files": {"a": ""}, "remote_code": True}.items():
        line = f"model 'mine': '{key}' beside `folder`; expected that of a model of the hub alone"
        with pytest.raises(KasuError, match=line):
            read({"name": "mine", "folder": "/models/gpt", key: value})


def test_the_width_of_a_model_is_a_multiple_of_64():
    own = {"name": "own", "corpus": "demo", "training": TRAINING | {"hidden": 100}}
    with pytest.raises(KasuError, match="hidden: found 100; expected a multiple of 64"):
        read(own)


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("hidden", [64, 128], [0, 32, 65, -64]),
        ("beta2", [0.5, 0.999], [0.0, 1.0]),
        ("weight_decay", [0.0, 0.1], [-0.1]),
        ("learning_rate", [0.001], [0.0]),
        ("copies", [1, None], [0]),
        ("length", [1], [0]),
    ],
)
def test_bounds_of_training(key, good, bad):
    for value, fits in [*((value, True) for value in good), *((value, False) for value in bad)]:
        own = {"name": "own", "corpus": "demo", "training": TRAINING | {key: value}}
        if fits:
            assert getattr(read(own)[0].training, key) == value
        else:
            with pytest.raises(KasuError, match=rf"training\.{key}: found {value}"):
                read(own)


def test_what_is_not_stated():
    (model,) = read({"name": "own", "corpus": "demo", "training": TRAINING})
    training = model.training
    assert (training.recipe, training.held_out, training.threads) == ("short", 0.02, 1)
    assert (training.checkpoint_every, training.copies, training.compile) == (600, None, None)
    assert (model.kind, model.remote_code, model.files, model.licence) == (
        None, False, None, None,
    )  # fmt: skip
    scoring = ScoringSettings()
    assert (scoring.dtype, scoring.tokens_per_batch) == ("float32", 2048)
