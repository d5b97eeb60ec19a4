"""Families whose members are networks: train each, and let it answer dev and test.

Such a family says what its network is (`network`) and how it is trained (`recipe`); all else is the
same for all of them.

Torch is imported inside functions, since plans import families.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from kasu.base.errors import KasuError
from kasu.config.settings import Section
from kasu.job.run import log
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.bundles import Bundles
from kasu.transduction.items import Item
from kasu.transduction.members.families import Answers, Data, Family, Run, Session

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Network, Recipe

SAVED_EVERY = 60.0  # seconds between states of a running training


M = TypeVar("M")
"""The type of the settings that `network` and `recipe` get."""


def keep(settings: Any, language: str, setting: str, seed: int | None) -> Any:
    """Return the settings as they are, for families without a `settle` of their own."""
    return settings


def as_given(data: Data) -> Data:
    """Return the data as they are, for families without a `prepare` of their own."""
    return data


def alphabets(items: Sequence[Item]) -> tuple[Alphabet, Alphabet]:
    """Return the characters of training items, of source and target alike, and their tags."""
    words = (word for item in items for word in (item.source, item.target or ""))
    characters = Alphabet(symbol for word in words for symbol in word)
    return characters, Alphabet(tag for item in items for tag in item.tags)


@dataclass(frozen=True, kw_only=True, eq=False)
class NetworkFamily(Family, Generic[M]):
    """A family of networks.

    Attributes:
        network: a function of characters, tags, setting, settings and variant that returns an
            untrained network, drawn by torch's own generator.
        recipe: a function of data, settings and variant that returns how a member is trained.
        width: width of the beam that dev and test are answered with; 1 is greedy.
        settle: a function of the family's settings, the language, the setting and the seed. It
            returns the settings of `network` and `recipe`, where these depend on the language or
            on the member.
        symbols: a function of the training items that returns the characters and tags of
            `network`, where these are more than two alphabets.
        prepare: a function that returns the data that members learn from and answer, where these
            are not the data as given.
        trained_as: by variant, the variant whose training is the same or goes on from its end.
    """

    settings: type[Section] = field()
    network: "Callable[[Any, Any, str, M, str], Network]"
    recipe: "Callable[[Data, M, str], Recipe]"
    width: int = 1
    settle: Callable[[Any, str, str, int | None], M] = keep
    symbols: Callable[[Sequence[Item]], tuple[Any, Any]] = alphabets
    prepare: Callable[[Data], Data] = as_given
    trained_as: Mapping[str, str] = field(default_factory=dict)
    has_networks: bool = True

    def __post_init__(self) -> None:
        """Check the names that one part takes from another."""
        super().__post_init__()
        self.check_names("trained_as", [*self.trained_as, *self.trained_as.values()], self.variants)

    def train(
        self, data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
    ) -> dict[Run, Answers | KasuError]:
        """Train members; return their answers, or the error of a training that diverges."""
        from kasu.neural.device import make_deterministic

        make_deterministic(threads=1)
        data = self.prepare(data)
        log_unknown(data)
        found: dict[Run, Answers | KasuError] = {}
        for member, trained in self.train_networks(data, members, options, session).items():
            if isinstance(trained, KasuError):
                found[member] = trained
            else:
                answers = (trained.answer(items, self.width) for items in (data.dev, data.test))
                found[member] = Answers(*answers)
        return found

    def train_networks(
        self, data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
    ) -> "dict[Run, Network | KasuError]":
        """Train the networks of members; return the error of each training that diverges.

        Source and target share an alphabet, that of the training set. Members of one architecture
        can be stacked.

        Args:
            data: as `prepare` returns them.

        Raises:
            KasuError: there is no such device, or nothing to learn from.
        """
        expect_items(data)
        from kasu.neural.device import pick_device
        from kasu.neural.resume import Work
        from kasu.transduction.networks.training import train

        device = pick_device(session.device)
        stacked = session.stack == "always" or (session.stack == "auto" and device.type == "cuda")
        characters, tags = self.symbols(data.train)
        # States depend on more than the device: the name of the folder says the rest
        states = Work(session.work, {"device": device.type}, SAVED_EVERY)
        found: dict[Run, Network | KasuError] = {}
        for variant, settings, chosen in self._by_architecture(data, members, options):
            together = stacked and len(chosen) > 1
            log.info(
                "%s, %s: on %s, %s", self.name, data.language, device,
                f"{len(chosen)} networks in one pass" if together else "one network at a time",
            )  # fmt: skip
            task = (self.name, data.language, data.setting)
            as_variant = self.trained_as.get(variant, variant)
            runs = [Run(as_variant, member.seed) for member in chosen]
            trained = train(
                partial(self.network, characters, tags, data.setting, settings, variant),
                data.train,
                self.recipe(data, settings, variant),
                dict(named_key(task, run, self.variants) for run in runs),
                states,
                device,
                stacked=together,
            )
            found.update(zip(chosen, trained, strict=True))
        return found

    def settings_of(
        self, options: Mapping[str, object], language: str, setting: str, seed: int | None
    ) -> M:
        """Return the settings that a member's `network` and `recipe` get."""
        return self.settle(self.settings(**options), language, setting, seed)

    def _by_architecture(
        self, data: Data, members: Sequence[Run], options: Mapping[str, object]
    ) -> list[tuple[str, M, list[Run]]]:
        """Group members by variant and settings; the members of a group have one architecture."""
        groups: list[tuple[str, M, list[Run]]] = []
        for member in members:
            variant = member.variant or ""
            settings = self.settings_of(options, data.language, data.setting, member.seed)
            for known, others, group in groups:
                if (known, others) == (variant, settings):
                    group.append(member)
                    break
            else:
                groups.append((variant, settings, [member]))
        return groups


