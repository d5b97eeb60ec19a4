"""From the members of several families to one submission: who votes where, and what is missing."""

from dataclasses import replace

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv, write_parquet, write_tsv
from kasu.transduction.items import Answer
from kasu.transduction.members.answers import FAILURES, MEMBERS, member_table
from kasu.transduction.members.families import Answers, CustomFamily, Data, Run, Session, alone
from kasu.transduction.members.joined import JoinedFamily
from kasu.transduction.members.submissions import submit_joined

GOLD = {"dev": ["kasua", "etxe"], "test": ["mutilak"]}


def first_form(voters, dev):
    """The test forms of all members by family, and the right forms of dev, as one text."""
    forms = [
        f"{name}={','.join(member.test[0].forms[0] for member in members)}"
        for name, members in voters.items()
    ]
    return [" ".join([*forms, *dev])]


JOIN = JoinedFamily(
    "systems.join", members={"low": 3}, joins=("two", "one", "three"),
    submissions={"join-01": first_form},
)  # fmt: skip
VOTERS = [
    CustomFamily(
        f"systems.{name}",
        members={"low": None},
        variants={"first": None, "second": None} if name == "one" else {},
        submissions={f"{name}-01": alone},
        trained_by=print,
    )
    for name in JOIN.joins
]


def answers(form):
    return Answers([Answer(["kasu"]), Answer(["etxe", "etxea"])], [Answer([form, "second best"])])


@pytest.fixture
def files(tmp_path):
    """Write the files of a job: members by language, and failures; return both paths."""

    def make(family, languages, failed=(), block=0, gold=GOLD):
        tables = [
            member_table(family, "low", language, run, gold, answers(form))
            for language, members in languages.items()
            for run, form in members.items()
        ]
        rows = [dict(zip(FAILURES, (family, "low", *row), strict=True)) for row in failed]
        paths = [tmp_path / f"{family}-{block}.{end}" for end in ("parquet", "failures.tsv")]
        write_parquet(paths[0], pa.concat_tables([MEMBERS.empty_table(), *tables]), MEMBERS)
        write_tsv(paths[1], rows, FAILURES)
        return paths

    return make


@pytest.fixture
def run(tmp_path):
    """Submit; return forms and the number of families by language, and what is missing."""

    def make(*jobs, languages=("basque",), family=JOIN):
        members, failures = zip(*jobs, strict=True)
        out = tmp_path / "predictions.parquet", tmp_path / "missing.tsv"
        submit_joined(family, VOTERS, "join-01", "low", languages, members, failures, *out)
        rows = read_parquet(out[0]).to_pylist()
        assert {(row["variant"], row["seed"], row["item"]) for row in rows} <= {(None, None, 0)}
        found = {row["language"]: (row["prediction"], row["members"]) for row in rows}
        missing = [(r["members"], r["language"], r["reason"]) for r in read_tsv(out[1])]
        return found, missing

    return make


ONE = Run("first")
SILENT = "no answers, since fewer than 2 of two, one, three have a member"


def test_all_families_vote_in_the_order_that_joins_has(files, run):
    jobs = [files(name, {"basque": {Run(): name[0]}}) for name in ("three", "two")]
    found, missing = run(files("one", {"basque": {ONE: "o"}}), *jobs)
    assert found == {"basque": ("two=t one=o three=t kasua etxe", 3)}
    assert missing == []


def test_a_family_votes_with_the_members_of_its_default_variant_by_seed(files, run):
    first = files("two", {"basque": {Run(None, 2): "b", Run(None, 1): "a"}})
    further = files("two", {"basque": {Run(None, 3): "c"}}, block=1)
    one = files("one", {"basque": {Run("second"): "s", ONE: "f"}})
    found, _ = run(further, one, first)
    assert found == {"basque": ("two=a,b,c one=f kasua etxe", 2)}


def test_a_voter_that_failed_is_left_out_and_told(files, run):
    failed = [("first second", "basque", "no data"), ("second", "telugu", "diverged")]
    jobs = [files(name, {"basque": {Run(): name}}) for name in ("two", "three")]
    found, missing = run(files("one", {}, failed), *jobs)
    assert found == {"basque": ("two=two three=three kasua etxe", 2)}
    assert missing == [("one:first", "basque", "no data")]


def test_a_language_with_one_voter_has_no_answers_and_a_line(files, run):
    one = files("one", {"basque": {ONE: "a"}, "telugu": {ONE: "b"}})
    two = files("two", {"telugu": {Run(): "b"}}, [("all", "basque", "loss nan")])
    found, missing = run(one, two, languages=("basque", "telugu"))
    assert found == {"telugu": ("two=b one=b kasua etxe", 2)}
    assert missing == [("two:all", "basque", "loss nan"), ("", "basque", SILENT)]


def test_only_the_languages_asked_for_are_predicted(files, run):
    jobs = [
        files(name, {"basque": {Run(): "x"}, "telugu": {Run(): "x"}}) for name in ("two", "three")
    ]
    found, missing = run(*jobs, languages=("telugu",))
    assert (list(found), missing) == (["telugu"], [])


def test_families_that_were_tested_on_other_items_are_one_line(files, run):
    other = files("two", {"basque": {Run(): "x"}}, gold=GOLD | {"test": ["neska"]})
    line = "members of two, one at low: other test items in basque; expected the same"
    with pytest.raises(KasuError, match=line):
        run(files("one", {"basque": {ONE: "x"}}), other)


def test_a_joined_family_has_no_members():
    assert JOIN.list_members("low", (), 5) == []
    assert JOIN.train(Data("x", "low", [], [], []), [], {}, Session("")) == {}
    assert list(JOIN.all_submissions) == ["join-01"]
    assert JOIN.variant_of("join-01") is None


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ({"joins": ("one",)}, "joins: one; expected two families or more, each once"),
        ({"joins": ("one", "one")}, "joins: one, one; expected two families or more, each once"),
        ({"joins": ()}, "joins: none; expected two families or more, each once"),
        ({"joins": "one"}, "joins: 'one'; expected a list"),
        ({"variants": {"a": None}}, "variants; expected none, as it trains no members"),
    ],
)
def test_parts_that_cannot_be(parts, line):
    with pytest.raises(KasuError, match=f"systems.join: {line}"):
        replace(JOIN, **parts)
