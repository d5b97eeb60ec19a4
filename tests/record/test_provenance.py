"""The commit and the processor of a measurement."""

import platform
import re

import torch

from kasu.record.provenance import commit, processor


def test_a_commit_is_hexadecimal_with_a_plus_if_the_tree_differs():
    # Empty in a copy without a repository
    assert re.fullmatch(r"([0-9a-f]{7,40}\+?)?", commit())


def test_a_processor_is_a_model_and_its_instructions(tmp_path):
    facts = tmp_path / "cpuinfo"
    facts.write_text("processor\t: 0\nmodel name\t: EPYC 9\nprocessor\t: 1\nmodel name\t: B\n")
    instructions = torch.backends.cpu.get_cpu_capability()
    assert processor(facts).split(", ")[:2] == ["EPYC 9", instructions]
    assert processor(tmp_path / "none").split(", ")[:2] == [platform.machine(), instructions]
