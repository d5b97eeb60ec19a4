"""Sets whose request names what the treebanks lack: logged, counted, or the reason of an error."""

import logging
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv

SUBJECTS = "pattern { V [upos=VERB]; S [upos=NOUN]; V -[nsubj]-> S }"
VAIN = "names and values of the request that occur nowhere"


def counts(folder: Path) -> dict[str, str]:
    return {row["step"]: row["count"] for row in read_tsv(folder / "counts.tsv")}


@pytest.mark.parametrize(
    ("more", "notes"),
    [
        ("without { S [Cas=Gen] }", ["no word has feature Cas"]),
        ("without { S -[dett]-> D; D [Definite=Def] }",
         ["no word has label dett", "no word has feature Definite"]),
        ("pattern { V -[1=nsubj, !deep]-> S }", ["no label has the part deep"]),
        ("without { meta.source = x }", ["no sentence has the comment source"]),
        ("", []),
    ],
)  # fmt: skip
def test_names_in_vain_are_logged_and_counted(build, caplog, more, notes):
    folder = build(SUBJECTS + more)
    assert warnings(caplog) == [f"toy: {note}" for note in notes]
    assert counts(folder).get(VAIN) == (str(len(notes)) if notes else None)
    assert counts(folder)["items"] == "3"


def without_heads(treebank: Path, *sentences: str) -> None:
    """Delete the heads of sentences."""
    blocks = treebank.read_text(encoding="utf-8").split("\n\n")
    for at, block in enumerate(blocks):
        if any(f"sent_id = {name}\n" in block for name in sentences):
            lines = (line.split("\t") for line in block.split("\n"))
            bare = ([*c[:6], "_", "_", *c[8:]] if len(c) > 1 else c for c in lines)
            blocks[at] = "\n".join(map("\t".join, bare))
    treebank.write_text("\n\n".join(blocks), encoding="utf-8")


def test_sentences_that_nobody_has_parsed_are_counted(build, treebank):
    without_heads(treebank, "eats", "loves")
    found = counts(build(SUBJECTS))
    assert found["sentences with words without a head"] == "2"
    assert found["items"] == "1"


def test_a_treebank_without_heads_is_one_line(build, treebank, caplog):
    without_heads(treebank, "ate", "eats", "loves")
    assert counts(build(SUBJECTS))["items"] == "0"
    (line,) = warnings(caplog)
    assert line == f"toy: no item: no match of {SUBJECTS} in {treebank}; no word has a head"


def warnings(caplog) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]


def test_a_set_without_items_is_written_and_said(build, caplog):
    folder = build("pattern { V [upos=VERB]; S [Case=Abs]; V -> S }")
    assert counts(folder) == {
        "sentences": "3", "sentences with a match": "0", "matches": "0", VAIN: "1", "items": "0",
    }  # fmt: skip
    (line,) = warnings(caplog)
    assert line.startswith("toy: no item: no match of pattern { V [upos=VERB]; S [Case=Abs]; V")
    assert line.endswith("; no word has Case=Abs")
    assert read_parquet(folder / "items.parquet", ["form_erg"]).num_rows == 0


@pytest.mark.parametrize("label", ["E:nsubj", "1=nsubj, enhanced=yes", "nsubj|E:nsubj"])
def test_enhanced_edges_are_refused_as_in_queries(build, label):
    with pytest.raises(KasuError, match="edges are those of the basic tree"):
        build(f"pattern {{ V [upos=VERB]; S [upos=NOUN]; V -[{label}]-> S }}")


@pytest.mark.parametrize("label", ["subj", "arg"])
def test_agreement_needs_the_relations_of_ud(build, treebank, label):
    text = treebank.read_text(encoding="utf-8").replace("Tense=", "Number=Sing|Tense=")
    agreement = {"Erg": "Number", "Nom": "Number"}
    request = "pattern { V [upos=VERB]; S [Case=Erg]; V -[%s]-> S }"
    treebank.write_text(text, encoding="utf-8")
    folder = build(request % "nsubj", agreement=agreement)
    assert counts(folder)["matches"] == "1"
    other = text.replace("\tnsubj\t", f"\t{label}\t").replace("\tobj\t", "\tcomp:obj\t")
    treebank.write_text(other, encoding="utf-8")
    build(request % label)
    expected = (
        r"agreement: no word of \S+ is nsubj or obj or iobj; expected a treebank with the rel"
    )
    with pytest.raises(KasuError, match=expected):
        build(request % label, agreement=agreement)
