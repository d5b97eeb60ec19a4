"""A null without context: the form of the lemma that training has most often, else the lemma.

What a system adds to this, it has from the sentence or from how other words are inflected.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from kasu.cloze.names import SETTINGS
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Answers, Data, Run, Session, alone

VARIANTS: Mapping[str, object] = {}
MEMBERS = dict.fromkeys(SETTINGS)
SUBMISSIONS = {"frequent": alone}


def train(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Answers]:
    """Count the forms of each lemma; answer with the first of the most frequent ones."""
    forms: dict[str, Counter[str]] = {}
    for item in data.train:
        forms.setdefault("".join(item.source), Counter())["".join(item.target or ())] += 1

    def answer(item: Item) -> Answer:
        lemma = "".join(item.source)
        # `most_common` keeps equal counts in order of first occurrence
        return Answer([forms[lemma].most_common(1)[0][0] if lemma in forms else lemma])

    dev, test = ([answer(item) for item in items] for items in (data.dev, data.test))
    return dict.fromkeys(members, Answers(dev, test))
