"""The command `kasu`: an error of the system is one line that says something."""

import pytest

from kasu import cli


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (FileNotFoundError(2, "No such file or directory", "a.req"),
         "error: a.req: No such file or directory"),
        (OSError("the model is no model"), "error: the model is no model"),
        (OSError(), "error: OSError()"),
    ],
)  # fmt: skip
def test_an_error_of_the_system_is_one_line(monkeypatch, capsys, error, line):
    def fail(arguments: object) -> int:
        raise error

    monkeypatch.setattr("kasu.query.command.run", fail)
    assert cli.main(["query", "a.req", "b.conllu"]) == 2
    assert capsys.readouterr().err.splitlines() == [line]
