"""The config's sections on language models: `models` and `scoring`."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, WrapValidator, model_validator

from kasu.base.errors import KasuError
from kasu.base.settings import (
    Many,
    NotNegative,
    Positive,
    Section,
    Share,
    Size,
    SizeOrNull,
    Slug,
    Threads,
    as_written,
    check_once,
)

ID = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", re.ASCII)
"""An identifier of the hub: `owner/name`, or an old one without an owner."""
REVISION = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)
"""A commit, a branch or a tag."""
COMMIT = re.compile("[0-9a-f]{40}")

Precision = Literal["float32", "bfloat16"]
Width = Annotated[int, Field(ge=64, multiple_of=64, title="a multiple of 64")]
Beta = Annotated[
    float, Field(gt=0, lt=1, title="a number between 0 and 1"), WrapValidator(as_written)
]


class RecipeSettings(Section):
    """How BERT is trained. What is not stated follows the recipe."""

    recipe: Literal["paper", "short"] = Field(
        default="short",
        description=(
            "The recipe of `kasu/lm/pretraining/recipes.py` that gives what is not stated here: "
            "`paper` is that of Urbizu et al. (2024), `short` the same in a small budget."
        ),
    )
    length: Size | None = Field(
        default=None, description="Tokens of a row of text.", examples=[128]
    )
    tokens_per_batch: Size | None = Field(
        default=None,
        description="Tokens of a training step, a multiple of `length`.",
        examples=[4096],
    )
    tokens_per_pass: Size | None = Field(
        default=None,
        description="Tokens in memory at a time, a multiple of `length`.",
        examples=[4096],
    )
    learning_rate: Positive | None = Field(
        default=None, description="The highest learning rate.", examples=[0.001]
    )
    beta2: Beta | None = Field(
        default=None, description="The second beta of AdamW.", examples=[0.98]
    )
    weight_decay: NotNegative | None = Field(
        default=None, description="Weight decay of AdamW.", examples=[0.01]
    )
    warmup: Share | None = Field(
        default=None,
        description="Share of the steps in which the learning rate rises.",
        examples=[0.1],
    )
    masking: Literal["whole_word", "token"] | None = Field(
        default=None, description="Whether whole words or single tokens are masked."
    )
    copies: SizeOrNull = Field(
        default=None,
        description=(
            "How many masked copies of the text are made (BERT's duplication factor); null masks "
            "anew in every epoch."
        ),
        examples=[10],
    )
    dropout: Share | None = Field(default=None, description="Share of the units that are dropped.")
    precision: Precision | None = Field(
        default=None,
        description="Of matrix products. bfloat16 pays on GPUs and on processors with AMX.",
    )
    compile: bool | None = Field(default=None, description="Whether PyTorch compiles the network.")
    validation_tokens: Size | None = Field(
        default=None, description="Tokens of the validation text on which the loss is computed."
    )
    threads: Threads = Field(
        default=1,
        description="Threads of a training job. The number changes the last digits of results.",
    )
    checkpoint_every: Positive = Field(
        default=600, description="Seconds between the states from which a killed run resumes."
    )


class TrainingSettings(RecipeSettings):
    """How a small model is trained on a corpus."""

    model_config = ConfigDict(title="all settings of a training")

    vocabulary: Size = Field(description="Pieces of the tokenizer.", examples=[8000])
    layers: Size = Field(description="Layers of the network.", examples=[4])
    hidden: Width = Field(description="Width of the network.", examples=[256])
    steps: Size = Field(description="Training steps.", examples=[600])
    held_out: Share = Field(
        default=0.02,
        description="Share of the text on which the model is evaluated and not trained.",
    )
    evaluate_every: Size = Field(default=100, description="Steps between two evaluations.")


class ModelSettings(Section):
    """A language model: one of a hub (`id`, `revision`), or a small one that is trained here."""

    model_config = ConfigDict(title="a name, and id and revision, or corpus and training")

    name: Slug = Field(
        description="The name by which studies refer to the model.", examples=["xlm-roberta-base"]
    )
    id: str | None = Field(
        default=None,
        title="an identifier of the hub, owner/name",
        description="The model's identifier on the Hugging Face hub.",
        examples=["FacebookAI/xlm-roberta-base"],
    )
    revision: str | None = Field(
        default=None,
        title="a commit or a branch",
        description="The commit or the branch to fetch.",
        examples=["main"],
    )
    files: (
        dict[str, Annotated[str, Field(pattern="^([0-9a-f]{64})?$", title="a sha256 or nothing")]]
        | None
    ) = Field(
        default=None,
        min_length=1,
        title="a map from a file to its sha256",
        description=(
            "The files of a model that only a mirror has, each with its sha256, empty where nobody "
            "has computed it. Otherwise the hub lists the files."
        ),
        examples=[{"config.json": "", "model.safetensors": ""}],
    )
    licence: str | None = Field(
        default=None,
        title="a licence",
        description="The licence that dataset cards and the report state for a model of the hub.",
        examples=["MIT"],
    )
    kind: Literal["masked", "causal"] = Field(
        default="masked", description="Whether the model predicts masked words or the next word."
    )
    remote_code: bool = Field(
        default=False,
        description=(
            "Whether code that comes with the model may run. `revision` must then be a commit."
        ),
    )
    corpus: Slug | None = Field(
        default=None, description="The corpus to train a small model on.", examples=["georgian"]
    )
    training: TrainingSettings | None = Field(
        default=None, description="How a small model is trained on `corpus`."
    )

    @model_validator(mode="after")
    def _can_be_fetched(self) -> Self:
        """Nothing may leave the folder of the downloads, and code that may run never changes."""
        where, revision = f"model {self.name!r}", self.revision or ""
        if self.remote_code and not COMMIT.fullmatch(revision):
            found = f"remote_code with revision {revision!r}"
            raise KasuError(where, found, "a commit, 40 hexadecimal digits")
        if self.id is not None and self.revision is not None:
            check_name(self.id, revision)
            for file in self.files or ():
                if {"", ".", ".."}.intersection(file.split("/")):
                    found = repr(f"models/{self.id}/{revision}/{file}")
                    raise KasuError(f"{where}, files", found, "a relative path without '..'")
        return self

    @model_validator(mode="after")
    def _fetched_or_trained(self) -> Self:
        own = self.corpus is not None or self.training is not None
        if (self.id is not None) == own or (own and (self.corpus is None or self.training is None)):
            raise ValueError
        if self.id is not None and self.revision is None:
            raise ValueError
        return self


def _named_once(models: tuple[ModelSettings, ...]) -> tuple[ModelSettings, ...]:
    check_once((model.name for model in models), "models")
    return models


def check_name(model: str, revision: str) -> None:
    """Check a hub's identifier and revision, which name a folder.

    Raises:
        KasuError: one of them has another form, and could leave its folder.
    """
    for name, pattern in ((model, ID), (revision, REVISION)):
        if not pattern.fullmatch(name) or ".." in name:
            raise KasuError(f"model {model!r}", repr(name), "`owner/name`, and a commit or a name")


Models = Annotated[Many[ModelSettings], AfterValidator(_named_once)]


class ScoringSettings(Section):
    """How models score sentences. All three settings change the last digits of scores."""

    model_config = ConfigDict(title="dtype, tokens_per_batch and threads")

    dtype: Precision = Field(
        default="float32", description="Precision of products: bfloat16 only on a GPU."
    )
    tokens_per_batch: Size = Field(
        default=2048,
        description="Tokens per batch: 2,048 on a processor, thirty times that on a GPU.",
    )
    threads: Threads = Field(default=1, description="Threads of a scoring job.")
