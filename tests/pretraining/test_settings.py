"""The section `pretraining`: names that say something false, or that two entries share."""

import pytest

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.pretraining.settings import PretrainingSettings

ORDERS = {"good_reorder": "a", "bad_reorder": "b"}
STEPS = {"epochs": 1, "steps_per_epoch": 1}


def budget(name: str, **more: object) -> dict:
    return {"name": name, **STEPS, **more}


def pairs(name: str, **more: object) -> dict:
    return {"name": name, "sources": ["pairs.jsonl"], **more}


def settings(**changed: list) -> dict:
    return {
        "corpus": "basque",
        "models": [{"layers": 4, "hidden": 256}, {"layers": 8, "hidden": 512}],
        "budgets": [budget("1200k", words=1_200_000), budget("5M", words=5_000_000)],
        "pairs": [pairs("bl2mp"), pairs("orders", fields=ORDERS)],
    } | changed


def test_the_length_of_rows_follows_the_recipe():
    given = settings() | {"training": {"recipe": "paper"}}
    assert read_settings(given, PretrainingSettings).training.length == 512
    assert read_settings(settings(), PretrainingSettings).training.length == 128


def test_an_unknown_recipe_is_one_line():
    with pytest.raises(
        KasuError, match=r"training\.recipe: found .*; expected one of paper, short"
    ):
        read_settings(settings() | {"training": {"recipe": ["paper"]}}, PretrainingSettings)


def test_a_gpu_for_each_pass_of_a_batch():
    given = settings() | {"training": {"recipe": "paper", "tokens_per_pass": 16_384}, "gpus": 8}
    assert read_settings(given, PretrainingSettings).gpus == 8


def test_true_names_pass():
    assert len(read_settings(settings(), PretrainingSettings).budgets) == 2


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        (
            {"models": [{"layers": 4, "hidden": 256}, {"layers": 4, "hidden": 512}]},
            "pretraining.models: '4 layers' 2 times; expected each name once",
        ),
        (
            {"budgets": [budget("25M", words=5_000_000)]},
            "pretraining.budgets, 25M: 5000000 words; expected 25000000, as its name says",
        ),
        (
            {"budgets": [budget("5M", words=5_000_000), budget("5M", corpus="five")]},
            "pretraining.budgets: '5000000 words' 2 times; expected each name once",
        ),
        (
            {"budgets": [budget("1M", corpus="a"), budget("1000k", corpus="b")]},
            "pretraining.budgets: '1000000 words' 2 times; expected each name once",
        ),
        (
            {"pairs": [pairs("mine"), pairs("mine")]},
            "pretraining.pairs: 'mine' 2 times; expected each name once",
        ),
        (
            {"pairs": [pairs("x"), pairs("a", fields=ORDERS), pairs("b", fields=ORDERS)]},
            "pretraining.pairs: second word orders in a, b; expected one such set",
        ),
        (
            {"pairs": [pairs("a", fields=ORDERS)]},
            "pretraining.pairs: the first set, a, is in a second word order; "
            "expected a plain set before it",
        ),
        (
            {"pairs": [pairs("a", segmented="by hand"), pairs("b")]},
            "pretraining.pairs: the first set, a, is segmented; expected a plain set before it",
        ),
        (
            {"pairs": [pairs("a"), pairs("a-lemma")]},
            "pretraining.pairs: a set named a-lemma, as the lemmatised a is; expected another name",
        ),
        (
            {"budgets": [budget("1M", words=1_000_000), budget("5M", corpus="five")]},
            "pretraining: some of budgets and validation are corpora; expected all or none",
        ),
        (
            {"budgets": [budget("5M", corpus="five")], "validation": 0.05},
            "pretraining: some of budgets and validation are corpora; expected all or none",
        ),
        (
            {"training": {"recipe": "paper"}, "gpus": 5},
            "pretraining.gpus: 5; expected at most 4, the passes of a batch "
            "(tokens_per_batch / tokens_per_pass)",
        ),
        (
            {"training": {"tokens_per_pass": 1408}, "gpus": 4},
            "pretraining.gpus: 4; expected at most 3, the passes of a batch "
            "(tokens_per_batch / tokens_per_pass)",
        ),
        (
            {"validation": "held-out"},
            "pretraining: some of budgets and validation are corpora; expected all or none",
        ),
        (
            {"budgets": [budget("1M")]},
            "budgets[0]: found {'name': '1M', 'epochs': 1, 'steps_per_epoch': 1}; "
            "expected name, epochs, steps_per_epoch, and words or a corpus",
        ),
    ],
)
def test_names_that_mislead_or_merge_are_one_line(changed, line):
    with pytest.raises(KasuError) as error:
        read_settings(settings(**changed), PretrainingSettings)
    assert str(error.value) == f"config {line}"


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"corpus": "basque"}, ": `corpus` alone; expected `corpus` and `budgets`, or neither "),
        (
            {"budgets": [budget("1M", words=1_000_000)], "published": ["mbert"]},
            ": `budgets` alone; expected `corpus` and `budgets`, or neither to train nothing",
        ),
        ({}, ".published: no model; expected a model or more, or `corpus` and `budgets` to "),
    ],
    ids=("corpus", "budgets", "no-model"),
)
def test_a_corpus_has_budgets_and_some_model_is_scored(given, line):
    with pytest.raises(KasuError) as error:
        read_settings({"pairs": [pairs("a")]} | given, PretrainingSettings)
    assert str(error.value).startswith(f"config pretraining{line}")


