"""The config as a whole: one readable line for the first mistake."""

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from snakemake.cli import parse_config
from snakemake.utils import update_config

from kasu.agreement.settings import ProbeSettings
from kasu.base.errors import KasuError
from kasu.cloze.families import FAMILIES as CLOZE
from kasu.config.reading import read_scalars, read_settings
from kasu.config.settings import Section, sections_of
from kasu.inflection.settings import SYSTEMS
from kasu.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
CONFIGS = sorted(path.name for path in (ROOT / "config").glob("*.yaml"))


# Every key without a default
SMALLEST = {
    "results": "results/x",
    "agreement": {"corpora": ["demo"]},
    "pretraining": {
        "corpus": "demo",
        "budgets": [{"name": "1k", "words": 1000, "epochs": 1, "steps_per_epoch": 1}],
        "pairs": [{"name": "mine", "sources": ["pairs.jsonl"]}],
    },
    **{study: {} for study in ("inflection", "cloze", "blm", "minimal_sets")},
}


def read(name: str) -> dict:
    return yaml.safe_load((ROOT / "config" / name).read_text())


def mistake(where: list[str | int], value: object) -> str:
    """What is said of the shipped config with another value at one place."""
    config = read_settings(read("config.yaml"), Settings).dump()
    section = config
    for key in where[:-1]:
        section = section[key]
    section[where[-1]] = value
    with pytest.raises(KasuError) as error:
        read_settings(config, Settings)
    assert "\n" not in str(error.value)
    return str(error.value)


def subset(part: object, whole: object) -> bool:
    """Whether everything in `part` is in `whole` with the same value, lists entry by entry."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            key in whole and subset(part[key], whole[key]) for key in part
        )
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) == len(whole) and all(map(subset, part, whole))
    return repr(part) == repr(whole)


def test_there_are_three_configs():
    assert {"config.yaml", "paper.yaml", "real.yaml"} <= set(CONFIGS)


@pytest.mark.parametrize("name", CONFIGS)
def test_shipped_configs_are_valid(name):
    on_real = name not in ("config.yaml", "paper.yaml", "real.yaml")
    config = read("real.yaml") if on_real else {}
    update_config(config, read(name))
    dumped = read_settings(config, Settings).dump()
    assert subset(config, dumped)
    assert read_settings(dumped, Settings).dump() == dumped


def test_defaults_are_filled_in():
    corpus = {"name": "demo", "language": "eu", "texts": [{"source": "a.txt"}]}
    given = SMALLEST | {"corpora": [corpus]}
    settings = read_settings(given, Settings)
    assert settings.agreement.split.train == 0.7066
    assert settings.corpora[0].analyser is None
    dumped = settings.dump()
    assert list(dumped) == list(Settings.model_fields)
    assert dumped["device"] == "auto"
    text = {"source": "a.txt", "fields": [], "split": False, "tokenised": False}
    assert dumped["corpora"] == [{"name": "demo", "language": "eu", "wikis": [], "texts": [text]}]


def test_every_key_is_explained():
    def unexplained(section: type[Section]) -> Iterator[str]:
        for name, field in section.model_fields.items():
            if not (field.description or "").endswith("."):
                yield f"{section.__module__}.{section.__name__}.{name}"
            for inner in sections_of(field):
                yield from unexplained(inner)

    assert list(unexplained(Settings)) == []


def test_settings_cost_no_heavy_imports():
    code = "import sys, kasu.settings; print({'torch', 'pandas', 'pyarrow'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def leaves(config: dict, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Every key of a config that is no map, with its value."""
    for key, value in config.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def lookup(config: object, path: tuple[str, ...]) -> object:
    for key in path:
        config = config.get(key) if isinstance(config, dict) else None
    return config


@pytest.mark.parametrize(
    "stack",
    [
        ("config.yaml",),
        ("real.yaml",),
        ("paper.yaml",),
        ("real.yaml", "long.yaml"),
        ("real.yaml", "systems.yaml"),
        ("real.yaml", "treebanks.yaml"),
        ("real.yaml", "curve.yaml"),
        ("real.yaml", "wikipedia.yaml"),
    ],
    ids="+".join,
)
def test_shipped_configs_state_only_what_differs(stack):
    below = copy.deepcopy(SMALLEST)
    for name in stack[:-1]:
        update_config(below, read(name))
    defaults = read_settings(below, Settings).dump()
    same = [
        path
        for path, value in leaves(read(stack[-1]))
        if lookup(SMALLEST, path) is None and lookup(defaults, path) == value
    ]
    assert same == []


