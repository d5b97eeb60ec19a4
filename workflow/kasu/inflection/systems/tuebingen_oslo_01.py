"""tuebingen-oslo-01: one network for all languages, which learns to tell them apart.

It has no attention, like tuebingen-oslo-03. Its encoder reads from left to right alone, since it
also learns to predict the next character; from its final state, it learns to tell the language. The
decoder starts from that state, reads the features, and is not told the language.

Source: Rama & Çöltekin (2018).
"""

from typing import TYPE_CHECKING

from kasu.inflection.systems import tuebingen_oslo_03
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import LANGUAGE
from kasu.transduction.members.families import alone, together
from kasu.transduction.members.networks import NetworkFamily
from kasu.transduction.task.settings import SIZES

if TYPE_CHECKING:
    from kasu.transduction.networks.multitask_seq2seq import MultitaskSeq2Seq

VARIANTS = tuebingen_oslo_03.VARIANTS


def network(
    characters: Alphabet,
    tags: Alphabet,
    setting: str,
    settings: tuebingen_oslo_03.Settings,
    variant: str,
) -> "MultitaskSeq2Seq":
    """Return the network, whose alphabets are those of all languages."""
    from kasu.neural.initial import draw_as_keras
    from kasu.transduction.networks.multitask_seq2seq import MultitaskSeq2Seq

    features, languages = (
        Alphabet(tag for tag in tags.symbols if tag.startswith(LANGUAGE) == is_language)
        for is_language in (False, True)
    )
    keras, padded = VARIANTS[variant]
    longest, size = tuebingen_oslo_03.LONGEST, settings.hidden
    made = MultitaskSeq2Seq(characters, features, languages, size, truncated=longest, padded=padded)
    return draw_as_keras(made) if keras else made


FAMILY = NetworkFamily(
    __name__,
    settings=tuebingen_oslo_03.Settings,
    variants=VARIANTS,
    members=tuebingen_oslo_03.FAMILY.members,
    submissions={"tuebingen-oslo-01": alone},
    pools=dict.fromkeys(SIZES, together),
    network=network,
    recipe=tuebingen_oslo_03.recipe,
)
