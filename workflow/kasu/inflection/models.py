"""Trained members of one language as a folder, for use outside the workflow.

The folder holds what each member has learnt, `<seed>.safetensors`; the files that the family reads
its settings from; `train.parquet`, the triples learnt from, where members answer from them; and
`model.json`, which says what they belong to. It is written last: a folder without it is not
finished.
"""

import hashlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from kasu.base.errors import KasuError
from kasu.base.limits import reraise_limit
from kasu.config.reading import read_settings
from kasu.config.settings import Section
from kasu.files.locks import held
from kasu.files.reading import read_text
from kasu.files.regular import expect_regular, read_bytes
from kasu.files.seals import expect_sealed, seal
from kasu.files.tables import read_parquet, write_parquet, write_text
from kasu.inflection.data.triples import TRIPLES
from kasu.inflection.families import trainable
from kasu.job.code import code_hash
from kasu.job.run import log
from kasu.neural.device import make_deterministic
from kasu.transduction.alphabet import alphabets
from kasu.transduction.bundles import Bundles
from kasu.transduction.items import Answer, Item, answer_of, read_item, read_tags
from kasu.transduction.members.answers import name_of
from kasu.transduction.members.choice import share_right
from kasu.transduction.members.families import Data, Run, Session
from kasu.transduction.members.learning import LearningFamily, Learnt, count_unknown
from kasu.transduction.members.states import read_state, write_state

DESCRIPTION, TRAIN = "model.json", "train.parquet"
STATES, LOCK = re.compile("[0-9a-f]{16}"), re.compile(r"\.[0-9a-f]{16}\.held")
WRITTEN = "as `kasu inflect train` wrote it"


@dataclass(frozen=True, config=ConfigDict(extra="forbid", strict=True))
class Description:
    """The content of `model.json`.

    Attributes:
        options: the settings of the family.
        characters: the alphabet of lemmata and forms, in order of their numbers.
        tags: the alphabet of features, likewise.
        members: the seed of each member; null of a system that draws nothing.
        bundles: the bundles of features in training, each in its order; empty in folders of
            earlier versions.

    Where the folder has the triples, `characters`, `tags` and `bundles` are empty.
    """

    family: str
    language: str
    setting: str
    variant: str
    options: dict[str, Any]
    characters: list[str]
    tags: list[str]
    members: Annotated[list[int | None], Field(min_length=1)]
    bundles: list[str] = Field(default_factory=list)


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
        trained: list[int | None] = []
        known = trainable()[family]
        prepared = known.prepare(data)
        for run, learnt in known.learn(prepared, runs, options, Session(work, device)).items():
            name = name_of(Run(seed=run.seed))
            if isinstance(learnt, KasuError):
                log.info("member %s: left out: %s", name, learnt)
                continue
            write_state(_weights(folder, run.seed), learnt.state_dict())
            trained.append(run.seed)
            if data.dev:
                share = share_right(learnt, prepared.dev, known.width)
                log.info("member %s: %.1f %% of dev right", name, 100 * share)
        if not trained:
            raise KasuError(f"training of {family}", "all members diverge", "one that does not")
        for copy, content in copies.items():
            write_text(copy, content)
        if known.needs_items:
            write_parquet(folder / TRAIN, map(_row, data.train), TRIPLES)
        described = [] if known.needs_items else data.train
        characters, tags = alphabets(described)
        description = Description(
            family=family,
            language=data.language,
            setting=data.setting,
            variant=runs[0].variant or "",
            options=dict(options),
            characters=characters.symbols,
            tags=tags.symbols,
            members=trained,
            bundles=list(dict.fromkeys(";".join(item.tags) for item in described)),
        )
        text = json.dumps(asdict(description), ensure_ascii=False, indent=1)
        write_text(folder / DESCRIPTION, f"{text}\n")
        _clear(folder / "work")
        seal(folder)


def outputs(folder: Path, runs: Sequence[Run]) -> list[Path]:
    """List the files of a trained model, without the copies of files that its settings name."""
    weights = (_weights(folder, run.seed) for run in runs)
    return [*weights, folder / TRAIN, folder / DESCRIPTION, folder / ".sha256"]


def _weights(folder: Path, seed: int | None) -> Path:
    return folder / f"{name_of(Run(seed=seed))}.safetensors"


def _row(item: Item) -> dict[str, str]:
    cells = ("".join(item.source), "".join(item.target or ""), ";".join(item.tags))
    return dict(zip(TRIPLES.names, cells, strict=True))


def _clear(work: Path) -> None:
    """Delete the states of all trainings with their locks; then the folder, if it is empty."""
    for path in work.glob("*"):  # rules leave no state
        if STATES.fullmatch(path.name):
            shutil.rmtree(path)
        elif LOCK.fullmatch(path.name):
            path.unlink()
    with suppress(OSError):
        work.rmdir()


