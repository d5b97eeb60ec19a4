"""The printed figures, and a toy language."""

from pathlib import Path
from typing import ClassVar

import pytest

from kasu.files.tables import write_parquet
from kasu.inflection.data.triples import TRIPLES, Triple
from kasu.inflection.evaluation.printed import Printed, read_printed

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"


@pytest.fixture(scope="session")
def printed() -> Printed:
    """The figures that the paper prints."""
    return read_printed(PUBLISHED)


class Toy:
    """A language of two training and four test items."""

    train: ClassVar = [Triple("ume", "umea", "N;SG"), Triple("ume", "umeak", "N;PL")]
    test: ClassVar = [
        Triple("kasu", "kasua", "N;SG"),
        Triple("kasu", "kasuak", "N;PL"),
        Triple("mutil", "mutil", "N;INDF"),
        Triple("etxe", "etxeak", "N;PL"),
    ]

    @staticmethod
    def write(path: Path, triples: list[Triple]) -> Path:
        """Write triples as a split of a dataset."""
        write_parquet(path, [triple._asdict() for triple in triples], TRIPLES)
        return path


@pytest.fixture(scope="session")
def toy() -> type[Toy]:
    """The toy language."""
    return Toy
