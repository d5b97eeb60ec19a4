"""Counts from the `stats.xml` of the paper's treebank: sections 3 and 4 (GEO-1)."""

from collections import Counter
from pathlib import Path

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from kasu.base.errors import KasuError
from kasu.minimal_sets.data.paper import CASES

TREEBANK = "UD_Georgian-GLC"


def count_cases(path: str | Path, treebank: str = TREEBANK) -> list[dict]:
    """Return words by case and sentences: table, system, condition, metric, value, note of SCORES.

    Words of every part of speech and of every file of the treebank count.

    Args:
        path: the `stats.xml` of a Universal Dependencies treebank.

    Raises:
        KasuError: the file is not such XML, or a count is not a number.
    """
    try:
        root = fromstring(Path(path).read_bytes())
        sentences = int(root.findtext("size/total/sentences", ""))
        words: Counter[str] = Counter()
        for feature in root.iter("feat"):
            if feature.get("name") == "Case":
                words[feature.get("value", "")] += int(feature.text or "")
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
