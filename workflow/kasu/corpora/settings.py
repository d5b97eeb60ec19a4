"""The config's sections on raw material: `analysers`, `corpora`, `wikipedia`, `treebanks`."""

from typing import Annotated, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from kasu.base.errors import KasuError
from kasu.config.settings import (
    FilePath,
    LanguageCode,
    Many,
    Pattern,
    Reference,
    Section,
    Share,
    Slug,
    Some,
    check_once,
)
from kasu.corpora.wiki.template_rules import PATTERN, parse_rule


class AnalyserSettings(Section):
    """A morphological analyser: a compiled dictionary of Apertium, and what its tags mean."""

    model_config = ConfigDict(title="name, dictionary and tagset")

    name: Slug = Field(
        description="The name by which corpora refer to the analyser.", examples=["eus"]
    )
    dictionary: FilePath = Field(
        title="the path of a compiled analyser",
        description="The compiled dictionary (`.automorf.bin`) that lt-proc reads.",
        examples=["/usr/share/apertium/apertium-eu-es/eu-es.automorf.bin"],
    )
    tagset: FilePath = Field(
        title="the path of a tagset file",
        description="A YAML file that maps the tags of the dictionary to features.",
        examples=["resources/tagsets/eus.yaml"],
    )


BASQUE = AnalyserSettings(
    name="eus",
    dictionary="/usr/share/apertium/apertium-eu-es/eu-es.automorf.bin",
    tagset="resources/tagsets/eus.yaml",
)
"""The analyser of Debian's package apertium-eu-es."""
BASQUE_BOTS = {
    "year": "egutegi gregorianoaren",
    "species": r"\b(espezie|genero|familia)(a| bat) da\b",
    "municipality": r"\b(udalerria?|komuna|udal-barrutia) (bat )?da\b",
    "asteroid": r"\basteroidea? (bat )?da\b",
}
"""What articles say that bots wrote for the Basque Wikipedia."""


class TextSettings(Section):
    """A text of a corpus, and how to read it."""

    model_config = ConfigDict(title="a source, and how to read it")

    source: Reference = Field(
        description="A plain text with one item per line, or a file of JSON lines.",
        examples=["wikipedia/eu/commonvoice_wiki.eu.txt"],
    )
    fields: Many[str] = Field(
        default=(),
        title="a list of JSON fields",
        description="For JSON lines: the fields that hold the items.",
        examples=[["question", "sentence"]],
    )
    split: bool = Field(
        default=False,
        description=(
            "Whether an item may hold several sentences and must be split. Ends of lines inside "
            "it, as JSON fields have them, then end sentences, too; otherwise they are blanks."
        ),
    )
    tokenised: bool = Field(
        default=False,
        description="Whether there are blanks around punctuation that must be removed.",
    )


class CorpusSettings(Section):
    """A corpus: dumps of Wikipedia and texts of one language, read as one; or a treebank."""

    model_config = ConfigDict(title="name and language")

    name: Slug = Field(
        description="The name by which studies refer to the corpus.", examples=["basque"]
    )
    language: LanguageCode = Field(
        description="The language of all of its sources.", examples=["eu"]
    )
    analyser: Slug | None = Field(
        default=None,
        description=(
            "One of `analysers`. Agreement needs it, unless the corpus is a treebank; lemmatised "
            "twins need it."
        ),
        examples=["eus"],
    )
    wikis: Many[Reference] = Field(
        default=(),
        title="a list of dumps",
        description=(
            "Dumps of Wikipedia: each a registered name, a path or an address. `euwiki-20261101` "
            "is the dump of that date, and `euwiki-latest` the newest complete one when Kasu first "
            "needs it, pinned in `resources/downloads/euwiki-latest.lock`."
        ),
        examples=[["euwiki-latest"]],
    )
    texts: Many[TextSettings] = Field(
        default=(),
        title="a list of texts",
        description="Other texts, each with a `source`.",
        examples=[[{"source": "my/sentences.txt", "split": True}]],
    )
    treebank: Slug | None = Field(
        default=None,
        description=(
            "One of `treebanks` in place of dumps and texts. Files named `…train`, `…dev` and "
            "`…test`, if there are all three, are its splits."
        ),
        examples=["basque-bdt"],
    )
    tagset: FilePath | None = Field(
        default=None,
        title="the path of a tagset file",
        description=(
            "With `treebank`, in place of an analyser: a YAML file that says which features of UD "
            "show the number of an argument."
        ),
        examples=["resources/tagsets/ud-basque.yaml"],
    )

    @model_validator(mode="after")
    def _text_or_treebank(self) -> Self:
        where = f"config corpora {self.name}"
        if self.treebank and (self.wikis or self.texts or self.analyser):
            found = "treebank beside wikis, texts or analyser"
            raise KasuError(where, found, "a treebank alone, with a tagset")
        if self.tagset and not self.treebank:
            raise KasuError(where, "tagset without treebank", "both, or an analyser")
        return self


