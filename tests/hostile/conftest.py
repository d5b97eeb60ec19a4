"""How a bad or hostile input ends: in one clear line, as a counted drop, or accepted as stated."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kasu.base.errors import KasuError


@pytest.fixture
def line(tmp_path: Path) -> Callable[..., str]:
    """Run a function that must fail; return its line, with DIR for the folder of the test."""

    def run(function: Callable[..., object], *arguments: object, **options: object) -> str:
        with pytest.raises(KasuError) as error:
            function(*arguments, **options)
        found = str(error.value).replace(str(tmp_path), "DIR")
        assert "\n" not in found
        return found

    return run
