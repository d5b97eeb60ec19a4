"""Trained members of one language as a folder, for use outside the workflow.

The folder holds the weights of each member, `<seed>.safetensors`; the files that the family reads
its settings from; and `model.json`, which says what they belong to. It is written last: a folder
without it is not finished.
"""

import hashlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from safetensors import SafetensorError
from safetensors.torch import load_model, save_model
from torch import nn

from kasu.base.errors import KasuError
from kasu.base.limits import reraise_limit
from kasu.files.locks import held
from kasu.files.reading import read_text
from kasu.files.regular import expect_regular, read_bytes
from kasu.files.seals import expect_sealed, seal
from kasu.files.tables import landing, write_text
from kasu.inflection.families import FAMILIES
from kasu.job.code import code_hash
from kasu.job.run import log
from kasu.neural.device import make_deterministic
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.bundles import Bundles
from kasu.transduction.items import Answer, Item, answer_of, read_tags
from kasu.transduction.members.families import Data, Run, Session
from kasu.transduction.members.networks import NetworkFamily, alphabets, count_unknown
from kasu.transduction.networks.training import accuracy

DESCRIPTION = "model.json"
STATES, LOCK = re.compile("[0-9a-f]{16}"), re.compile(r"\.[0-9a-f]{16}\.held")
WRITTEN = "as `kasu inflect train` wrote it"


@dataclass(frozen=True)
class Description:
    """The content of `model.json`.

    Attributes:
        options: the settings of the family.
        characters: the alphabet of lemmata and forms, in order of their numbers.
        tags: the alphabet of features, likewise.
        members: the seed of each member.
        bundles: the bundles of features in training, each in its order; empty in folders of
            earlier versions.
    """

    family: str
    language: str
    setting: str
    variant: str
    options: Mapping[str, Any]
    characters: Sequence[str]
    tags: Sequence[str]
    members: Sequence[int]
    bundles: Sequence[str] = ()


def train_folder(
    folder: Path,
    family: str,
    data: Data,
    runs: Sequence[Run],
    options: Mapping[str, Any],
    device: str,
) -> None:
    """Train members and write them; after a kill, the same call goes on where it stopped.

    A member that diverges is left out. While a process trains into a folder, no other may.

    Args:
        data: bundles have their features in one order, or in all orders that tell forms apart.
        runs: the members, all of one variant.
        options: the settings of the family, complete.

    Raises:
        KasuError: the folder holds a model already, or another process trains into it; or all
            members diverge.
    """
    with held(folder / DESCRIPTION, expected="a folder of its own"):
        if (folder / DESCRIPTION).exists():
            raise KasuError(folder, "holds a model already", "another folder")
        make_deterministic(threads=1)
        # Read now, since a file may change while training takes hours
        copies = {
            copy: read_text(options[name]) for name, copy in _files(folder, family, options).items()
        }
        named = [*copies.values()]
        work = folder / "work" / _digest(family, data, runs[0].variant, options, named)
        characters, tags = alphabets(data.train)
        trained: list[int] = []
        networks = _load_family(family).train_networks(data, runs, options, Session(work, device))
        for run, network in networks.items():
            if isinstance(network, KasuError):
                log.info("member %s: left out: %s", run.seed, network)
                continue
            with landing(_weights(folder, run.seed)) as part:
                save_model(cast(nn.Module, network), str(part))
            trained.append(run.seed or 0)
            if data.dev:
                share = accuracy(network.answer(data.dev), data.dev)
                log.info("member %s: %.1f %% of dev right", run.seed, 100 * share)
        if not trained:
            raise KasuError(f"training of {family}", "all members diverge", "one that does not")
        for copy, content in copies.items():
            write_text(copy, content)
        variant = runs[0].variant or ""
        description = Description(
            family,
            data.language,
            data.setting,
            variant,
            options,
            characters.symbols,
            tags.symbols,
            trained,
            list(dict.fromkeys(";".join(item.tags) for item in data.train)),
        )
        text = json.dumps(asdict(description), ensure_ascii=False, indent=1)
        write_text(folder / DESCRIPTION, f"{text}\n")
        _clear(folder / "work")
        seal(folder)


def outputs(folder: Path, members: int) -> list[Path]:
    """List the files of a trained model, without the copies of files that its settings name."""
    weights = (_weights(folder, seed) for seed in range(1, members + 1))
    return [*weights, folder / DESCRIPTION, folder / ".sha256"]


def _weights(folder: Path, seed: int | None) -> Path:
    return folder / f"{seed}.safetensors"


def _clear(work: Path) -> None:
    """Delete the states of all trainings with their locks; then the folder, if it is empty."""
    for path in work.iterdir():
        if STATES.fullmatch(path.name):
            shutil.rmtree(path)
        elif LOCK.fullmatch(path.name):
            path.unlink()
    with suppress(OSError):
        work.rmdir()


