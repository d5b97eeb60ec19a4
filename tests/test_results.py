"""docs/results.md names the columns that the code writes."""

import importlib
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "results.md"
ROWS = re.findall(r"^\| .* \| (.*) \| `(kasu[\w.]+)` \|$", PAGE.read_text(), re.MULTILINE)


def test_every_schema_of_the_page_is_that_of_the_code():
    assert len(ROWS) > 25
    for columns, constant in ROWS:
        module, _, name = constant.rpartition(".")
        schema = getattr(importlib.import_module(module), name)
        assert columns.split(", ") == list(getattr(schema, "names", schema)), constant
