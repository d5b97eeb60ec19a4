"""What the treebank itself counts in its `stats.xml`: sections 3 and 4 of the paper (GEO-1)."""

from collections import Counter
from pathlib import Path

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from kasu.base.errors import KasuError
from kasu.minimal_sets.released.paper import CASES

TREEBANK = "UD_Georgian-GLC"


def count_cases(path: str | Path, treebank: str = TREEBANK) -> list[dict]:
    """Table, system, condition, metric, value and note of SCORES: words by case, and sentences.

    Words of all parts of speech and all files of the treebank count.

    Args:
        path: `stats.xml` as every Universal Dependencies treebank has it.

    Raises:
        KasuError: the file is no such XML, or its counts are no numbers.
    """
    try:
        root = fromstring(Path(path).read_bytes())
        sentences = int(root.findtext("size/total/sentences", ""))
        words = Counter()
        for found in root.iter("feat"):
            if found.get("name") == "Case":
                words[found.get("value", "")] += int(found.text or "")
    except (ParseError, DefusedXmlException, OSError, ValueError) as error:
        found = str(error).splitlines()[0]
        raise KasuError(path, found, "stats.xml of a UD treebank") from error
    named = {"system": treebank, "metric": "tokens_with_case", "table": "section 3"}
    rows = [
        named | {"condition": case, "value": words[case]} for case in map(str.capitalize, CASES)
    ]
    note = "of all files; the paper counts those of Wikipedia alone"
    total = {"condition": "all", "metric": "sentences", "value": sentences, "note": note}
    return [*rows, named | {"table": "section 4"} | total]
