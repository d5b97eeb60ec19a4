"""The processor of a measurement."""

import platform

import torch

from kasu.records.provenance import processor


def test_a_processor_is_a_model_and_its_instructions(tmp_path):
    facts = tmp_path / "cpuinfo"
    facts.write_text("processor\t: 0\nmodel name\t: EPYC 9\nprocessor\t: 1\nmodel name\t: B\n")
    instructions = torch.backends.cpu.get_cpu_capability()
    assert processor(facts).split(", ")[:2] == ["EPYC 9", instructions]
    assert processor(tmp_path / "none").split(", ")[:2] == [platform.machine(), instructions]
