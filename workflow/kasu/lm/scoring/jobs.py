"""Score a file of items with a model: by which definitions, and into which files."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kasu.base.paths import expect_no_input, expect_output
from kasu.files.locks import held
from kasu.job.code import code_hash
from kasu.lm import CAUSAL, MASKED
from kasu.lm.models.definitions import DEFINITIONS, WORD
from kasu.lm.models.folders import kind_of
from kasu.lm.scoring.items import has_masks

if TYPE_CHECKING:
    import pyarrow as pa

    from kasu.lm.scoring.score import Scoring

TOKENS_PER_BATCH = 2048
DEFAULTS = {MASKED: "pll_original", CAUSAL: "causal", WORD: "word_paper_ideal"}
"""The definition for whole sentences, by the kind of model, and the one for forms."""
_OTHER = "an --out of its own"
_REMEDY = "; name a --definition"


@dataclass(frozen=True)
class Job:
    """A model, the items to score with it, and the files to write."""

    model: Path
    items: Path
    out: Path
    scoring: "Scoring"

    @property
    def drops(self) -> Path:
        """The counts of items left out."""
        return self._beside(".drops.tsv")

    @property
    def work(self) -> Path:
        """The folder of the resume state."""
        return self._beside(".work")

    def _beside(self, ending: str) -> Path:
        return Path(str(self.out).removesuffix(".parquet") + ending)

    def check(self, *inputs: str | Path) -> None:
        """Check what is to be written before hours of scoring.

        Args:
            inputs: what is read besides model and items.

        Raises:
            KasuError: an output is a folder or an input, or the resume state is none of Kasu's.
        """
        from kasu.neural.resume import expect_states

        read = (self.items, self.model, *inputs)
        for file in (self.out, self.drops):
            expect_output(file, *read)
        expect_no_input(self.work, *read, emptied=True)
        expect_states(self.work)

    def run(self) -> "pa.Table":
        """Write scores and drops; return the scores.

        Raises:
            KasuError: as `kasu.lm.scoring.score.score_file`, or another run writes them.
        """
        # torch takes seconds to import
        from kasu.lm.scoring.score import score_file

        with ExitStack() as stack:
            for file in (self.out, self.drops):
                stack.enter_context(held(file, expected=_OTHER))
            return score_file(
                self.model, self.items, self.out, self.drops, self.work, self.scoring,
                code=code_hash(__file__),
            )  # fmt: skip


def plan_job(
    model: Path,
    items: Path,
    out: Path,
    definitions: Sequence[str] | None = None,
    *,
    of_several: bool = False,
    **scoring: Any,
) -> Job:
    """Plan the scoring of items with a model.

    Args:
        definitions: by default the one of DEFAULTS.
        of_several: leave out the definitions for models of another kind, unless all are.
        scoring: see `kasu.lm.scoring.score.Scoring`.

    Raises:
        KasuError: no definition is named and the kind of model is unknown, the items cannot be
            read, or as `Scoring`.
        UnicodeEncodeError: the name of `out` is not UTF-8.
    """
    from kasu.lm.scoring.score import Scoring

    if not definitions:
        forms, kind = has_masks(items), kind_of(model, _REMEDY)
        definitions = [DEFAULTS[WORD if forms and kind == MASKED else kind]]
    elif of_several and (of_kind := [
        each for each in definitions if DEFINITIONS[each].kind == kind_of(model, _REMEDY)
    ]):  # fmt: skip
        definitions = of_kind
    str(out).encode()  # an error if it is not UTF-8, which its writer finds after all scoring
    return Job(model, items, out, Scoring(definitions=definitions, **scoring))
