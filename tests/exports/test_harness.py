"""Tasks of lm-evaluation-harness."""

import json

import yaml

PAIR = {"sentence_good": "a", "sentence_bad": "b"}


def read(path):
    return yaml.safe_load(path.read_text())


def test_pairs_are_a_task_for_each_phenomenon_and_a_group(lines, export):
    path = lines([{**PAIR, "type": kind} for kind in ("x", "y", "x", "y", "x")])
    out, status, _ = export(path, "lm-eval", "--licence", "MIT")
    assert status == 0
    assert read(out / "_template_yaml") == {
        "dataset_path": "json", "output_type": "multiple_choice", "test_split": "test",
        "doc_to_text": "", "target_delimiter": "", "doc_to_choice": "choices",
        "doc_to_target": 0, "num_fewshot": 0,
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
    }  # fmt: skip
    assert read(out / "_kasu_mine.yaml") == {
        "group": "kasu_mine", "task": ["kasu_mine_x", "kasu_mine_y"],
        "aggregate_metric_list": [{"metric": "acc", "weight_by_size": True}],
        "metadata": {"version": 1.0},
    }  # fmt: skip
    assert read(out / "kasu_mine_x.yaml") == {
        "include": "_template_yaml", "task": "kasu_mine_x",
        "dataset_kwargs": {"data_files": {"test": "data/kasu_mine_x.test.jsonl"}},
        "metadata": {"version": 1.0, "licence": "MIT", "rows": {"test": 3}},
    }  # fmt: skip
    assert read(out / "kasu_mine_y.yaml")["metadata"]["rows"] == {"test": 2}
    first = (out / "data/kasu_mine_x.test.jsonl").read_text().splitlines()[0]
    assert json.loads(first) == {
        "context": "", "choices": ["a", "b"], "licence": "MIT", "attribution": "mine.jsonl",
    }  # fmt: skip


def test_phenomena_are_of_the_column_named_or_none(lines, export):
    path = lines([{**PAIR, "type": "x", "level": level} for level in "abab"])
    out, _, _ = export(path, "lm-eval", "--licence", "MIT", "--by", "level")
    assert sorted(file.name for file in out.glob("k*.yaml")) == [
        "kasu_mine_a.yaml", "kasu_mine_b.yaml",
    ]  # fmt: skip
    for file in [*out.rglob("*.*"), out / "_template_yaml"]:
        if file.is_file():
            file.unlink()
    (out / "data").rmdir()
    out, _, _ = export(path, "lm-eval", "--licence", "MIT", "--by", "")
    assert [file.name for file in out.glob("*.yaml")] == ["kasu_mine.yaml"]


def test_choices_follow_their_context_the_right_one_first(build, export):
    row = {"context": ["A .", "B ."], "candidates": ["x", "y", "z"], "answer": 2}
    out, _, _ = export(build({"train": [row], "test": [row, row]}), "lm-eval")
    template = read(out / "_template_yaml")
    assert (template["doc_to_text"], template["target_delimiter"]) == ("{{context}}", " ")
    found = (out / "data/kasu_subjects.test.jsonl").read_text().splitlines()
    line = json.loads(found[0])
    assert (line["context"], line["choices"]) == ("A . B .", ["z", "x", "y"])
    assert len(found) == 2
    assert len((out / "data/kasu_subjects.train.jsonl").read_text().splitlines()) == 1


def test_matrices_of_two_variants_are_a_task_for_each(build, export):
    row = {"context": ["A ."], "candidates": ["x", "y"], "answer": 1}
    rows = [row | {"variant": variant} for variant in ("released", "paper") for _ in range(2)]
    out, _, _ = export(build({"train": rows, "test": rows}), "lm-eval")
    tasks = ["kasu_subjects_released", "kasu_subjects_paper"]
    assert read(out / "_kasu_subjects.yaml")["task"] == tasks
    assert read(out / f"{tasks[0]}.yaml")["metadata"]["rows"] == {"train": 2, "test": 2}


def test_a_split_of_one_variant_has_it_as_phenomenon_where_another_has_several(build, export):
    row = {"context": ["A ."], "candidates": ["x", "y"], "answer": 1, "variant": "paper"}
    rows = [row, row | {"variant": "released"}]
    out, _, _ = export(build({"train": [row], "test": rows}), "lm-eval")
    assert read(out / "kasu_subjects_paper.yaml")["metadata"]["rows"] == {"train": 1, "test": 1}
    assert read(out / "kasu_subjects_released.yaml")["metadata"]["rows"] == {"test": 1}


def test_a_set_is_all_its_sentences(build, export):
    row = {"masked": "[MASK] eats.", "grammatical": "b", "form_a": "x", "form_b": "y"}
    out, _, _ = export(build({"items": [row]}), "lm-eval")
    assert read(out / "_template_yaml")["test_split"] == "items"
    line = json.loads((out / "data/kasu_subjects.items.jsonl").read_text())
    assert (line["context"], line["choices"]) == ("", ["y eats.", "x eats."])


def test_splits_of_which_none_is_a_test_are_one_line(build, export):
    out, status, said = export(build({"a": [PAIR], "b": [PAIR]}), "lm-eval")
    assert (status, len(said)) == (2, 1)
    assert said[0].endswith("subjects: splits a, b; expected test; or one file")
    assert not out.exists()


def test_a_phenomenon_that_is_not_evaluated_is_one_line(build, export):
    x, y = {**PAIR, "type": "x"}, {**PAIR, "type": "y"}
    out, status, said = export(build({"train": [x, x, y, y], "test": [x, x]}), "lm-eval")
    assert (status, len(said)) == (2, 1)
    assert ": 'y' in other splits than test; expected each phenomenon in test" in said[0]
    assert not out.exists()
