"""The official baseline: the paper's example (§4.1), rules, ties, and the published cells."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.inflection.data.triples import read_triples
from kasu.inflection.families import FAMILIES
from kasu.inflection.systems.baseline import (
    Baseline,
    is_prefixing,
    prefix_rules,
    prefix_set,
    split_pair,
    suffix_rules,
    suffix_set,
    without_gaps,
)
from kasu.results.published import read_published
from kasu.transduction.alignments.tie_order import Python2Table
from kasu.transduction.items import Answer, read_item
from kasu.transduction.members.families import Answers, Data, Run, Session

ROOT = Path(__file__).resolve().parents[3]
ELATIVE = "N;IN+ABL;SG"
KOTI = read_item("koti", ELATIVE, "kodista")
TIES = ["published", "insertion"]


@pytest.fixture(scope="module")
def published():
    """Printed accuracy and Levenshtein of the baseline, by `<setting>|<language>` and metric."""
    return {
        (figure.condition, figure.metric): figure.printed
        for figure in read_published(ROOT / "resources" / "published")
        if figure.paper == "sigmorphon2018" and figure.system == "baseline"
    }


def test_members_are_the_orders_of_ties_whatever_the_seeds():
    family = FAMILIES.load("baseline")
    assert family.list_members("low", TIES, 5) == [Run("published"), Run("insertion")]
    assert family.list_members("high") == [Run("published")]


@pytest.mark.parametrize("ties", TIES)
def test_example_of_the_paper(ties):
    assert Baseline([KOTI]).inflect(read_item("luoti", ELATIVE), ties) == "luodista"


def test_rules_of_the_paper():
    rules = without_gaps(suffix_rules(split_pair("koti", "kodista")))
    assert rules[:5] == [
        ("koti>", "kodista>"),
        ("oti>", "odista>"),
        ("ti>", "dista>"),
        ("i>", "ista>"),
        (">", "sta>"),
    ]
    # The paper omits the rules within the gap
    assert rules[5:] == [(">", "ta>"), (">", "a>"), (">", ">")]


def test_prefix_rules_take_the_middle_of_the_form():
    split = split_pair("machen", "gemacht")
    assert without_gaps(prefix_rules(split)) == [
        ("<", "<ge"),
        ("<m", "<gem"),
        ("<ma", "<gema"),
        ("<mac", "<gemac"),
        ("<mach", "<gemach"),
    ]


def test_a_form_that_is_all_prefix_gives_no_prefix_rule():
    assert prefix_rules(split_pair("", "ab")) == []


def test_rules_of_a_gap_in_the_data():
    assert without_gaps(suffix_rules(split_pair("a_", "a_b"))) == [
        ("a>", "ab>"), (">", "b>"), (">", ">")
    ]  # fmt: skip


def test_longest_suffix_then_count_then_longest_right_side():
    train = [
        read_item("ab", "N", "abx"),
        read_item("cb", "N", "cby"),
        read_item("db", "N", "dby"),
        read_item("e", "N", "ezz"),
    ]
    baseline = Baseline(train)
    assert baseline.inflect(read_item("fab", "N"), "published") == "fabx"
    assert baseline.inflect(read_item("fb", "N"), "published") == "fby"


def test_an_unseen_msd_leaves_the_lemma():
    assert Baseline([KOTI]).inflect(read_item("<luoti>", "N;GEN;SG"), "published") == "<luoti>"


def test_unknown_characters_stay():
    assert Baseline([KOTI]).inflect(
        read_item("ŋ\N{COMBINING ACUTE ACCENT}ti", ELATIVE), "published"
    ) == ("ŋ\N{COMBINING ACUTE ACCENT}dista")


def test_right_to_left_words_are_code_points_like_others():
    train = [read_item("ספר", "N;PL", "ספרים")]
    assert Baseline(train).inflect(read_item("שיר", "N;PL"), "published") == "שירים"


def test_prefixing_words_are_read_backwards():
    train = [read_item("soma", "V;3;SG", "anasoma"), read_item("lala", "V;3;SG", "analala")]
    baseline = Baseline(train)
    assert baseline.prefixing
    assert baseline.inflect(read_item("cheka", "V;3;SG"), "published") == "anacheka"


def test_pairs_with_a_space_or_a_hyphen_do_not_affect_direction():
    koti = ("koti", "kodista")
    assert is_prefixing([("ab", "xxxxab")])
    assert not is_prefixing([("a b", "xxxxa b"), koti])
    assert not is_prefixing([("a-b", "xxxxa-b")])


def test_ties_are_broken_by_hash_or_by_order_of_training():
    train = [read_item("ka", "N", "ku"), read_item("la", "N", "lv")]
    turned = train[::-1]
    assert [Baseline(train).inflect(read_item("ma", "N"), ties) for ties in TIES] == ["mv", "mu"]
    assert [Baseline(turned).inflect(read_item("ma", "N"), ties) for ties in TIES] == ["mv", "mv"]


def test_each_member_answers_dev_and_test():
    items = [read_item("luoti", ELATIVE, "x")]
    asked = [read_item("sana", "N"), read_item("luoti", ELATIVE)]
    data = Data("finnish", "low", [KOTI], items, asked)
    runs = [Run("published"), Run("insertion")]
    expected = Answers([Answer(["luodista"])], [Answer(["sana"]), Answer(["luodista"])])
    found = FAMILIES.load("baseline").train(data, runs, {}, Session(Path()))
    assert found == dict.fromkeys(runs, expected)


words = st.text("ab_", min_size=1, max_size=6) | st.text("ab<>", min_size=1, max_size=6)
items = st.builds(read_item, words, st.sampled_from("NV"), words)


def every_rule_tried(train, asked, ties):
    """The original procedure: sets and dicts of rules, each of which is tried on the lemma."""
    turn = -1 if is_prefixing((item.source, item.target) for item in train) else 1
    tables = {}, {}
    for item in train:
        split = split_pair(item.source[::turn], item.target[::turn])
        found = [suffix_rules(split), prefix_rules(split)]
        if ties == "published":
            found = [suffix_set(found[0]), prefix_set(found[1])]
        for table, rules in zip(tables, found, strict=True):
            counts = table.setdefault(item.tags, {})
            for rule in rules if ties == "published" else without_gaps(rules):
                counts[rule] = counts.get(rule, 0) + 1
    if asked.tags not in tables[0]:
        return asked.source
    word = f"<{asked.source[::turn]}>"
    for table, merit in zip(
        tables,
        (lambda rule, count: (len(rule[0]), count, len(rule[1])), lambda rule, count: count),
        strict=True,
    ):
        counts = table[asked.tags]
        order = Python2Table(counts) if ties == "published" else counts
        if fitting := [rule for rule in order if rule[0] in word]:
            word = word.replace(*max(fitting, key=lambda rule: merit(rule, counts[rule])))
    return word.replace("<", "").replace(">", "")[::turn]


@given(st.lists(items, min_size=1, max_size=12), words, st.sampled_from(TIES))
def test_shortcuts_change_nothing(train, lemma, ties):
    expected = every_rule_tried(train, read_item(lemma, "N"), ties)
    assert Baseline(train).inflect(read_item(lemma, "N"), ties) == expected


def distance(one, other):
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, its in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (letter != its))
    return row[-1]


def read_items(path):
    return [read_item(lemma, features, form) for lemma, form, features in read_triples(path)]


def cell(mirror, language, setting, ties="published", split="test"):
    """Accuracy in percent and mean Levenshtein distance, as printed."""
    (path,) = mirror.glob(f"sigmorphon2018/task1/*/{language}-train-{setting}")
    gold = read_items(path.with_name(f"{language}-{split}"))
    baseline = Baseline(read_items(path))
    pairs = [(baseline.inflect(item, ties), item.target) for item in gold]
    accuracy = 100 * sum(form == right for form, right in pairs) / len(pairs)
    mean = sum(distance(*pair) for pair in pairs if pair[0] != pair[1]) / len(pairs)
    return f"{accuracy:.2f}", f"{mean:.2f}"


def printed(published, language, setting):
    condition = f"{setting}|{language}"
    return published[condition, "accuracy"], published[condition, "levenshtein"]


@pytest.mark.real
def test_published_figures_at_low(mirror, published):
    files = sorted(mirror.glob("sigmorphon2018/task1/*/*-train-low"))
    languages = [file.name.removesuffix("-train-low") for file in files]
    assert len(languages) >= 94
    wrong = {
        language: found
        for language in languages
        if (found := cell(mirror, language, "low")) != printed(published, language, "low")
    }
    assert wrong == {}


@pytest.mark.real
@pytest.mark.parametrize(
    ("language", "setting"),
    [
        ("sorani", "medium"),  # a literal GAP
        ("swahili", "medium"),  # prefixing
        ("swahili", "high"),
        ("basque", "high"),
        ("hungarian", "medium"),
        ("hebrew", "medium"),
    ],
)
def test_published_figures_above_low(mirror, published, language, setting):
    assert cell(mirror, language, setting) == printed(published, language, setting)


@pytest.mark.real
def test_what_waseda_printed_of_dev_at_low(mirror):
    """In every fifth language; the record of measured figures has all."""
    figures = {
        figure.condition: figure
        for figure in read_published(ROOT / "resources" / "published")
        if (figure.table, figure.system) == ("dev", "waseda-01 baseline")
    }
    files = sorted(mirror.glob("sigmorphon2018/task1/*/*-train-low"))[::5]
    assert len(files) >= 19
    for file in files:
        language = file.name.removesuffix("-train-low")
        accuracy, _ = cell(mirror, language, "low", split="dev")
        assert figures[f"low|{language}"].shows(float(accuracy) / 100), language


@pytest.mark.real
def test_tie_order_changes_the_figures(mirror):
    found = [cell(mirror, "sorani", "low", ties) for ties in TIES]
    assert found == [("19.90", "3.35"), ("19.30", "3.37")]


@pytest.mark.real
def test_prefixing_languages(mirror):
    files = mirror.glob("sigmorphon2018/task1/*/*-train-low")
    prefixing = {
        file.name.removesuffix("-train-low")
        for file in files
        if is_prefixing((lemma, form) for lemma, form, _ in read_triples(file))
    }
    assert prefixing - {"navajo", "zulu"} == {"swahili", "murrinhpatha"}
