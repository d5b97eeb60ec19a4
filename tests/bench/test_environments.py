"""Environments of peers."""

import subprocess

import environments


def test_a_peer_that_cannot_be_installed_is_one_line(tmp_path, monkeypatch, capfd):
    def run(command, **_):
        failed = "pip" in command
        said = "WARNING: no\nERROR: No matching distribution found for peer==1\n" if failed else ""
        return subprocess.CompletedProcess(command, int(failed), stderr=said)

    monkeypatch.setattr(environments, "ENVIRONMENTS", tmp_path)
    monkeypatch.setattr(environments.subprocess, "run", run)
    assert environments.ask("peer.py", {}, "peer==1") is None
    line = "error: peer==1: not installed (ERROR: No matching distribution found for peer==1)\n"
    assert capfd.readouterr().err == line
