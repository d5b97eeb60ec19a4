"""ua-01 (Najafi et al. 2018 §2.1): the baseline, with guesses that stay reversed where it prefixes.

Where affixes are mostly prefixes, the baseline reads words backwards. Its first release did not
turn its guesses back. The paper says that this was repaired; the published figures of Swahili and
Murrinhpatha, accuracy and Levenshtein distance, say that it was not.
"""

from collections.abc import Mapping, Sequence

from kasu.inflection.systems.baseline import Baseline
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session, alone
from kasu.transduction.members.learning import ModelFamily, Rules


def learn(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Rules]:
    """Learn the baseline's rules; leave forms of prefixing languages reversed."""
    baseline = Baseline(data.train)

    def inflect(item: Item) -> str:
        form = baseline.inflect(item, "published")
        return form[::-1] if baseline.prefixing else form

    return dict.fromkeys(members, Rules(inflect))


FAMILY = ModelFamily(
    __name__,
    members={"low": None},
    submissions={"ua-01": alone},
    learnt_by=learn,
)
