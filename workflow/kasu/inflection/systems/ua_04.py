"""ua-04 (Najafi et al. 2018 §2.4): attention after Luong, refined by actor and critic.

A bidirectional LSTM reads the features and then the lemma. An LSTM attends to them. It learns from
forms first, and then from rewards for the right characters in what it writes itself.

The paper adapts the same team's transliteration system and says little about it. What it leaves
open is as in that program, but for the batches of forms: of 64 items there, of one here. With 100
items and batches of 64, patience would end a training before it has learnt anything.
"""

from typing import TYPE_CHECKING

from pydantic import Field

from kasu.config.settings import Positive, Section, Size
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import Data, alone
from kasu.transduction.members.networks import NetworkFamily

if TYPE_CHECKING:
    from torch import nn
    from torch.optim import Optimizer

    from kasu.transduction.networks.luong_seq2seq import LuongSeq2Seq
    from kasu.transduction.networks.training import Recipe

VARIANTS = {"refined": True, "likelihood": False}
"""Whether training on rewards follows training on forms."""

PATIENCE = 11  # epochs without a better accuracy on dev
DROPOUT = 0.5
LENGTH = 64
STEPS, DISCOUNT = 4, 0.9
ACTOR_RATE, CRITIC_RATE, DECAY = 0.5, 0.0005, 0.001


class Settings(Section):
    """Sizes of ua-04's network."""

    hidden: Size = Field(default=256, description="Width of states, per direction in the encoder.")
    embedding: Size = Field(default=128, description="Width of embedded characters and features.")
    batch_size: Size = Field(default=1, description="Items in a batch, on forms.")
    refined_batch_size: Size = Field(default=64, description="Items in a batch, on rewards.")
    epochs: Size = Field(default=256, description="Epochs on forms at most.")
    refined: Size = Field(default=256, description="Epochs on rewards at most.")
    learning_rate: Positive = Field(default=0.0005, description="Of Adam, before rewards.")


def network(
    characters: Alphabet, tags: Alphabet, setting: str, settings: Settings, variant: str
) -> "LuongSeq2Seq":
    """Return the network, of the same size in all languages."""
    from kasu.transduction.networks.luong_seq2seq import LuongSeq2Seq

    return LuongSeq2Seq(
        characters, tags, embedding=settings.embedding, size=settings.hidden, dropout=DROPOUT,
        discount=DISCOUNT, length=LENGTH,
    )  # fmt: skip


def recipe(data: Data, settings: Settings, variant: str) -> "Recipe":
    """Return a recipe with Adam on forms; then, in one variant, plain gradient steps on rewards."""
    from dataclasses import replace

    from kasu.neural.optimizers import adam, clip_norm
    from kasu.neural.stopping import Patience
    from kasu.transduction.networks.actor_critic import Rewards
    from kasu.transduction.networks.training import Recipe

    def patience(epochs: int) -> Patience:
        return Patience(PATIENCE if data.dev else epochs, epochs)

    plain = Recipe(
        batch_size=settings.batch_size,
        epochs=settings.epochs,
        stop=patience(settings.epochs),
        optimizers=adam(settings.learning_rate),
        clip=clip_norm(10.0),
        validated=data.dev,
    )
    refinement = replace(
        plain,
        batch_size=settings.refined_batch_size,
        epochs=settings.refined,
        stop=patience(settings.refined),
        optimizers=actor_and_critic,
        teacher=Rewards(STEPS, DISCOUNT),
    )
    return replace(plain, then=refinement) if VARIANTS[variant] else plain


def actor_and_critic(model: "nn.Module") -> "list[Optimizer]":
    """Return plain gradient steps for the actor, and Adam with decay of weights for the critic."""
    import torch

    critic = [*model.get_submodule("critic").parameters()]
    known = {id(weight) for weight in critic}
    actor = [weight for weight in model.parameters() if id(weight) not in known]
    return [
        torch.optim.SGD(actor, ACTOR_RATE),
        torch.optim.Adam(critic, CRITIC_RATE, weight_decay=DECAY),
    ]


FAMILY = NetworkFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    trained_as={"likelihood": "refined"},
    members={"low": 1},
    submissions={"ua-04": alone},
    network=network,
    recipe=recipe,
    width=10,
)
