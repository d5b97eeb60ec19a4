"""The config's sections on language models: `models` and `scoring`."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, WrapValidator, model_validator

from kasu.base.errors import KasuError
from kasu.config.settings import (
    FilePath,
    Many,
    NotNegative,
    Positive,
    ProperShare,
    Section,
    Share,
    Size,
    SizeOrNull,
    Slug,
    Threads,
    as_written,
    check_once,
)
from kasu.lm import WHERE_BFLOAT16_PAYS, Masking, Precision
from kasu.lm.models.identifiers import COMMIT, check_identifier
from kasu.lm.pretraining.recipes import HEAD, JOB, RECIPES

Width = Annotated[int, Field(ge=HEAD, multiple_of=HEAD, title=f"a multiple of {HEAD}")]
Beta = Annotated[
    float, Field(gt=0, lt=1, title="a number between 0 and 1"), WrapValidator(as_written)
]
_OF_HUB = ("revision", "files", "remote_code")  # keys of a model of the hub alone
_NOT_TRAINED = ("licence", "kind", "untrained")  # keys that a model trained here lacks
_PRECISION = f"Precision of products; {WHERE_BFLOAT16_PAYS}."


def _of_recipe(key: str, description: str) -> Any:
    """Make a field whose default depends on the recipe; None stands for it."""
    defaults = {recipe: values[key] for recipe, values in RECIPES.items()}
    return Field(
        default=None, description=description, json_schema_extra={"defaults by recipe": defaults}
    )


class RecipeSettings(Section):
    """How BERT is trained. A key that is not stated follows the recipe."""

    recipe: Literal["paper", "short"] = Field(
        default="short",
        description=(
            "The recipe for the keys that are not stated: `paper` is that of Urbizu et al. (2024) "
            "(BL2MP-4), `short` fits a small budget."
        ),
    )
    length: Size | None = _of_recipe("length", "Tokens per row of text.")
    tokens_per_batch: Size | None = _of_recipe(
        "tokens_per_batch", "Tokens per training step, a multiple of `length`."
    )
    tokens_per_pass: Size | None = _of_recipe(
        "tokens_per_pass",
        "Tokens in memory at a time, a multiple of `length`; at most `tokens_per_batch`.",
    )
    learning_rate: Positive | None = _of_recipe("learning_rate", "The highest learning rate.")
    beta2: Beta | None = _of_recipe("beta2", "The second beta of AdamW.")
    weight_decay: NotNegative | None = _of_recipe("weight_decay", "Weight decay of AdamW.")
    warmup: Share | None = _of_recipe(
        "warmup", "Share of the steps during which the learning rate rises."
    )
    masking: Masking | None = _of_recipe(
        "masking", "Whether whole words or single tokens are masked."
    )
    copies: SizeOrNull = _of_recipe(
        "copies",
        "Masked copies of each row, BERT's duplication factor; null masks anew in every epoch.",
    )
    dropout: Share | None = _of_recipe("dropout", "Share of the units that training drops.")
    precision: Precision | None = _of_recipe("precision", _PRECISION)
    compile: bool | None = _of_recipe("compile", "Whether PyTorch compiles the network.")
    validation_tokens: Size | None = _of_recipe(
        "validation_tokens", "Tokens of held-out text on which the loss is computed."
    )
    threads: Threads = Field(
        default=JOB["threads"],
        description="Threads of a training job. The number changes the last digits of results.",
    )
    checkpoint_every: Positive = Field(
        default=JOB["checkpoint_every"],
        description="Seconds between the states from which a killed run resumes.",
    )


class TrainingSettings(RecipeSettings):
    """How a small model is trained on a corpus."""

    model_config = ConfigDict(
        title="vocabulary, layers, hidden, steps, and what differs from a recipe"
    )

    vocabulary: Size = Field(description="Pieces of the tokenizer.", examples=[8000])
    layers: Size = Field(description="Layers of the network.", examples=[4])
    hidden: Width = Field(description="Width of the network.", examples=[256])
    steps: Size = Field(description="Training steps.", examples=[600])
    held_out: ProperShare = Field(
        default=0.02,
        description="Share of the text on which the model is evaluated and not trained.",
    )
    evaluate_every: Size = Field(default=100, description="Steps between two evaluations.")


class ModelSettings(Section):
    """A language model: a folder, one of a hub (`id`, `revision`), or one that is trained here."""

    model_config = ConfigDict(
        title="a name, and folder, or id and revision, or corpus and training"
    )

    name: Slug = Field(
        description="The name by which studies refer to the model.", examples=["xlm-roberta-base"]
    )
    folder: FilePath | None = Field(
        default=None,
        title="a folder",
        description=(
            "A folder with a model as the hub has it: config.json, a tokenizer, and weights as "
            "safetensors or a pytorch_model.bin. The model may be masked or causal."
        ),
        examples=["/models/gpt"],
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
        description=(
            "The licence that dataset cards and the report state for a model from elsewhere."
        ),
        examples=["MIT"],
    )
    kind: Literal["masked", "causal"] | None = Field(
        default=None,
        title="masked or causal",
        description=(
            "Whether the model predicts masked words or the next word. By default as its own "
            "config.json says; a model of the hub that is not at hand yet is taken for masked."
        ),
    )
    remote_code: bool = Field(
        default=False,
        description=(
            "Whether code that comes with the model may run. `revision` must then be a commit."
        ),
    )
    untrained: bool = Field(
        default=False,
        description=(
            "Whether the checkpoint lacks weights, as a head, and is scored all the same, with "
            "random ones: a null, which all tables call *untrained*. Otherwise that is an error."
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
        """Check that nothing leaves the folder of downloads and that code is of one revision."""
        where, revision = f"model {self.name!r}", self.revision or ""
        if self.remote_code and self.folder is None and not COMMIT.fullmatch(revision):
            found = f"remote_code with revision {revision!r}"
            raise KasuError(where, found, "a commit, 40 hexadecimal digits")
        if self.id is not None and self.revision is not None:
            check_identifier(self.id, revision)
            for file in self.files or ():
                if {"", ".", ".."}.intersection(file.split("/")):
                    found = repr(f"models/{self.id}/{revision}/{file}")
                    raise KasuError(f"{where}, files", found, "a relative path without '..'")
        return self

    @model_validator(mode="after")
    def _fetched_or_trained(self) -> Self:
        own = self.corpus is not None or self.training is not None
        origins = (self.folder is not None, self.id is not None, own)
        if sum(origins) != 1 or (own and (self.corpus is None or self.training is None)):
            raise ValueError
        if self.id is not None and self.revision is None:
            raise ValueError
        if self.id is not None:
            return self
        if own and self.name == "work":
            found = "a trained model named 'work', as the folder of unfinished trainings"
            raise KasuError("models", found, "another name")
        origin, keys = ("corpus", (*_OF_HUB, *_NOT_TRAINED)) if own else ("folder", _OF_HUB)
        for key in keys:
            if getattr(self, key) != type(self).model_fields[key].default:
                expected = (
                    f"that of a model of the hub{'' if key in _OF_HUB else ' or a folder'} alone"
                )
                found = f"{key!r} beside `{origin}`"
                raise KasuError(f"model {self.name!r}", found, expected)
        return self


def _named_once(models: tuple[ModelSettings, ...]) -> tuple[ModelSettings, ...]:
    check_once((model.name for model in models), "models")
    return models


Models = Annotated[Many[ModelSettings], AfterValidator(_named_once)]


class ScoringSettings(Section):
    """How models score sentences. All three settings change the last digits of scores."""

    model_config = ConfigDict(title="dtype, tokens_per_batch and threads")

    dtype: Precision = Field(
        default="float32",
        description=_PRECISION,
    )
    tokens_per_batch: Size = Field(
        default=2048,
        description="Tokens per batch: 2,048 on a processor, thirty times that on a GPU.",
    )
    threads: Threads = Field(default=1, description="Threads of a scoring job.")
