"""Which networks are probed, on which words (Ravfogel et al. 2018 §7.1)."""

from collections.abc import Sequence
from functools import cached_property

from kasu.agreement.data.tasks import CLOSEST_VERB, PROBED_SYSTEM, PROBES, UD_PROBES
from kasu.agreement.data.transforms import BASE
from kasu.agreement.runs import PredictionFile
from kasu.agreement.settings import ProbeSettings
from kasu.base.errors import KasuError
from kasu.results.paths import Paths
from kasu.sources.registry import Entry
from kasu.sources.workspace import Workspace

SECTION = "config agreement.probes"


class Probing:
    """The probes of the main corpus.

    Args:
        paths: the outputs of the study.
        trained: the seeds of the networks that can be probed; without any, nothing is probed.
    """

    def __init__(
        self,
        settings: ProbeSettings,
        paths: Paths,
        main_corpus: str,
        trained: Sequence[int],
        workspace: Workspace,
    ) -> None:
        self.settings, self.paths, self.main_corpus = settings, paths, main_corpus
        self.trained, self.workspace = trained, workspace

    @property
    def tables(self) -> dict[str, str]:
        """The printed tables by slug."""
        if not self.trained:
            return {}
        tables = {"table_3": CLOSEST_VERB} if self.settings.verbs else {}
        return tables | ({"section_7.1_ud_probes": UD_PROBES} if self.treebank else {})

    @property
    def seeds(self) -> Sequence[int]:
        """The seeds of the networks that are probed.

        Raises:
            KasuError: one of them is not trained.
        """
        for seed in self.settings.seeds or ():
            if seed not in self.trained:
                found = f"{seed}, of which no network of suffix prediction is trained"
                expected = ", ".join(map(str, sorted(self.trained)))
                raise KasuError(f"{SECTION}.seeds", found, f"some of {expected}")
        return self.settings.seeds or self.trained

    @property
    def runs(self) -> list[PredictionFile]:
        """The predictions of the probes.

        Raises:
            KasuError: as `seeds`.
        """
        if not self.tables or not self.seeds:
            return []
        path = self.paths("probes", system=PROBED_SYSTEM, corpus=self.main_corpus)
        return [PredictionFile(PROBES, PROBED_SYSTEM, self.main_corpus, BASE, path)]

    @cached_property
    def treebank(self) -> dict[str, Entry]:
        """The files of the treebank whose annotation is probed, by split.

        Raises:
            KasuError: a file is unknown, or its licence is not allowed.
        """
        section = f"{SECTION}.treebank"
        found = {}
        for split, file in self.settings.treebank or ():
            found[split] = self.workspace.resolve(file, section)
            if not self.workspace.allows(found[split]):
                licence = f"licence {found[split].licence or 'not stated'!r} of {file}"
                raise KasuError(section, licence, "one of `licences` in the config, or no treebank")
        return found

    @property
    def treebank_files(self) -> dict[str, str]:
        """The files of `treebank` as inputs of a job."""
        return {split: str(entry.file) for split, entry in self.treebank.items()}

    @property
    def splits(self) -> list[str]:
        """The splits of the treebank."""
        return list(self.treebank)

    @property
    def texts(self) -> dict[str, str]:
        """The texts at whose words states are saved."""
        test = {"test": self.paths("test", corpus=self.main_corpus)}
        return test | ({"treebank": self.paths("treebank")} if self.treebank else {})

    @property
    def text_names(self) -> list[str]:
        """The names of `texts`."""
        return list(self.texts)

    def counted(self, kind: str) -> dict[str, str]:
        """Return the counts or drops of the treebank, by what was counted."""
        if not self.tables or not self.treebank:
            return {}
        return {"words of the probed treebank": self.paths(f"treebank_{kind}")}

    @property
    def sources(self) -> list[Entry]:
        """The sources of the treebank."""
        return [*self.treebank.values()] if self.tables else []
