"""`kasu inflect`: train a system on the paradigms of one language, and inflect words with it."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import yaml

from kasu.base.arguments import add_device, size
from kasu.base.errors import KasuError
from kasu.inflection.families import trainable
from kasu.inflection.predicting import Inflected, inflect
from kasu.inflection.training import SETTINGS, train_system
from kasu.transduction.members.families import MemberCount

TRAIN = """\
example:
  kasu inflect train iitbhu basque.tsv models/basque --set epochs=60

PARADIGMS has UniMorph's columns: lemma, form, features; a fourth is not read. Without --dev a tenth
of it, at most 1,000 triples, is held out: training keeps its best epoch there. After a kill the
same command goes on.

exit status: 0 the model is written, 2 error
"""
PREDICT = """\
example:
  printf 'etxe\\tN;DAT;SG\\n' | kasu inflect predict models/basque --best 3

ITEMS has lines of lemma and features, or UniMorph's columns: lemma, form, features. The score is a
log probability, or what else the system ranks forms by (ua_03), or empty if it has none; where
several members vote, the share that gives the form. Features are put in the order of training, and
what training lacks is named on stderr and in `notes` of --json. If lines have the right form,
stderr says how many first forms are right.

exit status: 0 whatever is right, 2 error
"""


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
        "--setting", choices=SETTINGS,
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
        "--best", type=size, default=1, metavar="N",
        help="print the N best forms, the system's answer first; 1 by default",
    )  # fmt: skip
    predict.add_argument("--json", action="store_true", help="print one JSON object per line")
    predict.set_defaults(inflect=_predict)


def run(arguments: argparse.Namespace) -> int:
    """Train or predict; return the exit status.

    Raises:
        KasuError: an input cannot be used.
    """
    arguments.inflect(arguments)
    return 0


def _train(arguments: argparse.Namespace) -> None:
    train_system(
        arguments.family,
        arguments.paradigms,
        arguments.folder,
        dev=arguments.dev,
        setting=arguments.setting,
        variant=arguments.variant,
        members=arguments.members,
        settings=_stated(arguments.settings),
        device=arguments.device,
    )


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


def _predict(arguments: argparse.Namespace) -> None:
    from kasu.inflection.evaluation.scorer import PREDICTED

    found = inflect(arguments.folder, arguments.items, arguments.best)
    if not arguments.json:
        print(*PREDICTED, sep="\t")
    for each in found:
        _print(each, arguments.json)


def _print(found: Inflected, as_json: bool) -> None:
    lemma, features = found.asked.lemma, found.asked.features
    if as_json:
        forms = [{"form": form, "score": score and round(score, 6)} for form, score in found.forms]
        row = {"lemma": lemma, "features": features, "forms": forms, "notes": found.notes}
        print(json.dumps(row, ensure_ascii=False))
        return
    for rank, (form, score) in enumerate(found.forms, start=1):
        print(lemma, form, features, rank, "" if score is None else f"{score:.4f}", sep="\t")