def _shows(text: str) -> str:
    parse_rule(text)
    return text


Shown = Annotated[str, AfterValidator(_shows), Field(title=PATTERN)]
"""What a template shows in running text."""
MARKS = "a map from a name to a regular expression"
SHOWN = "a map from a template to what it shows"


class WikipediaSettings(Section):
    """How to extract articles from a dump of Wikipedia."""

    model_config = ConfigDict(title="broken_share, bot_articles and templates")

    broken_share: Share = Field(
        default=0.01,
        description=(
            "Articles with unclosed wikitext are dropped. The run ends if their share is larger "
            "than this."
        ),
    )
    bot_articles: dict[LanguageCode, Annotated[dict[str, Pattern], Field(title=MARKS)]] = Field(
        default={"eu": BASQUE_BOTS},
        title=f"a map from a language to {MARKS}",
        description=(
            "Articles written by bots (BASQUE-1), by language of the wiki. An article is dropped "
            "if one of these regular expressions matches its title or first sentence, in upper or "
            "lower case. The names appear in the counts of dropped articles."
        ),
        examples=[{"eu": {"year": "egutegi gregorianoaren"}}],
    )
    templates: dict[LanguageCode, Annotated[dict[str, Shown | None], Field(title=SHOWN)]] = Field(
        default={},
        title=f"a map from a language to {SHOWN}",
        description=(
            "What templates show in running text, by language of the wiki and name of the "
            'template: `""` is nothing (a reference or note), `"{1} {unit|2}"` its first '
            "argument and the one named `unit` or else the second. `{2|}` may be missing, "
            '`{2|"e"}` is then `e`, `{ 2|}` brings a blank, and with `{!3}` a third argument '
            "makes the text unknown, as `null` does for any. `{1:quantity}` is a number as the "
            "language writes it. `resources/mediawiki/templates.tsv` has many; these come first. "
            "A sentence with a template whose text is unknown is dropped, or only the brackets "
            "that hold it; the log names the commonest that cost sentences."
        ),
        examples=[{"eu": {"unitatea": "{1:quantity} {2}", "oharra": ""}}],
    )


class TreebankSettings(Section):
    """A treebank of Universal Dependencies."""

    model_config = ConfigDict(title="name, language and files")

    name: Slug = Field(
        description="The name by which studies refer to the treebank.", examples=["georgian-glc"]
    )
    language: LanguageCode = Field(description="The language of the treebank.", examples=["ka"])
    files: Some[Reference] = Field(
        title="a list of registered names, paths or addresses of CoNLL-U files",
        description="Its CoNLL-U files, each once.",
        examples=[["ud/UD_Georgian-GLC/ka_glc-ud-test.conllu"]],
    )
    licence: str = Field(
        default="",
        title="a licence",
        description=(
            "The licence of files that `config/sources.tsv` does not list: items, cards and the "
            "report state it, and `licences` then holds for these files too."
        ),
        examples=["CC BY-SA 4.0"],
    )


def _named_once(treebanks: tuple[TreebankSettings, ...]) -> tuple[TreebankSettings, ...]:
    check_once((treebank.name for treebank in treebanks), "treebanks")
    return treebanks


Treebanks = Annotated[Many[TreebankSettings], AfterValidator(_named_once)]
