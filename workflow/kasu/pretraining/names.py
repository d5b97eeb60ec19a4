"""What names of the config promise: tables and claims read a model's layers and words off them."""

from collections import Counter
from collections.abc import Mapping, Sequence

from kasu.base.errors import KasuError

_UNITS = {"k": 1_000, "M": 1_000_000}


def words_of(budget: str) -> int:
    """How many words a budget's name stands for: 25,000,000 for `25M`."""
    return int(budget[:-1]) * _UNITS[budget[-1]]


def check_names(settings: Mapping[str, Sequence[Mapping]]) -> None:
    """Check the section `pretraining` of the config, before anything is trained.

    Raises:
        KasuError: a budget has other words than its name says; two models, budgets or sets of
            pairs would go by one name; several sets have a second word order, which Tables 14-16
            could not tell apart.
    """
    for budget in settings["budgets"]:
        said = words_of(budget["name"])
        if budget.get("words", said) != said:
            where = f"config: pretraining.budgets, {budget['name']}"
            raise KasuError(where, f"{budget['words']} words", f"{said}, as its name says")
    names = {
        "models": [f"{model['layers']} layers" for model in settings["models"]],
        "budgets": [f"{words_of(budget['name'])} words" for budget in settings["budgets"]],
        "pairs": [pairs["name"] for pairs in settings["pairs"]],
    }
    for section, named in names.items():
        for name, count in Counter(named).items():
            if count > 1:
                where = f"config: pretraining.{section}"
                raise KasuError(where, f"{name} {count} times", "once, for names say no more")
    reordered = [
        pairs["name"] for pairs in settings["pairs"] if pairs.get("fields", {}).get("good_reorder")
    ]
    if len(reordered) > 1:
        found = f"second word orders in {', '.join(reordered)}"
        raise KasuError("config: pretraining.pairs", found, "one such set")
