"""The plan of the ladder: published outputs by item, and the members of ours beside them."""

from collections.abc import Sequence
from functools import cached_property
from itertools import product

from kasu.base.errors import KasuError
from kasu.config.settings import check_once
from kasu.inflection.ladder.settings import LadderSettings
from kasu.sources.registry import Entry
from kasu.sources.workspace import Workspace
from kasu.transduction.task.grid import Grid

WHERE = "config inflection.ladder"
UNRELATED = "baseline"  # a family that shares nothing but the data with the others


class Ladder:
    """The ladder of a config, whose sources and languages are resolved on first use."""

    def __init__(self, settings: LadderSettings, grid: Grid, workspace: Workspace) -> None:
        self.settings, self.grid, self.workspace = settings, grid, workspace

    @cached_property
    def languages(self) -> list[str]:
        """The ladder's languages that this run has in its setting.

        Raises:
            KasuError: a language is unknown, or a panel.
        """
        names = self.grid.select(list(self.settings.languages), f"{WHERE}.languages")
        for name in self.settings.languages:
            if name in self.grid.panels:
                raise KasuError(f"{WHERE}.languages", f"panel {name!r}", "languages")
        known = self.grid.datasets.languages
        return [name for name in names if self.settings.setting in known[name].settings]

    @cached_property
    def _outputs(self) -> list[tuple[dict[str, str | int | None], Entry]]:
        workspace, found = self.workspace, []
        for number, output in enumerate(self.settings.outputs):
            section = f"{WHERE}.outputs[{number}].source"
            for language, seed in product(self.languages, output.seeds or [None]):
                place = {"language": self.settings.languages[language], "seed": seed}
                entry = workspace.resolve(output.source.format(**place), section)
                row = {"system": output.system, "variant": output.variant, "seed": seed}
                found.append((row | {"language": language, "path": str(entry.file)}, entry))
        return [(row, entry) for row, entry in found if workspace.allows(entry)]

    @property
    def published(self) -> list[dict[str, str | int | None]]:
        """The published files that `licences` admit: system, variant, seed, language, path.

        Raises:
            KasuError: a source or language is unknown.
        """
        return [row for row, _ in self._outputs]

    @property
    def output_files(self) -> list[str]:
        """The paths of the published files."""
        return [str(row["path"]) for row in self.published]

    @property
    def sources(self) -> list[Entry]:
        """The sources of the published files."""
        return [entry for _, entry in self._outputs]

    @cached_property
    def variants(self) -> dict[str, list[str | None]]:
        """The variants that are compared, by family.

        Raises:
            KasuError: the family or a variant is unknown, or two votes are of one variant.
        """
        name = self.settings.family
        families = self.grid.systems
        if name not in families.names:
            raise KasuError(f"{WHERE}.family", f"no system {name!r}", ", ".join(families.names))
        family = families.load(name)
        outputs = self.settings.outputs
        named = (each.variant for each in outputs if each.variant)
        wanted = dict.fromkeys([*self.settings.order, *named])
        for variant in wanted:
            family.check_variant(variant, WHERE)
        votes = (each.variant for each in outputs if each.variant and not each.seeds)
        check_once(votes, "inflection.ladder.outputs: variants of votes")
        check_once((each.system for each in outputs), "inflection.ladder.outputs")
        return {UNRELATED: [families.load(UNRELATED).default], name: [*wanted]}

    def jobs(self, family: str) -> Sequence[tuple[int, int]]:
        """List the jobs that train members of the ladder."""
        setting = self.settings.setting
        if not self.grid.members(family, setting):
            return []
        return [
            job
            for job, planned in self.grid.jobs(family, setting).items()
            if any(
                run.variant in self.variants[family]
                for name in self.languages
                for run in planned.get(name, ())
            )
        ]
