"""ua-08: the n-best lists of ua-06 and ua-07, interpolated.

How much each list counts is chosen on dev, from 0 to 1 in steps of 0.05; of equals, ua-06 counts as
much as it can. Where ua-06 has no scores, as it had no text to read, ua-07 answers: so do the
published figures, though the paper says that ua-03 took the place of ua-06.

Source: Najafi et al. (2018) §3.4.
"""

from collections.abc import Sequence

from kasu.transduction.items import Answer
from kasu.transduction.members.families import Member, alone
from kasu.transduction.members.joined import JoinedFamily, Voters
from kasu.transduction.voting import interpolate

STEPS = 20


def mix(voters: Voters, dev: Sequence[str]) -> list[str]:
    """Interpolate the first member of each system."""
    (one, *_), (other, *_) = voters["ua_06"], voters["ua_07"]
    if not (has_scores(one) and has_scores(other)):
        return alone([other])

    def right(step: int) -> int:
        forms = interpolated(one.dev, other.dev, step)
        return sum(form == gold for form, gold in zip(forms, dev, strict=True))

    step = max(range(STEPS + 1), key=lambda step: (right(step), step))
    return interpolated(one.test, other.test, step)


def interpolated(one: Sequence[Answer], other: Sequence[Answer], step: int) -> list[str]:
    """Return the best form of each item, with a share for the first lists."""
    pairs = zip(one, other, strict=True)
    return [interpolate(*pair, step / STEPS).forms[0] for pair in pairs]


def has_scores(member: Member) -> bool:
    """Return whether a member has scores for its forms."""
    return all(answer.scores for answer in (*member.dev, *member.test))


FAMILY = JoinedFamily(
    __name__,
    members={"low": 2},
    joins=("ua_06", "ua_07"),
    submissions={"ua-08": mix},
)