@pytest.mark.parametrize(
    "scale",
    [
        ("real.yaml",),
        ("real.yaml", "systems.yaml"),
        ("real.yaml", "treebanks.yaml"),
        ("paper.yaml",),
    ],
    ids="+".join,
)
def test_no_scale_trains_families_or_probes_at_the_sizes_of_the_demo(scale):
    config: dict = {}
    for name in scale:
        update_config(config, read(name))
    settings = read_settings(config, Settings)
    for section, systems in ((settings.inflection, SYSTEMS), (settings.cloze, CLOZE.names)):
        for family in systems:
            own = getattr(section, family, None)
            assert not isinstance(own, Section) or own == type(own)()
        # Of ua-07 the row says that it copies a part of the words
        lines = [line for line in section.grid if "ua_07" not in line.systems]
        assert not any(line.options for line in lines)
    probes = settings.agreement.probes
    assert probes == ProbeSettings(treebank=probes.treebank, seeds=probes.seeds)


@pytest.mark.parametrize(
    ("where", "value", "line"),
    [
        (["agreement", "polit"], 1, "config agreement: unknown key 'polit'; expected 'polite'"),
        (["agrement"], {}, "config: unknown key 'agrement'; expected 'agreement'"),
        (
            ["agreement", "training", "dropuot"],
            0.1,
            "config agreement.training: unknown key 'dropuot'; expected 'dropout'",
        ),
        (
            ["agreement", "split", "zzz"],
            0.1,
            "config agreement.split: unknown key 'zzz'; expected one of train, validation, test",
        ),
        (
            ["corpora", 0, "wiki"],
            "x",
            "config corpora[0]: unknown key 'wiki'; expected 'wikis'",
        ),
        (["device"], "tpu", "config device: found 'tpu'; expected one of auto, cpu, cuda"),
        (
            ["seeds"],
            [1, 1],
            "config seeds: found [1, 1]; expected a list of whole numbers, each once",
        ),
        (["seeds", 0], "one", "config seeds[0]: found 'one'; expected a whole number below 2^63"),
        (["seeds", 0], True, "config seeds[0]: found True; expected a whole number below 2^63"),
        (
            ["mirror"],
            3,
            "config mirror: found 3; expected a folder, or a list of folders, a text in quotes",
        ),
        (
            ["contact"],
            "a b",
            "config contact: found 'a b'; expected an e-mail address, or the address of a page",
        ),
        (
            ["agreement", "training", "epochs"],
            "ten",
            "config agreement.training.epochs: found 'ten'; expected a whole number of 1 or more",
        ),
        (
            ["agreement", "split", "train"],
            1,
            "config agreement.split.train: found 1; expected a share between 0 and 1",
        ),
        (
            ["agreement", "length"],
            [2],
            "config agreement.length: found [2]; expected least and most lexical units",
        ),
        (
            ["agreement", "grid", 1, "systems", 0],
            "transformer",
            "config agreement.grid[1].systems[0]: found 'transformer'; "
            "expected one of majority, lemma, ngram, lstm, bilstm, prior, lexicon, mlp",
        ),
        (
            ["corpora", 0, "name"],
            "../x",
            "config corpora[0].name: found '../x'; "
            "expected a name of a-z, 0-9, _, ., - (at most 100)",
        ),
        (
            ["wikipedia", "bot_articles", "eu", "stubs"],
            "(",
            "config wikipedia.bot_articles.eu.stubs: found '('; expected a regular expression",
        ),
        (
            ["wikipedia", "templates", "eu"],
            "unitatea",
            "config wikipedia.templates.eu: found 'unitatea'; "
            "expected a map from a template to what it shows",
        ),
    ],
)
def test_mistake_is_one_line_that_names_place_and_remedy(where, value, line):
    assert mistake(where, value) == line


def test_key_that_is_no_text_is_unknown():
    assert mistake([1], 2).startswith("config: unknown key 1; expected one of ")


def test_missing_key_is_named():
    config = read_settings(read("config.yaml"), Settings).dump()
    del config["agreement"]["split"]["test"]
    with pytest.raises(KasuError) as error:
        read_settings(config, Settings)
    assert str(error.value) == (
        "config agreement.split: no key 'test'; expected the shares of train, validation and test"
    )


def test_unknown_key_stands_before_a_missing_one():
    config = read_settings(read("config.yaml"), Settings).dump()
    config["agreement"]["polit"] = config["agreement"].pop("polite")
    with pytest.raises(KasuError, match="unknown key 'polit'; expected 'polite'"):
        read_settings(config, Settings)


def test_empty_config_is_one_line():
    with pytest.raises(KasuError, match=r"^config: no key '\w+'; expected "):
        read_settings({}, Settings)


