"""Kasu: grammar in neural networks, from raw text to tables beside the published ones.

In a notebook, `kasu.query`, `kasu.build_set` and the other names of `kasu.library` do what the
commands do. They are looked up when they are used, so that `import kasu` costs nothing, and a
change of them changes no module that a job runs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kasu.library import *  # noqa: F403


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("kasu.base.package").kasu_version()
    # What Python itself asks for, as __path__, is none of them, and may be asked amid an import
    if not name.startswith("_") and name in (library := import_module("kasu.library")).__all__:
        return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(import_module("kasu.library").__all__)
