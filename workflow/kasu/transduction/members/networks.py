"""Families whose members are networks: train each, and let it answer dev and test.

Such a family says what its network is (`network`) and how it is trained (`recipe`); all else is the
same for all of them. Where members have settings of their own, it says which (`settle`).

Torch is imported inside functions, since plans import families.
"""

import importlib
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from kasu.base.errors import KasuError
from kasu.config.settings import Section
from kasu.job.run import log
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.bundles import Bundles
from kasu.transduction.items import Item
from kasu.transduction.members.families import Answers, Data, Run, Session

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Network, Recipe

SAVED_EVERY = 60.0  # seconds between states of a running training


class NetworkFamily(Protocol):
    """What the module of a family of networks defines, besides what every family does.

    It may also define `TRAINED_AS`, a map of variants whose training is another's or its beginning;
    `settle(settings, language, setting, seed)`, what `network` and `recipe` get in place of
    settings, where that depends on the language or on the member; and `symbols(items)`, what
    `network` gets as characters and tags, where that is more than two alphabets.
    """

    VARIANTS: Mapping[str, object]

    Settings: type[Section]

    WIDTH: int
    """Of the beam that dev and test are answered with; 1 is greedy."""

    def network(
        self, characters: Alphabet, tags: Alphabet, setting: str, settings: Any, variant: str
    ) -> "Network":
        """An untrained network, drawn by torch's own generator."""
        ...

    def recipe(self, data: Data, settings: Any, variant: str) -> "Recipe":
        """How a member is trained."""
        ...


def train_networks(
    family: str, data: Data, members: Sequence[Run], options: Mapping[str, Any], session: Session
) -> dict[Run, Answers | KasuError]:
    """Train members; their answers, or why there are none. `family` is the name of its module."""
    from kasu.neural.device import make_deterministic

    make_deterministic(threads=1)
    log_unknown(data)
    width = _module(family).WIDTH
    found: dict[Run, Answers | KasuError] = {}
    for member, trained in train_members(family, data, members, options, session).items():
        if isinstance(trained, KasuError):
            found[member] = trained
        else:
            answers = (trained.answer(items, width) for items in (data.dev, data.test))
            found[member] = Answers(*answers)
    return found


def train_members(
    family: str, data: Data, members: Sequence[Run], options: Mapping[str, Any], session: Session
) -> "dict[Run, Network | KasuError]":
    """Train the networks of members; the error of those whose training diverges.

    Source and target share an alphabet, that of the training set. Members of one architecture can
    be stacked.

    Raises:
        KasuError: there is no such device.
    """
    from kasu.neural.device import pick_device
    from kasu.neural.resume import Work
    from kasu.transduction.networks.training import train

    device = pick_device(session.device)
    stacked = session.stack == "always" or (session.stack == "auto" and device.type == "cuda")
    module, name = _module(family), family.rpartition(".")[2]
    trained_as = getattr(module, "TRAINED_AS", {})
    characters, tags = getattr(module, "symbols", alphabets)(data.train)
    # Of what states depend on, the name of the folder says the rest
    states = Work(session.work, {"device": device.type}, SAVED_EVERY)
    found: dict[Run, Network | KasuError] = {}
    for variant, settings, chosen in _alike(module, data, members, options):
        together = stacked and len(chosen) > 1
        log.info(
            "%s, %s: on %s, %s", name, data.language, device,
            f"{len(chosen)} networks in one pass" if together else "one network at a time",
        )  # fmt: skip
        task = (name, data.language, data.setting)
        runs = [Run(trained_as.get(variant, variant), member.seed) for member in chosen]
        trained = train(
            partial(module.network, characters, tags, data.setting, settings, variant),
            data.train,
            module.recipe(data, settings, variant),
            dict(named_key(task, run, module.VARIANTS) for run in runs),
            states,
            device,
            stacked=together,
        )
        found.update(zip(chosen, trained, strict=True))
    return found


def named_key(
    task: Sequence[str], run: Run, variants: Iterable[str]
) -> tuple[str, tuple[object, ...]]:
    """The name of a member's network, and what its seeds depend on.

    All variants draw as the default one does, so that they can be compared in pairs.
    """
    name = "-".join(filter(None, map(str, (*task, run.variant or "", run.seed))))
    return name, (*task, next(iter(variants), ""), run.seed)


def _alike(
    module: NetworkFamily, data: Data, members: Sequence[Run], options: Mapping[str, Any]
) -> list[tuple[str, Any, list[Run]]]:
    """Members by variant and settings: those that have one architecture."""
    groups: list[tuple[str, Any, list[Run]]] = []
    for member in members:
        variant = member.variant or ""
        settings = settings_of(module, options, data.language, data.setting, member.seed)
        for known, others, group in groups:
            if (known, others) == (variant, settings):
                group.append(member)
                break
        else:
            groups.append((variant, settings, [member]))
    return groups


def settings_of(
    module: NetworkFamily,
    options: Mapping[str, Any],
    language: str,
    setting: str,
    seed: int | None,
) -> Any:
    """What a member's `network` and `recipe` get as settings."""
    settings = module.Settings(**options)
    settle = getattr(module, "settle", None)
    return settle(settings, language, setting, seed) if settle else settings


class Drawing(NamedTuple):
    """What `network` and `recipe` get where members draw more than their weights: data, say.

    Attributes:
        settings: of the family.
        seed: of the member.
    """

    settings: Any
    seed: int | None


def drawing(settings: Any, language: str, setting: str, seed: int | None) -> Drawing:
    """The `settle` of families whose members draw more than their weights."""
    return Drawing(settings, seed)


def alphabets(items: Sequence[Item]) -> tuple[Alphabet, Alphabet]:
    """The characters of training items, of source and target alike, and their tags."""
    words = (word for item in items for word in (item.source, item.target or ""))
    characters = Alphabet(symbol for word in words for symbol in word)
    return characters, Alphabet(tag for item in items for tag in item.tags)


def log_unknown(data: Data) -> None:
    """Say how many items have what networks cannot know."""
    asked = [*data.dev, *data.test]
    bundles = Bundles(item.tags for item in data.train)
    counted = count_unknown(asked, *alphabets(data.train), bundles)
    what = "dev and test items" if data.test else "dev items"
    log.info("%s, %s: of %d %s, %s", data.language, data.setting, len(asked), what, counted)


def count_unknown(
    asked: Sequence[Item], characters: Alphabet, tags: Alphabet, bundles: Bundles
) -> str:
    """How many items have what training lacks, in words.

    Those with a feature that training lacks do not count among those with such a bundle.
    """
    known = [item for item in asked if not tags.foreign(item.tags)]
    bundled = sum(item.tags in bundles for item in known)
    spelled = sum(not characters.foreign(item.source) for item in asked)
    return (
        f"training lacks features of {len(asked) - len(known)}, bundles of {len(known) - bundled}"
        f" and characters of {len(asked) - spelled}"
    )


def _module(family: str) -> NetworkFamily:
    return cast(NetworkFamily, importlib.import_module(family))
