"""What tests of `kasu inflect` share. A module states its TRIPLES, and SMALL: settings to train."""

import pytest

from kasu.cli import main


@pytest.fixture
def paradigms(tmp_path, request):
    """A file of the module's triples."""
    path = tmp_path / "toy.tsv"
    path.write_text("".join("\t".join(triple) + "\n" for triple in request.module.TRIPLES))
    return path


@pytest.fixture
def train(request):
    """Run `kasu inflect train`; return the exit status."""

    def run(paradigms, folder, *more):
        asked = [str(paradigms), str(folder), *request.module.SMALL, *more]
        return main(["inflect", "train", "iitbhu", *asked])

    return run
