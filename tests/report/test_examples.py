"""Examples on the page: escaped, readable in any script, and who gave which answer."""

import re

import pytest

from kasu.base.errors import KasuError
from kasu.report.examples import Given, show_examples
from kasu.report.page import build_page
from kasu.results.examples import Answer, Example, Option, write_examples
from kasu.results.study import StudyReport

CHOICE = Example(
    "set:1",
    "<i>subject</i>",
    "ka",
    texts=[("", "[…] ჭამს <b>ვაშლს</b>.")],
    options=[Option("nom", "ბავშვი", True), Option("erg", "ბავშვმა", False)],
    scores={("BERT", "nom"): -12.254, ("BERT", "erg"): -13.5},
    answers=[
        Answer("BERT", "nom", "right"),
        Answer("shortest", "nom", "right"),
        Answer("<script>", "none", "wrong"),
    ],
)
FREE = Example(
    "heb 3",
    "hebrew, low",
    "heb",
    texts=[("lemma", "סוס"), ("features", "N;PL")],
    gold=[("form", "סוסים")],
    answers=[
        Answer("a", "סוס", "wrong", "form"),
        Answer("b", "סוסים", "right", "form"),
        Answer("c", "סוס", "wrong", "form"),
        Answer("d", "", "wrong", "form"),
    ],
)
MATRIX = Example(
    "type_I-0",
    "cell",
    "fr",
    texts=[(str(number), f"Phrase {number}") for number in range(1, 8)],
    options=[Option("True", "La phrase", True), Option("AE", "Les phrase", False)],
    answers=[Answer("FFNN", "AE", "wrong")],
)


@pytest.fixture
def page(tmp_path):
    def build(examples, notes=("Some of many.",)):
        path = tmp_path / "examples.tsv"
        if examples is not None:
            write_examples(path, notes, examples)
        study = StudyReport(
            name="blm", title="BLM: a question", citation="An", paper="p", printed={}, captions={},
            examples=str(path),
        )  # fmt: skip
        build_page(
            tmp_path / "index.html", studies=[study], sources=[],
            config={"summary": "A trial.", "results": str(tmp_path)}, versions={},
        )  # fmt: skip
        return (tmp_path / "index.html").read_text(encoding="utf-8")

    return build


def section(page):
    (found,) = re.findall(r'<section id="blm-examples".*?</section>', page, re.DOTALL)
    return found


def text_of(page):
    """What is read of the examples, blanks aside."""
    return " ".join(re.sub(r"<[^>]+>", " ", section(page)).split())


def test_who_chose_what_stands_beside_each_option(page):
    assert text_of(page([CHOICE])) == (
        "Examples Some of many. &lt;i&gt;subject&lt;/i&gt; ✓ right set:1 "
        "[…] ჭამს &lt;b&gt;ვაშლს&lt;/b&gt;. "
        "ბავშვი nom, the right one · BERT −12.25 ✓ right chosen by BERT, shortest "
        "ბავშვმა erg · BERT −13.50 "
        "✗ wrong none by &lt;script&gt;"
    )


def test_equal_answers_stand_together(page):
    assert text_of(page([FREE])).endswith(
        "hebrew, low ✗ wrong heb 3 lemma: סוס features: N;PL form: סוסים "
        "✗ wrong סוס by a, c ✓ right סוסים by b ✗ wrong nothing by d"
    )


def test_text_has_its_own_direction_and_language(page):
    found = section(page([FREE]))
    assert '<bdi lang="heb">סוסים</bdi>' in found
    assert found.count("<bdi") == 6


def test_a_text_without_a_language_claims_none(page):
    assert "lang" not in section(page([Example("1", "g", texts=[("", "etxea")])]))


def test_a_long_item_opens_at_a_click(page):
    assert "<details>" not in section(page([CHOICE, FREE]))
    found = section(page([MATRIX]))
    assert found.count("<details>") == 1
    assert found.count("<li><bdi") == 7  # the sentences, numbered
    assert found.index("cell") < found.index("<details>") < found.index("Phrase 1")


@pytest.mark.parametrize(("items", "more"), [(3, None), (4, "1 more"), (10, "7 more")])
def test_three_items_are_open_and_the_others_at_a_click(page, items, more):
    html = section(page([FREE] * items))
    shown, _, rest = html.partition(f"<details>\n<summary>{more}</summary>")
    assert shown.count("<strong>hebrew, low</strong>") == 3
    assert rest.count("<strong>hebrew, low</strong>") == items - 3
    assert ("<details" in html, '<ol class="examples" start="4">' in rest) == (bool(more),) * 2


def test_the_examples_come_before_the_tables(page):
    built = page([MATRIX])
    assert built.index('id="blm-heading"') < built.index('id="blm-examples"')


def test_a_study_without_an_item_says_why(page):
    found = text_of(page([], ["No example: there are no pairs."]))
    assert found == "Examples No example: there are no pairs."
    assert "<ol" not in section(page([], ["No example."]))


def test_a_page_whose_examples_are_missing_ends_in_one_line(page):
    with pytest.raises(KasuError, match=r"examples\.tsv: no such file"):
        page(None)


def test_a_hostile_language_stays_an_attribute(page):
    built = page([Example("1", "g", '"><script>', texts=[("", "x")])])
    assert "<script>" not in built


@pytest.mark.parametrize(
    ("results", "shown"),
    [
        (["right", "right"], "right"),
        (["right", "wrong"], "wrong"),
        (["tie", "tie"], "tie"),
        ([], ""),
    ],
)
def test_an_item_is_right_if_the_first_system_answers_all_of_it(tmp_path, results, shown):
    answers = [Answer("main", "x", result, f"q{at}") for at, result in enumerate(results)]
    others = [Answer("other", "x", "wrong", "q0")] if results else []
    write_examples(
        tmp_path / "e.tsv", [], [Example("1", "g", texts=[("", "x")], answers=[*answers, *others])]
    )
    (found,) = show_examples(tmp_path / "e.tsv").shown
    assert found.result == shown


def test_the_same_answer_may_be_right_to_one_question_and_wrong_to_another(tmp_path):
    answers = [Answer("a", "none", "right", "q"), Answer("a", "none", "wrong", "r")]
    example = Example("1", "g", gold=[("q", "none"), ("r", "plural")], answers=answers)
    write_examples(tmp_path / "e.tsv", [], [example])
    (found,) = show_examples(tmp_path / "e.tsv").shown
    assert [question.given for question in found.questions] == [
        [Given("none", "right", ["a"])],
        [Given("none", "wrong", ["a"])],
    ]
