"""The config's section `blm`: what its schema cannot say."""

from collections.abc import Mapping

from kasu.base.errors import KasuError


def check_settings(settings: Mapping) -> None:
    """Check it before anything is built.

    Raises:
        KasuError: two training variants of one name, or one whose answer sets are not built.
    """
    variants, built = settings["training"]["variants"], settings["variant"]
    names = [variant["name"] for variant in variants]
    for variant in variants:
        where = "config blm training.variants"
        if names.count(variant["name"]) > 1:
            raise KasuError(where, f"{variant['name']!r} twice", "each name once")
        if variant["answers"] not in built:
            found = f"{variant['name']!r} answers {variant['answers']!r}"
            raise KasuError(where, found, f"some of blm variant: {', '.join(built)}")
