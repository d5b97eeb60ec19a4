"""A null without context: the form of the lemma that training has most often, else the lemma.

What a system adds to this comes from the sentence or from how other words are inflected.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from kasu.cloze.data.names import FREQUENT, SETTINGS
from kasu.corpora.texts.spelling import lower
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Answers, CustomFamily, Data, Run, Session, alone


def train(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Answers]:
    """Count the forms of each lemma; answer with the first of the most frequent ones.

    Forms that differ in case alone count as one, as in scoring; the most frequent spelling is the
    answer. The case of a lemma tells names from other words (*Bill*, *bill*), so it counts.
    """
    forms: dict[str, Counter[str]] = {}
    spellings: dict[tuple[str, str], Counter[str]] = {}
    for item in data.train:
        lemma, form = "".join(item.source), "".join(item.target or ())
        small = lower(form, data.code)
        forms.setdefault(lemma, Counter())[small] += 1
        spellings.setdefault((lemma, small), Counter())[form] += 1

    def answer(item: Item) -> Answer:
        lemma = "".join(item.source)
        if lemma not in forms:
            return Answer([lemma])
        # `most_common` keeps equal counts in order of first occurrence
        ((form, _),) = forms[lemma].most_common(1)
        ((spelling, _),) = spellings[lemma, form].most_common(1)
        return Answer([spelling])

    dev, test = ([answer(item) for item in items] for items in (data.dev, data.test))
    return dict.fromkeys(members, Answers(dev, test))


FAMILY = CustomFamily(
    __name__,
    members=dict.fromkeys(SETTINGS),
    submissions={FREQUENT: alone},
    trained_by=train,
)
