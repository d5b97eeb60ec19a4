"""The toy sizes of the demo's networks, which a run on other data may have by mistake."""

from collections.abc import Iterator, Mapping
from functools import cache

from kasu.base.paths import own
from kasu.files.maps import read_map

SIZES = ("embedding", "hidden", "max_steps", "mlp", "steps")
"""The options that make a network of the demo a toy."""


@cache
def _demo() -> Mapping:
    return read_map(own("config/config.yaml"))


def find_toys(study: str, config: Mapping) -> str | None:
    """Tell which sizes of a study's networks, and of the models that it names, are the demo's.

    Args:
        study: the name of its section.
        config: the whole config, as plain values.
    """
    section, demo = config[study], _demo()
    toys = [*_equal(demo.get(study), section, "")]
    models = config.get("models") or ()
    names = {*_texts(section)} if models else set()
    for model in models:
        if model["name"] in names:
            place = f"models {model['name']}."
            for theirs in demo["models"]:
                toys += _equal(theirs, model, place)
    if not toys:
        return None
    listed = ", ".join(dict.fromkeys(toys))
    return f"have the demo's toy sizes, and the data are not the demo's: {listed}"


def _equal(stated: object, used: object, place: str) -> Iterator[str]:
    """Yield the sizes that are the same; the items of two lists are compared each with each."""
    if isinstance(stated, Mapping) and isinstance(used, Mapping):
        for key in (key for key in stated if key in used):
            if key in SIZES and stated[key] == used[key]:
                yield f"{place}{key} {used[key]}"
            yield from _equal(stated[key], used[key], f"{place}{key}.")
    elif isinstance(stated, list) and isinstance(used, list):
        for at, item in enumerate(used):
            for theirs in stated:
                yield from _equal(theirs, item, f"{place.rstrip('.')}[{at}].")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)
