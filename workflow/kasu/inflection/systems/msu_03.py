"""msu-03: the network of msu-04 with a language model of characters joined to its decoder.

The language model is trained first, on the forms of the training set, and stays as it is. The paper
calls the system M2.

Source: Sorokin (2018) §2.2, after Gulcehre et al. (2017); details as in the released code.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from kasu.base.errors import KasuError
from kasu.inflection.systems import msu_02, msu_04
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.edits.actions import ActionAlphabet
from kasu.transduction.members.families import Data, Run, Session, alone
from kasu.transduction.members.learning import Learnt, ModelFamily, State
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from kasu.transduction.networks.character_lm import CharacterLM
    from kasu.transduction.networks.pointer_lm import StepTransducer
    from kasu.transduction.networks.training import Recipe

ERASED = 0.4
LAYERS = 2  # of the language model, which else is as msu-02's


class Settings(msu_04.Settings):
    """Sizes of MSU's network with a language model."""

    history: msu_04.History = 2
    model_epochs: msu_02.ModelEpochs = 20


def network(
    model: "CharacterLM",
    characters: ActionAlphabet,
    tags: Alphabet,
    setting: str,
    settings: msu_04.Settings,
    variant: str,
) -> "StepTransducer":
    """Return the network with a trained language model."""
    from kasu.neural.initial import draw_as_keras
    from kasu.transduction.networks.pointer_lm import StepTransducer

    fused = deepcopy(model)
    made = draw_as_keras(
        StepTransducer(
            characters, tags, msu_04.sizes(settings), dropout=msu_04.DROPOUT, fused=fused,
            erased=ERASED,
        )
    )  # fmt: skip
    # All weights were drawn, the trained ones too
    fused.load_state_dict(model.state_dict())
    return made


def recipe(data: Data, settings: msu_04.Settings, variant: str) -> "Recipe":
    """Return the recipe of msu-04."""
    return msu_04.recipe(data, settings, "released")


def model_sizes(options: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of the language model that differ from msu-02's."""
    return {"layers": LAYERS, "epochs": Settings.model_validate(options).model_epochs}


def fused(model: Learnt) -> NetworkFamily[Any]:
    """Return the family of networks with a language model."""
    return replace(
        msu_04.FAMILY, module=__name__, settings=Settings, variants={}, recipe=recipe,
        network=partial(network, cast("CharacterLM", model)),
    )  # fmt: skip


def learn(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Learnt | KasuError]:
    """Train the language model of each member, then the member."""
    models = replace(msu_02.models(f"{__name__}_lm"), symbols=msu_04.symbols)
    sizes = model_sizes(options)
    found: dict[Run, Learnt | KasuError] = {}
    for member in members:
        run = Run("forward", member.seed)
        model = models.learn(data, [run], sizes, session)[run]
        found[member] = (
            model
            if isinstance(model, KasuError)
            else fused(model).learn(data, [member], options, session)[member]
        )
    return found


def load(data: Data, member: Run, options: Mapping[str, object], state: State) -> Learnt:
    """Load the network with the language model in it."""
    settings = msu_02.Settings.model_validate(model_sizes(options))
    model = msu_02.network(*msu_04.symbols(data.train), data.setting, settings, "forward")
    return fused(model).load(data, member, options, state)


FAMILY = ModelFamily(
    __name__,
    settings=Settings,
    members={"low": 1, "medium": 1, "high": 1},
    submissions={"msu-03": alone},
    has_networks=True,
    width=msu_04.BEAM,
    prepare=msu_02.by_class,
    needs_items=False,
    learnt_by=learn,
    loaded_by=load,
)