def _files(folder: Path, family: str, options: Mapping[str, Any]) -> dict[str, Path]:
    """Return the copies of the files that a family's settings name, by setting."""
    names = FAMILIES.load(family).files
    return {name: folder / f"{name}{Path(options[name]).suffix}" for name in names}


def _digest(
    family: str,
    data: Data,
    variant: str | None,
    options: Mapping[str, Any],
    named: Sequence[str],
) -> str:
    """Return a name for the states of a training, which changes with its data, options and code.

    Args:
        named: the contents of the files that the options name.
    """
    code = code_hash(__file__, FAMILIES.load(family).module)
    facts = [family, code, data.setting, variant, dict(options), named, data.train, data.dev]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def _load_family(name: str) -> NetworkFamily[Any]:
    return cast(NetworkFamily[Any], FAMILIES.load(name))


class Model:
    """The members of a folder, which answer together.

    Raises:
        KasuError: the folder holds no model, or a damaged one.
    """

    def __init__(self, folder: Path) -> None:
        self.description = _describe(folder)
        expect_sealed(folder)
        make_deterministic(threads=1)
        family, variant = self.description.family, self.description.variant
        self._family = _load_family(family)
        self._characters = Alphabet(self.description.characters)
        self._tags = Alphabet(self.description.tags)
        self._bundles = Bundles(map(read_tags, self.description.bundles))
        if not self.description.bundles:  # written by an earlier version
            log.info("%s does not tell the order of features", folder / DESCRIPTION)
        options, language = self.description.options, self.description.language
        copies = _files(folder, family, options)
        options = {**options, **{name: str(copy) for name, copy in copies.items()}}
        setting = self.description.setting
        self.networks = []
        for seed in self.description.members:
            settings = self._family.settings_of(options, language, setting, seed)
            network = self._family.network(self._characters, self._tags, setting, settings, variant)
            _load(cast(nn.Module, network), _weights(folder, seed))
            self.networks.append(network)

    def read(self, item: Item) -> tuple[Item, list[str]]:
        """Put the features of an item in the order of training.

        Returns:
            The item, and notes of what training lacks.
        """
        ordered = item._replace(tags=self._bundles.ordered(item.tags))
        notes = [] if ordered.tags == item.tags else ["features put in the order of training"]
        if features := self._tags.foreign(item.tags):
            notes.append(f"training lacks the features {', '.join(map(repr, features))}")
        elif ordered.tags not in self._bundles:
            notes.append("training lacks these features together, in this order")
        if characters := self._characters.foreign(item.source):
            notes.append(f"training lacks the characters {', '.join(map(repr, characters))}")
        return ordered, notes

    def count_unknown(self, items: Sequence[Item]) -> str:
        """Say in words how many items have what training lacks."""
        return count_unknown(items, self._characters, self._tags, self._bundles)

    def answer(self, items: Sequence[Item], best: int = 1) -> list[Answer]:
        """Return the `best` forms of each item, or fewer if no more were found.

        The score of a form is its log probability; of several members, the share that gives it.
        """
        if len(self.networks) == 1:
            found = self.networks[0].answer(items, max(self._family.width, best))
            return [_first(answer, best) for answer in found]
        given = [network.answer(items, self._family.width) for network in self.networks]
        return [_votes(answers, best) for answers in zip(*given, strict=True)]


def _first(answer: Answer, best: int) -> Answer:
    """Return the first forms, each once.

    Ids without a symbol, as UNKNOWN, leave no trace in a form, so two answers may be one form.
    """
    once = answer_of(zip(answer.forms, answer.scores, strict=True))
    return Answer(once.forms[:best], once.scores[:best])


def _votes(answers: Sequence[Answer], best: int) -> Answer:
    counts = Counter(answer.forms[0] for answer in answers).most_common(best)
    return Answer([form for form, _ in counts], [count / len(answers) for _, count in counts])


def _describe(folder: Path) -> Description:
    path = folder / DESCRIPTION
    content = read_bytes(path, WRITTEN)
    if content is None:
        raise KasuError(folder, f"no {DESCRIPTION}", "a folder of `kasu inflect train`")
    try:
        return Description(**json.loads(content))
    except (ValueError, TypeError, RecursionError) as error:
        raise KasuError(path, "damaged", WRITTEN) from error


def _load(network: nn.Module, path: Path) -> None:
    expect_regular(path, WRITTEN)
    try:
        load_model(network, path)
    except (OSError, SafetensorError, RuntimeError) as error:
        reraise_limit(error)
        raise KasuError(path, "missing or damaged", WRITTEN) from error
    network.eval()
