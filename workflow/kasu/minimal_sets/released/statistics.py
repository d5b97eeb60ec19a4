"""Counts from the `stats.xml` of the paper's treebank: sections 3 and 4 (GEO-1)."""

from collections import Counter
from pathlib import Path

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from kasu.base.errors import KasuError
from kasu.minimal_sets.data.paper import CASES, PAPER, STUDY
from kasu.results.scores import Score

TREEBANK = "UD_Georgian-GLC"


def count_cases(path: str | Path, treebank: str = TREEBANK) -> list[Score]:
    """Count words by case, and sentences.

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
    rows = [
        Score(STUDY, PAPER, "section 3", treebank, case, "tokens_with_case", words[case])
        for case in map(str.capitalize, CASES)
    ]
    note = "of all files; the paper counts those of Wikipedia alone"
    total = Score(STUDY, PAPER, "section 4", treebank, "all", "sentences", sentences, note=note)
    return [*rows, total]
