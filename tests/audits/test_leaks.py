"""Items that stand in a text or among training items, and who is right without them."""

from kasu.audits.audit import Beside, audit_benchmark
from kasu.audits.data.findings import LEAK
from kasu.audits.data.items import read_benchmark
from kasu.results.statistics import wilson


def leaks(path, **beside):
    audit = audit_benchmark(read_benchmark(path), Beside(**beside))
    return {each.name: each for each in audit.findings if each.check == LEAK}


def pair(good, bad, **more):
    return {"sentence_good": good, "sentence_bad": bad, **more}


ITEMS = [pair("ab Ana da.", "b Ana da."), pair("ab zu zara.", "b zu zara."), pair("x.", "xyz.")]


def test_a_text(benchmark, tmp_path):
    (tmp_path / "t.txt").write_text("Bai. ab Jon da. Ez.\nab zu zara.\nb zu zara.\n")
    found = leaks(benchmark(ITEMS), text=tmp_path / "t.txt", scratch=tmp_path / "s")
    verbatim, near = (
        found["option in the text"], found["option in the text, near copy"],
    )  # fmt: skip
    assert (verbatim.found, [each.item for each in verbatim.examples]) == (1, ["2"])
    assert (near.found, [each.item for each in near.examples]) == (1, ["1"])
    assert verbatim.flaw and near.flaw
    # The best null is right in item 2; it cannot tell the halves of one of the others apart
    assert verbatim.says == "more frequent words: 100.0 on them"
    rest = found["more frequent words, without option in the text"]
    assert (rest.items, rest.share, (rest.low, rest.high)) == (2, 0.75, wilson(1.5, 2))


def test_training_items(benchmark):
    training = benchmark(
        [pair("ab Jon da.", "b Jon da."), pair("b zu zara.", "ab zu zara."), pair("x.", "q.")],
        "train.jsonl",
    )
    found = leaks(benchmark(ITEMS), training=training)
    examples = {
        name: [each.item for each in leak.examples]
        for name, leak in found.items()
        if leak.found is not None
    }
    assert examples == {
        "same options in training": ["2"],  # whichever is right there
        "same options in training, near copy": ["1"],
        "right option in training": ["3"],
        "right option in training, near copy": ["1"],
    }


def test_all_of_a_set_may_leak(benchmark):
    found = leaks(benchmark(ITEMS), training=benchmark(ITEMS, "train.jsonl"))
    assert found["same options in training"].share == 1.0
    assert found["same options in training"].says == ("most often right in training: 100.0 on them")
    assert not any("without same" in name for name in found)  # no item is left


def test_candidates_of_a_training_matrix(benchmark):
    row = {"context": ["a"], "candidates": ["b", "c", "d"], "label": 0}
    training = row | {"context": ["z"], "candidates": ["d", "b", "c"], "label": 1}
    other = row | {"candidates": ["b", "c", "e"]}
    items = benchmark([row, other])
    found = leaks(items, training=benchmark([training], "train.jsonl"))
    assert [each.item for each in found["same options in training"].examples] == ["1"]


def test_nothing_leaks(benchmark, tmp_path):
    (tmp_path / "t.txt").write_text("Bai.\n")
    found = leaks(benchmark(ITEMS), text=tmp_path / "t.txt", scratch=tmp_path / "s")
    assert {(each.found, each.says, each.flaw) for each in found.values()} == {(0, "", False)}
