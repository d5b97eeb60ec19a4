"""Published outputs: matched to the test items, what is dropped, and our members beside them."""

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_parquet
from kasu.inflection.data.triples import TRIPLES, Triple
from kasu.inflection.ladder.published_outputs import System, read_output, read_outputs
from kasu.transduction.items import Answer
from kasu.transduction.members.answers import MEMBERS, member_table
from kasu.transduction.members.families import Answers, Run

ITEMS = [Triple("mutil", "mutilak", "N;PL"), Triple("mutil", "mutila", "N;SG")]


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_answers_stand_in_the_order_of_the_test_items(tmp_path):
    path = write(tmp_path / "out.tsv", "mutil\tmutil\tN;SG\nmutil\tmutilek\tN;PL\n")
    assert read_output(path, ITEMS) == (["mutilek", "mutil"], {})


def test_blanks_around_a_form_and_an_empty_form_are_answers(tmp_path):
    path = write(tmp_path / "out.tsv", "mutil\t mutila\tN;SG\nmutil\t\tN;PL\n")
    assert read_output(path, ITEMS)[0] == ["", " mutila"]


def test_lines_that_answer_no_item_are_counted_by_reason(tmp_path):
    text = "mutil\ta\tN;PL\netxe\tx\tN;PL\nmutil\ta\tN;PL\nmutil\tb\tN;SG\nmutil\tc\tN;DU\n"
    forms, drops = read_output(write(tmp_path / "out.tsv", text), ITEMS)
    assert forms == ["a", "b"]
    assert drops == {"not in the test set": 2, "the same answer again": 1}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "mutil\ta\tN;SG\n",
            r"out.tsv: no answer to 1 of 2 test items, the first of them mutil N;PL; expected one",
        ),
        (
            "mutil\ta\tN;PL\nmutil\tb\tN;PL\n",
            r"out.tsv: two answers to mutil N;PL; expected one$",
        ),
    ],
)
def test_an_item_without_exactly_one_answer_is_one_line(tmp_path, text, line):
    with pytest.raises(KasuError, match=line):
        read_output(write(tmp_path / "out.tsv", text), ITEMS)


def members(path, language="mine", gold=("mutilak", "mutila"), **forms):
    """A file of members: by variant the forms of its seed 1."""
    tables = []
    for variant, given in forms.items():
        answers = Answers([Answer(["kasua"])], [Answer([form, "second"]) for form in given])
        right = {"dev": ["kasua"], "test": list(gold)}
        tables.append(member_table("uzh", "low", language, Run(variant, 1), right, answers))
    write_parquet(path, pa.concat_tables(tables), MEMBERS)
    return path


@pytest.fixture
def datasets(tmp_path):
    columns = dict(zip(TRIPLES.names, zip(*ITEMS, strict=True), strict=True))
    path = tmp_path / "test.parquet"
    write_parquet(path, pa.table({name: list(columns[name]) for name in columns}, TRIPLES), TRIPLES)
    return {"mine": path}


def test_seeds_members_and_votes_by_system(tmp_path, datasets):
    one = write(tmp_path / "1.tsv", "mutil\ta\tN;PL\nmutil\tmutila\tN;SG\netxe\tx\tN;PL\n")
    two = write(tmp_path / "2.tsv", "mutil\tmutilak\tN;PL\nmutil\tmutila\tN;SG\n")
    theirs = {"system": "CA-cls", "variant": "static", "language": "mine"}
    listed = [
        theirs | {"seed": 1, "path": one},
        theirs | {"seed": 2, "path": two},
        theirs | {"system": "CA-LCS-E", "seed": None, "path": two},
    ]
    ours = members(tmp_path / "m.parquet", static=["mutilak", "b"], paper=["c", "c"])
    other = members(tmp_path / "other.parquet", language="other", static=["a", "b"])
    outputs, drops = read_outputs(listed, {"uzh": [ours, other]}, datasets, {"uzh": ["static"]})
    accuracies = {system: outputs.accuracies(system) for system in outputs.systems}
    assert accuracies == {
        System("published", "CA-cls", "static", True): {"mine": 0.75},
        System("published", "CA-LCS-E", "static", False): {"mine": 1.0},
        System("ours", "uzh", "static", True): {"mine": 0.5},
    }
    assert drops == {"CA-cls: not in the test set": 1}


def test_members_of_another_test_set_are_one_line(tmp_path, datasets):
    ours = members(tmp_path / "m.parquet", gold=("mutila", "mutilak"), static=["a", "b"])
    line = "test set of mine: members of uzh answered other items; expected the same items"
    with pytest.raises(KasuError, match=line):
        read_outputs([], {"uzh": [ours]}, datasets, {"uzh": ["static"]})