@pytest.mark.parametrize("name", ["..", "."])
def test_name_of_a_corpus_is_no_path(name):
    assert mistake(["corpora", 0, "name"], name).startswith("config corpora[0].name: found ")


@pytest.mark.parametrize(
    "where",
    [
        ["results"],
        ["mirror"],
        ["corpora", 1, "texts", 0, "source"],
        ["analysers", 0, "dictionary"],
        ["blm", "encoder"],
        ["blm", "fills"],
    ],
    ids=lambda where: where[-1],
)
def test_a_path_with_a_variable_of_snakemake_is_one_line(where):
    assert mistake(where, "data/<raw>/a b.txt") == (
        "config, path data/<raw>/a b.txt: <raw>, which Snakemake would replace; expected a path "
        "without names in < and >"
    )


def test_other_brackets_in_a_path_are_kept():
    config = read("config.yaml") | {"results": "results/<Raw> a<b"}
    assert read_settings(config, Settings).results == "results/<Raw> a<b"


def test_languages_of_my_own_are_checked_in_place():
    where = ["inflection", "languages", 0]
    place = "config inflection.languages[0]"
    kinds = "a name, all, available, a path, or name and paradigms or splits"
    assert mistake(where, 3) == f"{place}: found 3; expected {kinds}, a text in quotes"
    name = {"name": "x"}
    assert mistake(where, name) == f"{place}: found {name}; expected {kinds}"
    assert mistake([*where, "corpora"], "x") == (
        f"{place}: unknown key 'corpora'; expected 'corpus'"
    )
    both = {"name": "x", "paradigms": "p", "frequencies": "f", "corpus": "c"}
    assert mistake(where, both) == f"{place}: found {both}; expected {kinds}"


@pytest.mark.parametrize("share", [0, 0.0, 1, 1.5])
@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (["pretraining", "validation"], "a share of the text between 0 and 1, or a corpus"),
        (["models", 0, "training", "held_out"], "a share between 0 and 1"),
        (["agreement", "split", "validation"], "a share between 0 and 1"),
        (["blm", "test"], "a share between 0 and 1"),
        (["blm", "validation"], "a share between 0 and 1"),
    ],
)
def test_a_part_held_out_is_neither_nothing_nor_all(where, expected, share):
    assert mistake(where, share).endswith(f"{where[-1]}: found {share}; expected {expected}")


def test_no_part_of_a_text_has_a_share_of_0():
    found = mistake(["pretraining", "parts", 0, "share"], 0)
    assert found.endswith("parts[0].share: found 0; expected a share above 0, up to 1")


def test_empty_key_is_one_that_is_not_stated():
    config = read("config.yaml")
    config["corpora"][0]["analyser"] = None
    assert "analyser" not in read_settings(config, Settings).dump()["corpora"][0]
    assert mistake(["device"], None) == "config device: found None; expected one of auto, cpu, cuda"


def test_null_is_a_value_where_it_means_no_limit():
    config = read("config.yaml")
    config["blm"]["training"]["max_steps"] = None
    assert read_settings(config, Settings).dump()["blm"]["training"]["max_steps"] is None


def texts_of(part: object) -> Iterator[str]:
    """All texts in a config."""
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list):
        for value in part:
            yield from texts_of(value)
    elif isinstance(part, str):
        yield part


def test_files_of_kasu_are_found_from_another_folder(tmp_path):
    """By a process of its own, since defaults are located when modules are imported."""
    script = """if True:
        import json, sys
        from kasu.config.reading import read_settings
        from kasu.base.paths import own
        from kasu.config_command import stack
        from kasu.settings import Settings
        print(json.dumps(read_settings(stack([own("config/config.yaml")]), Settings).dump()))
    """
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    texts = [text for text in texts_of(json.loads(done.stdout)) if "resources/" in text]
    assert [text for text in texts if not text.startswith(f"{ROOT}/resources/")] == []
    for default in ("seeds/fra.tsv", "authors/sigmorphon2018_bme_configurations.tsv"):
        assert f"{ROOT}/resources/{default}" in texts


