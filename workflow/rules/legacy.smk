"""Names that rule files without a plan still use. Goes with the last of them."""

from types import SimpleNamespace

from kasu.base.study import StudyReport

DOWNLOADS = WORKSPACE.downloads
REGISTRY = WORKSPACE.registry
allowed = WORKSPACE.allows
licence_of = describe
register = WORKSPACE.register
OLD_CORPORA = {corpus["name"]: corpus for corpus in config["corpora"]}


def resolve(text, *_):
    return WORKSPACE.resolve(text, "config")


# Models of the study pretraining by name, the folder of each one's last checkpoint
PRETRAINED = {}


def add_study(files, shown):
    facts = {"files": files, "printed": shown["printed"]}
    facts["report"] = StudyReport(**shown)
    facts["trained_models"] = PRETRAINED
    STUDIES[shown["name"]] = SimpleNamespace(**facts)


# Models: what rule files ask for while they are read must fail in one line
OLD_MODELS = {model["name"]: model for model in config["models"]}
HUB_MODELS = {name: model for name, model in OLD_MODELS.items() if "id" in model}
kind_of = MODELS.kind
remote_code_of = MODELS.remote_code
model_sources = MODELS.sources


def model_folder(name):
    try:
        return MODELS.folder(name, "config")
    except KasuError as error:
        raise WorkflowError(str(error))


def source_of_model(name):
    return MODELS.sources([name])[0]
