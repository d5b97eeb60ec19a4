"""Families that join the members of other families, and train nothing: a vote over systems, say.

Members answer once, whoever joins them, so a line of the grid with such a family trains nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kasu.base.errors import KasuError
from kasu.transduction.members.families import (
    Answers,
    Data,
    Family,
    Member,
    Run,
    Session,
    Submission,
)

FEWEST = 2  # families: the answers of one are no vote

Voters = Mapping[str, Sequence[Member]]
"""The members of joined families in one language, by the name of the family, in the order of
`joins`. They are of the family's default variant, sorted by seed. A family that has none is left
out."""

JoinedSubmission = Callable[[Voters, Sequence[str]], Sequence[str]]
"""A function of two or more families and of the right forms of dev. It returns a form for each test
item."""


@dataclass(frozen=True, kw_only=True, eq=False)
class JoinedFamily(Family):
    """A family whose submissions are made from the members of other families.

    `members` says how many families were joined in print, by setting.

    Attributes:
        joins: the names of the families, two or more. Each trains members.
        submissions: functions from families to forms, by the name that the paper prints.
    """

    joins: Sequence[str]
    # Unlike those of other families, they get the members of several
    submissions: Mapping[str, JoinedSubmission]  # type: ignore[assignment]

    def __post_init__(self) -> None:
        """Check that families are joined, and that no part is stated that only training has.

        Raises:
            KasuError: fewer than two families are joined, one twice, or a part is out of place.
        """
        super().__post_init__()
        if len(set(self.joins)) < max(FEWEST, len(self.joins)):
            found = f"joins: {', '.join(self.joins) or 'none'}"
            raise KasuError(self.module, found, "two families or more, each once")
        for part in ("variants", "settings", "files", "pools", "reads"):
            if getattr(self, part):
                raise KasuError(self.module, part, "none, as it trains no members")

    def train(
        self, data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
    ) -> dict[Run, Answers | KasuError]:
        """Train nothing."""
        return {}

    @property
    def all_submissions(self) -> dict[str, Submission]:
        """The submissions of the family, of which none is of a member alone."""
        return dict(self.submissions)  # type: ignore[arg-type]

    def list_members(
        self, setting: str, variants: Sequence[str] = (), count: int | None = None
    ) -> list[Run]:
        """Return no member, whatever a line of the grid asks for."""
        return []


def takes(family: Family, run: Run) -> bool:
    """Return whether a joining family takes a member of another: one of the default variant."""
    return run.variant == family.default