def test_pairs_and_published_models_are_enough():
    given = {"pairs": [pairs("a")], "published": ["mbert"]}
    read = read_settings(given, PretrainingSettings)
    assert (read.corpus, read.budgets, read.has_twins, read.idle) == (None, (), False, [])
    stated = read_settings(given | {"vocabulary": 8, "twins": True}, PretrainingSettings)
    assert (stated.has_twins, stated.idle) == (False, ["twins", "vocabulary"])


def test_twins_and_their_keys_count_where_models_are_trained():
    read = read_settings(settings(), PretrainingSettings)
    assert (read.has_twins, read.idle) == (True, [])
    assert not read_settings(settings() | {"twins": False}, PretrainingSettings).has_twins


def test_what_is_not_stated():
    given = {"corpus": "basque", "budgets": [budget("1M", words=1_000_000)], "pairs": [pairs("a")]}
    read = read_settings(given, PretrainingSettings)
    assert [(part.name, part.share, part.sources) for part in read.parts] == [("all", 1, ("*",))]
    assert [(size.layers, size.hidden, size.twins) for size in read.models] == [(4, 256, True)]
    assert (read.validation, read.twins, read.split) == (0.05, True, "paper")
    assert (read.vocabulary, read.fewer_pieces, read.seeds, read.gpus) == (50_000, True, (1,), 0)
    assert (read.published, read.training.recipe) == ((), "short")
    assert (read.pairs[0].fields, read.pairs[0].types, read.pairs[0].segmented) == ({}, None, None)


@pytest.mark.parametrize(
    ("shares", "passes"),
    [((0.5, 0.5), True), ((1 / 3, 2 / 3), True), ((0.5, 0.4), False), ((0.5, 0.6), False)],
)
def test_shares_of_parts_sum_to_1(shares, passes):
    parts = [{"name": str(n), "share": share, "sources": ["*"]} for n, share in enumerate(shares)]
    if passes:
        assert len(read_settings(settings(parts=parts), PretrainingSettings).parts) == 2
    else:
        with pytest.raises(
            KasuError, match=r"parts: found 0 0\.5, 1 0\.[46]; expected shares that"
        ):
            read_settings(settings(parts=parts), PretrainingSettings)


def test_all_texts_may_be_corpora():
    given = settings(budgets=[budget("5M", corpus="five")], validation="held-out")
    assert read_settings(given, PretrainingSettings).budgets[0].words is None


def test_one_set_with_a_second_order_and_sets_without():
    none = pairs("c", fields={"good_reorder": "", "bad_reorder": ""})
    read = read_settings(settings(pairs=[none, pairs("a", fields=ORDERS)]), PretrainingSettings)
    assert [(each.name, each.reordered) for each in read.pairs] == [("c", False), ("a", True)]
