"""Families whose members are networks.

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
from kasu.transduction.alphabet import alphabets
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session
from kasu.transduction.members.learning import LearningFamily, State

if TYPE_CHECKING:
    from kasu.transduction.networks.training import Network, Recipe

SAVED_EVERY = 60.0  # seconds between states of a running training


M = TypeVar("M")
"""The type of the settings that `network` and `recipe` get."""


def keep(settings: Any, language: str, setting: str, seed: int | None) -> Any:
    """Return the settings as they are, for families without a `settle` of their own."""
    return settings


@dataclass(frozen=True, kw_only=True, eq=False)
class NetworkFamily(LearningFamily, Generic[M]):
    """A family of networks.

    Attributes:
        network: a function of characters, tags, setting, settings and variant that returns an
            untrained network, drawn by torch's own generator.
        recipe: a function of data, settings and variant that returns how a member is trained.
        settle: a function of the family's settings, the language, the setting and the seed. It
            returns the settings of `network` and `recipe`, where these depend on the language or
            on the member.
        symbols: a function of the training items that returns the characters and tags of
            `network`, where these are more than two alphabets.
        trained_as: by variant, the variant whose training is the same or goes on from its end.
    """

    settings: type[Section] = field()
    network: "Callable[[Any, Any, str, M, str], Network]"
    recipe: "Callable[[Data, M, str], Recipe]"
    settle: Callable[[Any, str, str, int | None], M] = keep
    symbols: Callable[[Sequence[Item]], tuple[Any, Any]] = alphabets
    trained_as: Mapping[str, str] = field(default_factory=dict)
    has_networks: bool = True
    needs_items: bool = False

    def __post_init__(self) -> None:
        """Check the names that one part takes from another."""
        super().__post_init__()
        self.check_names("trained_as", [*self.trained_as, *self.trained_as.values()], self.variants)

    def learn(
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
        from kasu.neural.device import make_deterministic, pick_device
        from kasu.neural.resume import Work
        from kasu.transduction.networks.training import train

        make_deterministic(threads=1)
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

    def load(
        self, data: Data, member: Run, options: Mapping[str, object], state: State
    ) -> "Network":
        """Return a network with the weights of a state."""
        from kasu.transduction.members.states import set_weights

        characters, tags = self.symbols(data.train)
        settings = self.settings_of(options, data.language, data.setting, member.seed)
        network = self.network(characters, tags, data.setting, settings, member.variant or "")
        set_weights(network, state)
        return network

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
