"""Train a system on a file of paradigms, for use outside the workflow."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from kasu.base.errors import KasuError
from kasu.base.limits import hint
from kasu.base.paths import expect_no_input
from kasu.config.reading import read_settings
from kasu.config.settings import Section
from kasu.corpora.paradigms.unimorph import read_listed
from kasu.inflection.families import trainable
from kasu.job.run import log, seed_of
from kasu.transduction.bundles import Bundles, bundles_of
from kasu.transduction.members.families import Data, MemberCount
from kasu.transduction.members.learning import log_unknown

if TYPE_CHECKING:
    from kasu.inflection.data.triples import Triple
    from kasu.transduction.items import Item

SIZES = {"low": 316, "medium": 3162}  # triples: the geometric means of 100, 1,000 and 10,000
SETTINGS = (*SIZES, "high")
HELD_OUT = 1000


@hint(change="smaller layers or batches (--set)")
def train_system(
    system: str,
    paradigms: Path,
    folder: Path,
    *,
    dev: Path | None = None,
    setting: str | None = None,
    variant: str | None = None,
    members: int = 1,
    settings: Mapping[str, Any] | None = None,
    device: str = "auto",
) -> None:
    """Train members of a system on a file of paradigms, and write them to a folder.

    Args:
        paradigms: lemma, form and features, separated by tabs.
        dev: further paradigms, on which the best epoch is kept; by default a tenth is held out.
        setting: the paper's sizes, one of SETTINGS; by default the nearest.
        variant: by default the system's first.
        members: how many to train.
        settings: those of the system that differ from its defaults.

    Raises:
        KasuError: an argument is none that the system takes; a file cannot be read or would be
            written over; or as `kasu.inflection.models.train_folder`.
    """
    # torch takes seconds to import, so not for --help
    from kasu.inflection.models import outputs, train_folder

    for option, value, known in (
        ("SYSTEM", system, [*trainable()]),
        ("--setting", setting or SETTINGS[0], SETTINGS),
        ("--members", members, get_args(MemberCount)),
    ):
        if value not in known:
            raise KasuError(option, repr(value), f"one of {', '.join(map(str, known))}")
    family = trainable()[system]
    if variant is not None:
        family.check_variant(variant, "--variant")
    variant = variant or family.default
    read_options = read_settings(settings or {}, family.settings or Section)
    # A system that draws something does so in all settings
    variants = [variant] if variant else []
    runs = family.list_members(next(iter(family.members)), variants, members)
    if len(runs) < members:
        found = f"{members} of {family.name}, which draws nothing"
        raise KasuError("--members", found, "1")
    work = (folder / "work").resolve()
    for path in filter(None, (paradigms, dev)):
        if work in path.resolve().parents:
            raise KasuError(path, f"a file in {work}, which training empties", "another folder")
        for output in outputs(folder, runs):
            expect_no_input(output, path)
    read = _read(paradigms)
    bundles = bundles_of(_items(read))
    train = _in_order(paradigms, read, bundles)
    if dev:
        held = _in_order(dev, _read(dev), bundles)
        learnt = set(train)
        if common := sum(triple in learnt for triple in held):
            log.warning("%s: triples that are also trained on: %d of %d", dev, common, len(held))
    else:
        train, held = hold_out(train)
    setting = setting or next((name for name, most in SIZES.items() if len(train) <= most), "high")
    log.info("triples: %d to train on, %d of dev; setting %s", len(train), len(held), setting)
    data = Data(paradigms.stem, setting, _items(train), _items(held), [])
    log_unknown(data)
    train_folder(folder, system, data, runs, read_options.dump(), device)


def _read(path: Path) -> list["Triple"]:
    """Read the triples of a file, and log what is left out."""
    triples, drops = read_listed(path)
    left_out = [f"{n} of {reason}" for reason, n in drops.items() if reason != "blank line"]
    if left_out:
        log.warning("%s: lines left out: %s", path, ", ".join(left_out))
    return triples


def hold_out(triples: Sequence["Triple"]) -> tuple[list["Triple"], list["Triple"]]:
    """Divide triples into training and dev by their own text, whatever their order."""
    # A triple that stands there twice is in one of the two alone
    same = [triple.canonical() for triple in triples]
    shuffled = sorted(set(same), key=lambda triple: seed_of(*triple))
    held_out = set(shuffled[: min(len(shuffled) // 10, HELD_OUT)])
    train, dev = (
        [triple for triple, each in zip(triples, same, strict=True) if (each in held_out) == held]
        for held in (False, True)
    )
    return train, dev


def _in_order(path: Path, triples: Sequence["Triple"], bundles: Bundles) -> list["Triple"]:
    """Put the features of triples in one order, and log how many had another."""
    ordered = [triple._replace(features=bundles.rewrite(triple.features)) for triple in triples]
    if turned := sum(one != other for one, other in zip(triples, ordered, strict=True)):
        log.info("%s: features put in the order that most have: of %d triples", path, turned)
    return ordered


def _items(triples: Iterable["Triple"]) -> list["Item"]:
    from kasu.transduction.items import read_item

    return [read_item(lemma, features, form) for lemma, form, features in triples]
