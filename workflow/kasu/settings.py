"""The config as a whole: what stands at its top, and a section for each part of Kasu."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from kasu.agreement.settings import AgreementSettings
from kasu.blm.settings import BlmSettings
from kasu.cloze.settings import ClozeSettings
from kasu.config.settings import Contact, FolderPath, Many, Section, Seed, SomeDistinct
from kasu.corpora.settings import (
    BASQUE,
    AnalyserSettings,
    CorpusSettings,
    Treebanks,
    WikipediaSettings,
)
from kasu.inflection.settings import InflectionSettings
from kasu.lm.settings import Models, ScoringSettings
from kasu.minimal_sets.settings import MinimalSetsSettings
from kasu.pretraining.settings import PretrainingSettings

STUDIES = ("agreement", "inflection", "cloze", "blm", "pretraining", "minimal_sets")
"""The sections that are studies, in the order of the report."""


def empty_studies(config: Mapping[str, object]) -> list[str]:
    """Return a line for each study whose section a config states and leaves empty, as `blm:`."""
    return [
        f"config {name}: empty, so this study does not run; {name}: {{}} runs it with the defaults"
        for name in STUDIES
        if name in config and config[name] is None
    ]


class Settings(Section):
    """Every key of the config. A study runs if its section is stated, be it empty (`blm: {}`)."""

    summary: str = Field(
        default="",
        title="a sentence on the run",
        description="What the report says about the run.",
        examples=["My run on news text."],
    )
    results: FolderPath = Field(
        # Snakemake reads braces as wildcards
        pattern=r"^[^{}$\x00-\x1f]*[^{}$\x00-\x1f/.][^{}$\x00-\x1f]*$",
        title="a folder for all outputs, without braces and $",
        description=(
            "The folder of all outputs. Runs with different settings need different folders. It "
            "is none that a run reads, such as one of Kasu's own, of a model or of a mirror."
        ),
        examples=["results/mine"],
    )
    mirror: FolderPath | Many[Annotated[FolderPath, Field(min_length=1, title="a folder")]] = Field(
        default=(),
        title="a folder, or a list of folders",
        description=(
            "Folders that hold files of `config/sources.tsv` under their paths. They are searched "
            "before the network is asked. A folder that is missing stops a run only when something "
            "is to be fetched that no other one holds."
        ),
        examples=["/data/mirror"],
    )
    contact: Contact = Field(
        default="",
        description=(
            "How publishers can reach you. Downloads send it in their User-Agent after the name "
            "and version of Kasu. Wikimedia asks for it, and may block programs that give none."
        ),
        examples=["name@university.example"],
    )
    device: Literal["auto", "cpu", "cuda"] = Field(
        default="auto", description="Where networks run; `auto` takes a GPU if there is one."
    )
    seeds: SomeDistinct[Seed] = Field(
        default=(1,),
        title="a list of whole numbers, each once",
        description=(
            "Networks are trained once per seed. The first seed also draws target verbs, splits "
            "and bootstrap samples."
        ),
        examples=[[1, 2, 3]],
    )
    licences: Many[str] = Field(
        default=(),
        title="a list of licences",
        description=(
            "Use only sources all of whose licences are in this list, in any version. An empty "
            "list allows all."
        ),
        examples=[["CC0", "CC BY-SA"]],
    )
    analysers: Many[AnalyserSettings] = Field(
        default=(BASQUE,),
        title="a list of analysers",
        description="Morphological analysers by name.",
    )
    corpora: Many[CorpusSettings] = Field(
        default=(), title="a list of corpora", description="Corpora by name."
    )
    wikipedia: WikipediaSettings = Field(
        default=WikipediaSettings(), description="How articles are taken from dumps of Wikipedia."
    )
    agreement: AgreementSettings | None = Field(
        default=None,
        description="Ravfogel, Goldberg & Tyers (2018): verb number and suffixes in Basque.",
    )
    inflection: InflectionSettings | None = Field(
        default=None,
        description="CoNLL-SIGMORPHON 2018 task 1 (Cotterell et al. 2018): inflection.",
    )
    cloze: ClozeSettings | None = Field(
        default=None,
        description="CoNLL-SIGMORPHON 2018 task 2 (Cotterell et al. 2018): inflection in context.",
    )
    models: Models = Field(
        default=(),
        title="a list of models",
        description="Language models by name: folders, of the Hugging Face hub, or trained here.",
    )
    scoring: ScoringSettings = Field(
        default=ScoringSettings(), description="How language models score sentences."
    )
    treebanks: Treebanks = Field(
        default=(),
        title="a list of treebanks",
        description="Treebanks of Universal Dependencies by name.",
    )
    minimal_sets: MinimalSetsSettings | None = Field(
        default=None,
        description="Gallagher & Heyer (2026): minimal sets of case, and of any other feature.",
    )
    pretraining: PretrainingSettings | None = Field(
        default=None,
        description="Urbizu et al. (2024), BL2MP: BERT on growing text, and minimal pairs.",
    )
    blm: BlmSettings | None = Field(
        default=None, description="An et al. (2023), BLM-AgrF: matrices of sentences."
    )

    @property
    def studies(self) -> list[str]:
        """The studies of the config, in the order of the report."""
        return [name for name in STUDIES if getattr(self, name) is not None]
