"""`kasu inflect`: train a system on the paradigms of one language, and inflect words with it."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import yaml

from kasu.base.arguments import add_device, size
from kasu.base.errors import KasuError
from kasu.base.limits import hint
from kasu.base.paths import expect_no_input
from kasu.config.settings import Section, read_settings
from kasu.corpora.paradigms.schema import tidy
from kasu.corpora.paradigms.unimorph import Columns, is_no_form, read_listed
from kasu.corpora.texts.compressed import lines, split_lines
from kasu.files.tables import split_row
from kasu.inflection.families import trainable
from kasu.job.run import log, seed_of
from kasu.transduction.bundles import Bundles, bundles_of
from kasu.transduction.members.families import Data, MemberCount
from kasu.transduction.members.learning import log_unknown

if TYPE_CHECKING:
    from kasu.inflection.data.triples import Triple
    from kasu.transduction.items import Answer, Item

TRAIN = """\
example:
  kasu inflect train iitbhu basque.tsv models/basque --set epochs=60

PARADIGMS has UniMorph's columns: lemma, form, features; a fourth is not read. Without --dev a tenth
of it, at most 1,000 triples, is held out: training keeps its best epoch there. After a kill the
same command goes on.
"""
PREDICT = """\
example:
  printf 'etxe\\tN;DAT;SG\\n' | kasu inflect predict models/basque --best 3

ITEMS has lines of lemma and features, or UniMorph's columns: lemma, form, features. The score is a
log probability, or empty if the system has none; where several members vote, the share that gives
the form. Features are put in the order of training, and what training lacks is named on stderr and
in `notes` of --json. If lines have the right form, stderr says how many first forms are right.
"""
SIZES = {"low": 316, "medium": 3162}  # triples: the geometric means of 100, 1,000 and 10,000
HELD_OUT = 1000


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of both commands."""
    parser.description = "Train a system on the paradigms of a language, and inflect words with it."
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    form = argparse.RawDescriptionHelpFormatter
    train = commands.add_parser(
        "train", help="learn from a file of paradigms", epilog=TRAIN, formatter_class=form,
        description="Train a system on a file of paradigms and write it to a folder.",
    )  # fmt: skip
    systems = [*trainable()]
    train.add_argument(
        "family", metavar="SYSTEM", choices=systems,
        help=f"a system of the shared task: {', '.join(systems)}",
    )  # fmt: skip
    train.add_argument("paradigms", metavar="PARADIGMS", type=Path, help="file to learn from")
    train.add_argument("folder", metavar="FOLDER", type=Path, help="folder to write the model to")
    train.add_argument(
        "--dev", type=Path, help="further paradigms, on which the best epoch is kept"
    )
    train.add_argument(
        "--setting", choices=("low", "medium", "high"),
        help="the paper's sizes for 100, 1,000 or 10,000 triples; by default the nearest",
    )  # fmt: skip
    train.add_argument("--variant", help="by default the system's first")
    train.add_argument(
        "--members", type=int, default=1, choices=get_args(MemberCount),
        help="how many to train, which then vote; 1 by default",
    )  # fmt: skip
    train.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", dest="settings",
        help="a setting of the system, as in the config's section of its name",
    )  # fmt: skip
    add_device(train)
    train.set_defaults(inflect=_train)
    predict = commands.add_parser(
        "predict", help="inflect words", epilog=PREDICT, formatter_class=form,
        description="Inflect words with a system that `kasu inflect train` wrote.",
    )  # fmt: skip
    predict.add_argument("folder", metavar="FOLDER", type=Path, help="folder of a trained model")
    predict.add_argument(
        "items", metavar="ITEMS", nargs="?", help="file of words; standard input by default"
    )
    predict.add_argument(
        "--best", type=size, default=1, metavar="N", help="print the N best forms; 1 by default"
    )
    predict.add_argument("--json", action="store_true", help="print one JSON object per line")
    predict.set_defaults(inflect=_predict)


def run(arguments: argparse.Namespace) -> int:
    """Train or predict; return the exit status.

    Raises:
        KasuError: an input cannot be used.
    """
    arguments.inflect(arguments)
    return 0


@hint(change="smaller layers or batches (--set)")
def _train(arguments: argparse.Namespace) -> None:
    # torch takes seconds to import, so not for --help
    from kasu.inflection.models import outputs, train_folder

    family = trainable()[arguments.family]
    if arguments.variant is not None:
        family.check_variant(arguments.variant, "--variant")
    variant = arguments.variant or family.default
    settings = read_settings(_stated(arguments.settings), family.settings or Section)
    # A system that draws something does so in all settings
    variants = [variant] if variant else []
    runs = family.list_members(next(iter(family.members)), variants, arguments.members)
    if len(runs) < arguments.members:
        found = f"{arguments.members} of {family.name}, which draws nothing"
        raise KasuError("--members", found, "1")
    work = (arguments.folder / "work").resolve()
    for path in filter(None, (arguments.paradigms, arguments.dev)):
        if work in path.resolve().parents:
            raise KasuError(path, f"a file in {work}, which training empties", "another folder")
        for output in outputs(arguments.folder, runs):
            expect_no_input(output, path)
    read = _read(arguments.paradigms)
    bundles = bundles_of(_items(read))
    train = _in_order(arguments.paradigms, read, bundles)
    if arguments.dev:
        dev = _in_order(arguments.dev, _read(arguments.dev), bundles)
    else:
        train, dev = hold_out(train)
    setting = arguments.setting or next(
        (name for name, most in SIZES.items() if len(train) <= most), "high"
    )
    log.info("triples: %d to train on, %d of dev; setting %s", len(train), len(dev), setting)
    data = Data(arguments.paradigms.stem, setting, _items(train), _items(dev), [])
    log_unknown(data)
    train_folder(arguments.folder, arguments.family, data, runs, settings.dump(), arguments.device)


