"""Tables for LaTeX, and exactly the sources that were used."""

import re

import pytest

from kasu.lm.models.definitions import DEFINITIONS
from kasu.lm.scoring.accuracy import Accuracy
from kasu.lm.scoring.compare import Comparison, System
from kasu.lm.scoring.publish import SOURCES, bibtex, escape, latex

A, B = System("bert_1", "pll_original"), System("gpt", "causal")


def accuracy(group, share):
    return Accuracy("", group, 10, {}, 0, 0, share, share - 0.1, share + 0.1)


def comparison(**changes):
    found = Comparison(A, B, None, 10, 0.8, 0.6, 0.2, -0.05, 0.45, 3, 1, "mcnemar", 0.25, 0.0001)
    return found._replace(**changes)


def test_the_tables():
    rows = {A: [accuracy(None, 0.8), accuracy("a&b", 0.7)], B: [accuracy(None, 0.6)]}
    assert (
        latex(rows, [comparison(), comparison(group="a&b")])
        == r"""% \usepackage{booktabs}
\begin{tabular}{lrr}
\toprule
Items & bert\_1, pll\_original & gpt, causal \\
\midrule
all & 80.0 (70.0--90.0) & 60.0 (50.0--70.0) \\
a\&b & 70.0 (60.0--80.0) & -- \\
\bottomrule
\end{tabular}

\begin{tabular}{llrrrr}
\toprule
A & B & Items & A $-$ B & $p$ & $p$ (Holm) \\
\midrule
bert\_1, pll\_original & gpt, causal & 10 & $+20.0$ ($-5.0$ to $+45.0$) & 0.250 & $<0.001$ \\
\bottomrule
\end{tabular}
"""
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("100 % of $x_1", r"100 \% of \$x\_1"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("a~b^c#d", r"a\textasciitilde{}b\textasciicircum{}c\#d"),
        ("a\nb", r"a\textbackslash{}nb"),
    ],
)
def test_data_are_no_commands(text, shown):
    assert escape(text) == shown


def keys(*definitions, comparisons=()):
    systems = [System("m", definition) for definition in definitions]
    return re.findall(r"^@\w+\{([^,]+),", bibtex(systems, comparisons), re.MULTILINE)


def test_exactly_the_sources_that_were_used():
    assert keys("causal") == ["kasu", "wilson-1927-probable"]
    assert keys("pll_original", "causal (untrained)", comparisons=[comparison()]) == [
        "kasu", "salazar-etal-2020-masked", "wilson-1927-probable", "mcnemar-1947-note",
        "holm-1979-simple",
    ]  # fmt: skip
    by_permutation = [comparison(test="permutation")]
    assert keys("pll_within_word_l2r (untrained)", comparisons=by_permutation) == [
        "kasu", "kauf-ivanova-2023-better", "wilson-1927-probable", "holm-1979-simple",
    ]  # fmt: skip
    assert keys("word_released") == [
        "kasu", "gallagher-heyer-2026-targeted", "wilson-1927-probable",
    ]  # fmt: skip


def test_every_definition_but_the_plain_one_has_a_source():
    assert {name for name in DEFINITIONS if len(keys(name)) == 2} == {"causal"}


def test_entries_are_well_formed():
    entries = SOURCES.read_text().strip().split("\n\n")
    for entry in entries:
        assert entry.count("{") == entry.count("}")
        assert len(re.findall(r"^  keywords\s+= \{[\w, ]+\}$", entry, re.MULTILINE)) == 1
    assert bibtex([System("m", "causal")], []).count("keywords") == 0


def test_covariates_cite_what_fits_them():
    keys = re.findall(r"^@\w+\{([^,]+),", bibtex([], [], covariates=True), re.MULTILINE)
    assert {"seabold-perktold-2010-statsmodels", "liang-zeger-1986-longitudinal"} <= {*keys}
    assert "statsmodels" not in bibtex([], [])
