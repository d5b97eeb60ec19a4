"""The examples of docs/library.md run as printed, and print what the page shows."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/library.md"
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.M | re.S)


def test_the_examples_print_what_the_page_shows(here, model):
    (here / "models").mkdir()
    (here / "models/georgian-gpt").symlink_to(model)
    examples = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(examples) == 9
    names: dict[str, object] = {}
    for code, shown in examples:
        with redirect_stdout(io.StringIO()) as printed:
            exec(code, names)
        assert printed.getvalue() == shown
    made = {path.name for path in here.iterdir()} - {"resources", "models"}
    assert made == {"dative", "dative.hub", "harmonic"}
