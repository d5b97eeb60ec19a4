"""The names of the task: tracks, sizes, settings, splits."""

PAPER = "sigmorphon2018"
TRACKS = ("track1", "track2")
SIZES = ("low", "medium", "high")
SPLITS = (*SIZES, "dev", "test")
SETTINGS = tuple(f"{track}-{size}" for track in TRACKS for size in SIZES)
"""A setting of the task is a track and a size of the training set."""


def split_setting(setting: str) -> tuple[str, str]:
    """The track and the size of a setting."""
    track, _, size = setting.partition("-")
    return track, size
