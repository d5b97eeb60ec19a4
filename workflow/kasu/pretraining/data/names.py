"""Names of systems in tables and claims, which read words and layers off them."""

import re
from typing import NamedTuple

from kasu.base.errors import KasuError

PAPER = "bl2mp2024"
"""Urbizu et al. (2024), in the published figures."""
RELEASED = "papers/bl2mp/"
"""Where the released files of BL2MP lie below the downloads."""
TWIN = "-lemma"
"""Ends the name of a lemmatised text, of a model trained on one, and of segmented pairs."""
FURTHER = "pairs "
"""Begins the name of the table of a further set of pairs; the name of the set follows."""
LAST_EPOCH = "last epoch"
"""The variant of a model's last checkpoint."""
ORDER_RULES = ("released", "both_filtered")
"""`released`: only the lengths of the original order are compared, a slip in the authors' code;
`both_filtered`: the lengths of both orders are, as that code intends (BL2MP-7). A tie is wrong
under `released`, as in that code, and counts as everywhere here under `both_filtered`."""
HUB_SYSTEMS = {
    "ixa-ehu/berteus-base-cased": "BERTeus",
    "ixa-ehu/roberta-eus-euscrawl-base-cased": "Roberta-euscrawl-B",
    "ixa-ehu/roberta-eus-euscrawl-large-cased": "Roberta-euscrawl-L",
    "orai-nlp/ElhBERTeu-medium": "ElhBERTeu-medium",
    "orai-nlp/ElhBERTeu": "ElhBERTeu-base",
    "google-bert/bert-base-multilingual-cased": "mBERT",
    "FacebookAI/xlm-roberta-base": "XLM-RoBERTa-base",
    "FacebookAI/xlm-roberta-large": "XLM-RoBERTa-large",
    "ixa-ehu/ixambert-base-cased": "IXAmBERT",
}
"""From hub identifier to name in Table 4 of the paper (BL2MP-14)."""
_UNITS = {"k": 1_000, "M": 1_000_000}
_NAME = re.compile(r"(?P<model>\w+)-[a-z]{2,3}(?P<budget>\d+[kM])(?P<twin>-lemma)?")


class Pretrained(NamedTuple):
    """The parts of the name of a model that Kasu trains: `BERT8L-eu5M-lemma`."""

    model: str
    words: int
    twin: bool

    @property
    def layers(self) -> int:
        """The number in the model's name, 0 if there is none."""
        return int(next(iter(re.findall(r"\d+", self.model)), 0))


def words_of(budget: str) -> int:
    """Return the number of words that a budget is named after: 25,000,000 for `25M`."""
    return int(budget[:-1]) * _UNITS[budget[-1]]


def name_system(layers: int, language: str, text: str) -> str:
    """Name a model trained on a text of a language, as the paper does: `BERT8L-eu5M-lemma`."""
    return f"BERT{layers}L-{language}{text}"


def parse_system(system: str) -> Pretrained | None:
    """Parse the name of a model trained on a budget; None for any other system."""
    if not (match := _NAME.fullmatch(system)):
        return None
    return Pretrained(match["model"], words_of(match["budget"]), match["twin"] is not None)


def text_of(system: str) -> str | None:
    """Return the text that a system was trained on, `5M-lemma`; None if that is no budget."""
    match = _NAME.fullmatch(system)
    return match["budget"] + (match["twin"] or "") if match else None


def parse_pretrained(system: str) -> Pretrained:
    """Parse the name of a system that must be a model trained on a budget.

    Raises:
        KasuError: it is any other system.
    """
    if (pretrained := parse_system(system)) is None:
        raise KasuError("system", repr(system), "model, language and budget, as in BERT8L-eu5M")
    return pretrained
