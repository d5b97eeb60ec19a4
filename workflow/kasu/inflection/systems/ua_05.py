"""ua-05: a vote of ua-01 to ua-04, each with the weight of its accuracy on dev.

Source: Najafi et al. (2018) §2.5. Ties, which the paper does not mention, go to the form of the
most accurate of the tied systems.
"""

from collections.abc import Sequence

from kasu.transduction.members.families import alone
from kasu.transduction.members.joined import JoinedFamily, Voters
from kasu.transduction.voting import weighted


def elect(voters: Voters, dev: Sequence[str]) -> list[str]:
    """Let the first member of each system vote."""
    members = [first for first, *_ in voters.values()]
    forms = [alone([member]) for member in members]
    return weighted(forms, [member.dev_accuracy or 0 for member in members])


FAMILY = JoinedFamily(
    __name__,
    members={"low": 4},
    joins=("ua_01", "ua_02", "ua_03", "ua_04"),
    submissions={"ua-05": elect},
)
