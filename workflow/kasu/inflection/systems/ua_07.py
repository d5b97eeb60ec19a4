"""ua-07: ua-04, which first learns to copy words.

The words are the distinct forms of the language's high training set. They are read without
features, on which the paper says nothing; `features` reads each with those of a training item.
Where the language has none, or where copying does not help on dev, ua-04 answers.

Source: Najafi et al. (2018) §3.3. That ua-04 takes the place of a pre-training that failed is read
off the published figures: they are ua-04's in English, Kurmanji and Latin.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from kasu.base.errors import KasuError
from kasu.config.settings import Size
from kasu.inflection.systems import ua_04
from kasu.job.run import log, seed_of
from kasu.transduction.alphabet import Alphabet, alphabets
from kasu.transduction.items import Item
from kasu.transduction.members.families import Answers, CustomFamily, Data, Run, Session, alone
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Recipe

VARIANTS = {"chosen": ("refined", "copying"), "copying": ("copying",)}
"""What a variant trains: ua-04, and ua-04 that first learns to copy. The best on dev answers."""

BATCH = 64  # of words to copy


class Settings(ua_04.Settings):
    """Sizes of ua-07's network."""

    words: Size | None = Field(
        default=None, description="Words to copy at most, drawn of all; none: all."
    )
    copying: Size = Field(default=50, description="Epochs of copying.")
    features: bool = Field(
        default=False,
        description="Each word is read with the features of a training item, drawn for it.",
    )


def draw_words(data: Data, settings: Settings, seed: int | None) -> list[Item]:
    """Return the words to copy: distinct forms of the text, in its order."""
    key = "ua_07", data.language, data.setting, seed
    forms = [*dict.fromkeys(data.text)]
    if settings.words and settings.words < len(forms):
        draw = np.random.default_rng(seed_of(*key, "words"))
        rows = sorted(draw.choice(len(forms), settings.words, replace=False))
        forms = [forms[row] for row in rows]
    if not settings.features or not data.train:
        return [Item(form, (), form) for form in forms]
    draw = np.random.default_rng(seed_of(*key, "features"))
    drawn = draw.integers(len(data.train), size=len(forms))
    return [Item(form, data.train[row].tags, form) for form, row in zip(forms, drawn, strict=True)]


def recipe(words: Sequence[Item], data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe that copies words, then that of ua-04, over the items alone."""
    from kasu.neural.stopping import Patience

    count = len(data.train)

    def items_alone(recipe: "Recipe | None") -> "Recipe | None":
        if recipe is None:
            return None
        return replace(
            recipe,
            order=lambda draw: draw.permutation(count).tolist(),
            then=items_alone(recipe.then),
        )

    plain = ua_04.recipe(data, settings, "refined")
    return replace(
        plain,
        batch_size=BATCH,
        epochs=settings.copying,
        stop=Patience(settings.copying, settings.copying),
        validated=(),
        # Words come after all items
        made=words,
        order=lambda draw: (count + draw.permutation(len(words))).tolist(),
        then=items_alone(plain),
    )


def symbols(words: Sequence[Item], items: Sequence[Item]) -> tuple[Alphabet, Alphabet]:
    """Return the characters of items and words, and the tags."""
    return alphabets([*items, *words])


def family(words: Sequence[Item]) -> NetworkFamily:
    """Return the family of networks that first copy words."""
    return replace(
        ua_04.FAMILY, module=__name__, settings=Settings, variants={}, trained_as={},
        symbols=partial(symbols, words), recipe=partial(recipe, words),
    )  # fmt: skip


def train(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Answers | KasuError]:
    """Train the networks that members need, each once; answer with the better one of each member.

    A network that diverges is not chosen; it is an error where it is asked for alone.
    """
    settings = Settings.model_validate(options)
    sizes = {name: getattr(settings, name) for name in ua_04.Settings.model_fields}
    found: dict[Run, Answers | KasuError] = {}
    for member in members:
        answers = {}
        for part in VARIANTS[member.variant or ""]:
            run = Run(part, member.seed)
            words = draw_words(data, settings, member.seed) if part == "copying" else []
            if run not in found and (words or part == "refined"):
                trained = family(words) if words else ua_04.FAMILY
                own = Run(None if words else part, member.seed)
                found[run] = trained.train(data, [own], options if words else sizes, session)[own]
            if run in found:
                answers[part] = found[run]
        found[member] = choose(answers, data)
    return {member: found[member] for member in members}


def choose(parts: Mapping[str, Answers | KasuError], data: Data) -> Answers | KasuError:
    """Return the answers that are best on dev; of equal ones, those after copying."""
    scored = {}
    for part, answers in parts.items():
        if isinstance(answers, Answers):
            pairs = zip(answers.dev, data.dev, strict=True)
            right = sum(each.forms[0] == "".join(item.target or "") for each, item in pairs)
            scored[part] = right, part == "copying"
    if not scored:
        where = f"{data.language}, {data.setting}"
        failed = next((each for each in parts.values() if isinstance(each, KasuError)), None)
        return failed or KasuError(where, "no words to copy", "a high training set")
    best = max(scored, key=lambda part: scored[part])
    log.info("ua_07, %s, %s: %s answers", data.language, data.setting, best)
    return parts[best]


FAMILY = CustomFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": 1},
    submissions={"ua-07": alone},
    reads="high",
    has_networks=True,
    trained_by=train,
)