def expect_items(data: Data) -> None:
    """Check that there is something to learn from.

    Raises:
        KasuError: there are no training items.
    """
    if not data.train:
        raise KasuError(f"{data.language}, {data.setting}", "no training items", "one or more")


def named_key(
    task: Sequence[str], run: Run, variants: Iterable[str]
) -> tuple[str, tuple[object, ...]]:
    """Return the name of a member's network, and what its seeds depend on.

    All variants draw as the default one does, so that they can be compared in pairs.
    """
    name = "-".join(filter(None, map(str, (*task, run.variant or "", run.seed))))
    return name, (*task, next(iter(variants), ""), run.seed)


class Drawing(NamedTuple):
    """The settings of `network` and `recipe` where members draw more than their weights: data, say.

    Attributes:
        settings: the settings of the family.
        seed: the seed of the member.
    """

    settings: Any
    seed: int | None


def drawing(settings: Any, language: str, setting: str, seed: int | None) -> Drawing:
    """Return settings with the seed: the `settle` of families that draw more than weights."""
    return Drawing(settings, seed)


def log_unknown(data: Data) -> None:
    """Log how many dev and test items have what training lacks."""
    asked = [*data.dev, *data.test]
    bundles = Bundles(item.tags for item in data.train)
    counted = count_unknown(asked, *alphabets(data.train), bundles)
    what = "dev and test items" if data.test else "dev items"
    log.info("%s, %s: of %d %s, %s", data.language, data.setting, len(asked), what, counted)


def count_unknown(
    asked: Sequence[Item], characters: Alphabet, tags: Alphabet, bundles: Bundles
) -> str:
    """Say in words how many items have what training lacks.

    An item with a feature that training lacks does not also count for its bundle.
    """
    known = [item for item in asked if not tags.foreign(item.tags)]
    bundled = sum(item.tags in bundles for item in known)
    spelled = sum(not characters.foreign(item.source) for item in asked)
    return (
        f"training lacks features of {len(asked) - len(known)}, bundles of {len(known) - bundled}"
        f" and characters of {len(asked) - spelled}"
    )