def _stated(pairs: Iterable[str]) -> dict[str, Any]:
    """Read the settings of KEY=VALUE pairs, values as in YAML."""
    stated = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise KasuError("--set", repr(pair), "KEY=VALUE")
        try:
            stated[key] = yaml.safe_load(value)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise KasuError("--set", repr(pair), "KEY=VALUE, the value in YAML") from error
    return stated


def _read(path: Path) -> list["Triple"]:
    """Read the triples of a file, and log what is left out."""
    triples, drops = read_listed(path)
    left_out = [f"{n} of {reason}" for reason, n in drops.items() if reason != "blank line"]
    if left_out:
        log.info("%s: lines left out: %s", path, ", ".join(left_out))
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
    ordered = [
        triple._replace(features=";".join(bundles.ordered(item.tags)))
        if bundles.ordered(item.tags) != item.tags
        else triple
        for triple, item in zip(triples, _items(triples), strict=True)
    ]
    if turned := sum(one != other for one, other in zip(triples, ordered, strict=True)):
        log.info("%s: features put in the order that most have: of %d triples", path, turned)
    return ordered


def _items(triples: Iterable["Triple"]) -> list["Item"]:
    from kasu.transduction.items import read_item

    return [read_item(lemma, features, form) for lemma, form, features in triples]


def _predict(arguments: argparse.Namespace) -> None:
    from kasu.inflection.evaluation.scorer import PREDICTED
    from kasu.inflection.models import Model
    from kasu.transduction.items import read_item

    asked = list(_read_asked(arguments.items))
    model = Model(arguments.folder)
    given = [read_item(each.lemma, tidy(each.features)) for each in asked]
    items, notes = zip(*map(model.read, given), strict=True) if given else ((), ())
    answers = model.answer(items, arguments.best)
    for each, noted in zip(asked, notes, strict=True):
        if noted:
            log.info("%s: %s, %s: %s", each.where, each.lemma, each.features, "; ".join(noted))
    if any(notes):
        turned = sum(one != other for one, other in zip(given, items, strict=True))
        log.info(
            "items: %d; features of %d put in the order of training; %s",
            len(items), turned, model.count_unknown(items),
        )  # fmt: skip
    if not arguments.json:
        print(*PREDICTED, sep="\t")
    for each, noted, answer in zip(asked, notes, answers, strict=True):
        _print(each.lemma, each.features, noted, answer, arguments.json)
    _log_score(asked, answers)


def _log_score(asked: Sequence["Asked"], answers: Sequence["Answer"]) -> None:
    """Say how many first forms are right, as the official scorer counts, of lines with a form."""
    from kasu.inflection.evaluation.scorer import score
    from kasu.results.published import rounded

    judged = [
        (each, answer)
        for each, answer in zip(asked, answers, strict=True)
        if not is_no_form(each.lemma, each.form)
    ]
    if not judged:
        return
    right = {each.slot: each.form for each, _ in judged}
    guesses = {each.slot: answer.forms[0] for each, answer in judged if answer.forms}
    result = score(right, guesses)
    log.info(
        "items whose right form is given: %d; accuracy %s %%, mean Levenshtein distance %s",
        result.items, rounded(result.accuracy, 2, percent=True), rounded(result.levenshtein, 4),
    )  # fmt: skip


def _print(
    lemma: str, features: str, notes: Sequence[str], answer: "Answer", as_json: bool
) -> None:
    scores: Sequence[float | None] = answer.scores or [None] * len(answer.forms)
    pairs = list(zip(answer.forms, scores, strict=True))
    if as_json:
        forms = [{"form": form, "score": score and round(score, 6)} for form, score in pairs]
        row = {"lemma": lemma, "features": features, "forms": forms, "notes": notes}
        print(json.dumps(row, ensure_ascii=False))
        return
    for rank, (form, score) in enumerate(pairs, start=1):
        print(lemma, form, features, rank, "" if score is None else f"{score:.4f}", sep="\t")


class Asked(NamedTuple):
    """A line of words to inflect: its place in the file, and its cells; `form` may be empty."""

    where: str
    lemma: str
    form: str
    features: str

    @property
    def slot(self) -> tuple[str, str]:
        """What the forms of one item share."""
        return self.lemma, tidy(self.features)


def _read_asked(path: str | None) -> Iterator[Asked]:
    """Yield the lines of words to inflect, stripped like lines to train on.

    Raises:
        KasuError: a line has the wrong number of columns, standard input is closed, or as
            `Columns.conclude`, `split_row` and `lines`.
    """
    name = path or "standard input"
    if not path and sys.stdin is None:
        raise KasuError(name, "closed", "lines of lemma and features")
    read = lines(path) if path else split_lines(sys.stdin.buffer, name)
    check = Columns(name)
    for number, line in read:
        if not (line := line.strip()):
            continue
        columns = split_row(line, f"{name}:{number}")
        if len(columns) not in (2, 3, 4):
            expected = "lemma and features, separated by a tab"
            raise KasuError(f"{name}:{number}", f"{len(columns)} columns", expected)
        at = min(len(columns), 3) - 1
        check.holds(number, columns, at)
        form = columns[1] if at == 2 else ""
        yield Asked(f"{name}:{number}", columns[0].strip(), form, columns[at].strip())
    check.conclude()
