"""The names of the task: tracks, sizes, settings, splits; variants of data made anew."""

from typing import Literal

from kasu.transduction.task.settings import SIZES

PAPER = "sigmorphon2018"
TRACKS = ("track1", "track2")
SPLITS = (*SIZES, "dev", "test")
SETTINGS = tuple(f"{track}-{size}" for track in TRACKS for size in SIZES)
"""A setting of the task is a track and a size of the training set."""

UD_SPLITS = ("train", "dev", "test")
"""The splits of a treebank."""
RELEASED_IN = {"high": "train", "dev": "dev", "test": "test"}
"""The split of a treebank that the sentences of a released file come from. All training sets come
from `train`; the largest stands for them."""
Variant = Literal["paper", "released"]
"""The ways to choose the words of a treebank that are asked for."""
Correction = Literal["no_boundaries", "lower"]
"""The corrections of the lemmata of a treebank."""
COPY, FREQUENT = "copy-bl", "frequent"
"""The nulls: the lemma, and the form that training has most often for it."""
MADE_TABLE = "made from treebanks"
MADE = {
    "conversion": "conversion.tsv",
    "features": "features.tsv",
    "recovered": "recovered.tsv",
    "agreement": "agreement.tsv",
    "sheet": "sheet.tsv",
    "page": "sheet.html",
}
"""The files beside a dataset that is made from a treebank."""


def split_setting(setting: str) -> tuple[str, str]:
    """Return the track and the size of a setting."""
    track, _, size = setting.partition("-")
    return track, size