def _files(folder: Path, family: str, options: Mapping[str, Any]) -> dict[str, Path]:
    """Return the copies of the files that a family's settings name, by setting."""
    names = trainable()[family].files
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
    code = code_hash(__file__, trainable()[family].module)
    facts = [family, code, data.setting, variant, dict(options), named, data.train, data.dev]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


class Model:
    """The members of a folder, which answer together.

    Attributes:
        members: what each has learnt.

    Raises:
        KasuError: the folder holds no model, or a damaged one.
    """

    def __init__(self, folder: Path) -> None:
        given = _describe(folder)
        expect_sealed(folder)
        make_deterministic(threads=1)
        self._family = _family(folder, given)
        train = _read_train(folder, given, self._family)
        self._characters, self._tags = alphabets(train)
        self._bundles = Bundles(
            [item.tags for item in train] if self._family.needs_items or given.bundles else []
        )
        if not self._bundles.listed:  # written by an earlier version
            log.info("%s does not tell the order of features", folder / DESCRIPTION)
        data = self._family.prepare(Data(given.language, given.setting, train, [], []))
        options = _options(folder, given, self._family)
        self.members = [
            self._load(folder, data, Run(given.variant or None, seed), options)
            for seed in given.members
        ]

    def _load(self, folder: Path, data: Data, member: Run, options: Mapping[str, object]) -> Learnt:
        path = _weights(folder, member.seed)
        state = read_state(path, WRITTEN)
        try:
            return self._family.load(data, member, options, state)
        except (AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
            reraise_limit(error)
            raise KasuError(path, "not what its system has learnt", WRITTEN) from error

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

        The first are those of the system's own beam, which is what the system answers; a beam of
        width `best` adds further ones, whose scores may be higher.

        The score of a form is its log probability, or what else the system ranks by, if it has any;
        of several members, the share that gives it.
        """
        asked = self._family.prepare(Data("", "", [], items, [])).dev
        width = self._family.width
        if len(self.members) == 1:
            (member,) = self.members
            found = member.answer(asked, width)
            if best > width:
                found = list(map(_join, found, member.answer(asked, best)))
            return [_first(answer, best) for answer in found]
        given = [member.answer(asked, width) for member in self.members]
        return [_votes(answers, best) for answers in zip(*given, strict=True)]


def _join(own: Answer, wider: Answer) -> Answer:
    return Answer([*own.forms, *wider.forms], [*own.scores, *wider.scores])


def _first(answer: Answer, best: int) -> Answer:
    """Return the first forms, each once.

    Ids without a symbol, as UNKNOWN, leave no trace in a form, so two answers may be one form.
    """
    if not answer.scores:
        return Answer([*dict.fromkeys(answer.forms)][:best])
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
        return TypeAdapter(Description).validate_json(content)
    except ValidationError as error:
        raise KasuError(path, "damaged", WRITTEN) from error


def _family(folder: Path, given: Description) -> LearningFamily:
    """Return the family of a folder, which has its variant."""
    path, known = folder / DESCRIPTION, trainable()
    if given.family not in known:
        raise KasuError(path, f"unknown system {given.family!r}", f"one of {', '.join(known)}")
    family = known[given.family]
    if given.variant or family.variants:
        family.check_variant(given.variant, str(path))
    return family


def _options(folder: Path, given: Description, family: LearningFamily) -> dict[str, Any]:
    """Return the settings of the family, checked, with the folder's own copies of files."""
    if not all(isinstance(given.options.get(name), str) for name in family.files):
        raise KasuError(folder / DESCRIPTION, "damaged", WRITTEN)
    copies = _files(folder, given.family, given.options)
    options = given.options | {name: str(copy) for name, copy in copies.items()}
    return read_settings(options, family.settings or Section).dump()


def _read_train(folder: Path, given: Description, family: LearningFamily) -> list[Item]:
    """Return the items learnt from; or one of each bundle, where the family needs no more.

    Each of those has all characters, so that all have the alphabets of the items learnt from.
    """
    if not family.needs_items:
        bundles = [*map(read_tags, given.bundles)] or [tuple(given.tags)]
        return [Item(given.characters, tags) for tags in bundles]
    expect_regular(folder / TRAIN, WRITTEN)
    table = read_parquet(folder / TRAIN, TRIPLES.names)
    if table.schema != TRIPLES or any(column.null_count for column in table.columns):
        raise KasuError(folder / TRAIN, "damaged", WRITTEN)
    columns = (column.to_pylist() for column in table.columns)
    return [read_item(lemma, tags, form) for lemma, form, tags in zip(*columns, strict=True)]