SPLITS = {"low": "~//a", "dev": "~//a", "test": "~//a"}
MODEL_SETS = {"sets": [{"name": "a", "request": "~//a", "target": "S"}], "models": ["~//a"]}
COLLECTION = {"treebank": "a", "feature": "Case", "values": ["Nom", "Dat"], "paradigms": "~//a"}
TREEBANK = {"train": "~//a", "dev": "~//a", "test": "~//a"}
PATHS = SMALLEST | {
    "results": "~//a",
    "mirror": ["~//a"],
    "analysers": [{"name": "a", "dictionary": "~//a", "tagset": "~//a"}],
    "corpora": [
        {"name": "a", "language": "eu", "wikis": ["~//a"], "texts": [{"source": "~//a"}]},
        {"name": "b", "language": "eu", "treebank": "t", "tagset": "~//a"},
    ],
    "treebanks": [{"name": "t", "language": "ka", "files": ["~//a"]}],
    "agreement": {"corpora": ["a"], "probes": {"treebank": TREEBANK}},
    "inflection": {
        "languages": ["~//a", {"name": "a", "paradigms": "~//a", "frequencies": "~//a"},
                      {"name": "b", "splits": SPLITS}],
        "frequencies": [{"language": "basque", "source": "~//a"}],
        "bme": {"configurations": "~//a"},
    },
    "cloze": {
        "languages": [
            {"name": "a", "splits": SPLITS},
            {"name": "b", "language": "sv", "treebank": TREEBANK, "paradigms": ["~//a"],
             "conversion": "~//a", "annotations": ["~//a"]},
        ]
    },
    "minimal_sets": {"collections": [COLLECTION | MODEL_SETS]},
    "pretraining": SMALLEST["pretraining"] | {"pairs": [{"name": "p", "sources": ["~//a"]}]},
    "blm": {"seeds": "~//a", "lexicon": "~//a", "encoder": "~//a"},
}  # fmt: skip


def test_every_path_has_one_spelling(monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    texts = list(texts_of(read_settings(PATHS, Settings).dump()))
    assert [text for text in texts if "~" in text] == []
    assert texts.count("/home/me/a") == list(texts_of(PATHS)).count("~//a") == 35


def test_planning_imports_nothing_that_takes_long():
    """Each job plans again: what takes half a second to import would take it from every one."""
    studies = ("agreement", "blm", "cloze", "inflection", "minimal_sets", "pretraining")
    plans = ", ".join(f"kasu.{study}.plan" for study in studies)
    slow = "{'torch', 'pandas', 'scipy', 'transformers', 'matplotlib'}"
    named = f"kasu.settings, kasu.records.reading, {plans}"
    code = f"import sys, {named}; print({slow} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize(
    ("words", "found", "expected"),
    [
        ("seeds=[3, 4]", "seeds", (3, 4)),
        ("inflection={packs: 3}", "inflection.packs", 3),
        ("agreement={training: {learning_rate: 0.1}}", "agreement.training.learning_rate", 0.1),
        ("agreement={training: {learning_rate: 1e-3}}", "agreement.training.learning_rate", 1e-3),
        ("blm={training: {max_steps: null}}", "blm.training.max_steps", None),
        ("blm=null", "blm", None),
        ("corpora=[{name: 2024, language: no, analyser: null}]", "corpora.0.name", "2024"),
        ("corpora=[{name: 2024, language: no, analyser: null}]", "corpora.0.language", "no"),
        ("corpora=[{name: 2024, language: no, analyser: null}]", "corpora.0.analyser", None),
        ("mirror=[2024]", "mirror", ("2024",)),
        ("cloze={languages: [2024]}", "cloze.languages.0", "2024"),
        ("models=[{name: a, folder: b, untrained: true}]", "models.0.untrained", True),
        (
            "inflection={grid: [{systems: [hamburg], members: 3, options: {hidden: 48}}]}",
            "inflection.grid.0.options",
            {"hidden": 48},
        ),
        ("pretraining={validation: 0.5}", "pretraining.validation", 0.5),
    ],
)
def test_words_after_config_are_what_their_keys_expect(words, found, expected):
    config, given = read("config.yaml"), parse_config([words])
    update_config(config, given)
    update_config(config, read_scalars(given, Settings))
    value = read_settings(config, Settings)
    for name in found.split("."):
        value = value[int(name)] if name.isdigit() else getattr(value, name)
    assert (value, type(value)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("seeds=[[1]]", "config seeds[0]: found ['1']; expected a whole number below 2^63"),
        ("seeds={a: 1}", "config seeds: found {'a': 1}; expected a list of whole numbers, each"),
        (
            "inflection={packs: 010}",
            "config inflection.packs: found '010'; expected a whole number",
        ),
        ("inflection={pax: 3}", "config inflection: unknown key 'pax'; expected 'packs'"),
        ("nothing={packs: 3}", "config: unknown key 'nothing'; expected"),
    ],
)
def test_a_mistake_after_config_is_one_line(words, line):
    config, given = read("config.yaml"), parse_config([words])
    with pytest.raises(KasuError) as error:
        read_settings(config | read_scalars(given, Settings), Settings)
    assert str(error.value).startswith(line)
