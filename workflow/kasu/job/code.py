"""Hash a script and the code that it depends on, so that a change of either re-runs its rules."""

import ast
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.files.parts import write_text
from kasu.files.regular import read_bytes

CACHE = ".snakemake/kasu-code.json"
MOST = 5000  # files that a cache keeps; of more, those of the last run
PACKAGE = Path(__file__).resolve().parent.parent
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class _Parsed(NamedTuple):
    """What a hash needs from a file: a digest of its code, and the names that it imports."""

    digest: str
    imports: list[str]


class Code:
    """Hashes of scripts and the `kasu` modules that they import; reads each file once.

    Parsing hundreds of files takes a second and more, so a cache hands on what was found in them,
    by their contents.
    """

    def __init__(self, cache: str | Path | None = None) -> None:
        """Take over what `write` wrote to `cache`, unless that is damaged or of another Python."""
        self._parsed: dict[Path, _Parsed] = {}
        self._hashes: dict[tuple[str, ...], str] = {}
        # The modules of the package by their paths in it; a lookup of each takes longer
        present = PACKAGE.rglob("*.py")
        self._present = {file.relative_to(PACKAGE).as_posix(): file for file in present}
        self._files: dict[str, list[Path]] = {}  # by the name of a module
        self._imports: dict[Path, set[Path]] = {}  # by file
        self._hashed: dict[Path, bytes] = {}  # what a module adds to a hash
        self._templates: dict[Path, list[Path]] = {}  # by folder
        self._known: dict[str, _Parsed] = {}  # by the sha256 of a file
        self._used: set[str] = set()
        if cache:
            with suppress(KasuError, OSError, ValueError, TypeError, KeyError):
                read = json.loads(read_bytes(cache) or b"{}")
                if read["parser"] == _parser():
                    self._known = {sha256: _read(*each) for sha256, each in read["files"].items()}

    def write(self, cache: str | Path) -> None:
        """Write what was found in files to a cache, if it can be written and they are new to it."""
        kept = self._known
        if len(kept) > MOST:
            kept = {sha256: kept[sha256] for sha256 in self._used}
        text = json.dumps({"parser": _parser(), "files": kept})
        with suppress(KasuError, OSError):
            if text.encode() != read_bytes(cache):
                write_text(cache, text)

    def hash(self, script: str | Path, *named: str) -> str:
        """Hash a script and the modules that it imports, directly or not, also inside functions.

        Templates next to an imported module count; comments, docstrings and layout do not.

        Args:
            named: modules that the script imports by name when it runs.
        """
        key = str(script), *named
        if key not in self._hashes:
            self._hashes[key] = self._hash(*key)
        return self._hashes[key]

    def _hash(self, script: str, *named: str) -> str:
        digest = hashlib.blake2b(bytes.fromhex(self._parse(Path(script)).digest), digest_size=8)
        modules = self.modules(Path(script), *named)
        for module in sorted(modules):
            digest.update(self._hashed_of(module))
        for folder in {module.parent for module in modules} - self._templates.keys():
            self._templates[folder] = list(_templates(folder))
        beside = {file for module in modules for file in self._templates[module.parent]}
        for file in sorted(beside):
            digest.update(f"{file.relative_to(PACKAGE)}\0".encode() + file.read_bytes())
        return digest.hexdigest()

    def _hashed_of(self, module: Path) -> bytes:
        if module not in self._hashed:
            name = f"{module.relative_to(PACKAGE)}\0".encode()
            self._hashed[module] = name + bytes.fromhex(self._parse(module).digest)
        return self._hashed[module]

    def modules(self, script: Path, *named: str) -> set[Path]:
        """Return the files of all modules that a Python file imports, indirectly or by name too."""
        modules = {module for name in named for module in self._files_of(name)}
        waiting = [script, *modules]
        while waiting:
            new = self._imports_of(waiting.pop()) - modules
            modules |= new
            waiting += new
        return modules

    def _imports_of(self, file: Path) -> set[Path]:
        if file not in self._imports:
            names = self._parse(file).imports
            self._imports[file] = {module for name in names for module in self._files_of(name)}
        return self._imports[file]

    def _files_of(self, name: str) -> list[Path]:
        if name not in self._files:
            files = _files(name) if _is_own(name) else ()
            self._files[name] = [self._present[file] for file in files if file in self._present]
        return self._files[name]

    def _parse(self, file: Path) -> _Parsed:
        if file not in self._parsed:
            content = file.read_bytes()
            sha256 = hashlib.sha256(content).hexdigest()
            if sha256 not in self._known:
                self._known[sha256] = _parse(content)
            self._used.add(sha256)
            self._parsed[file] = self._known[sha256]
        return self._parsed[file]


def code_hash(script: str | Path, *named: str) -> str:
    """Return `Code.hash` of the files as they are now."""
    return Code().hash(script, *named)


def _parser() -> str:
    """Return what the contents of a cache depend on besides files: Python, and this module."""
    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return f"{sys.version} {own}"


def _read(digest: str, imports: list[str]) -> _Parsed:
    bytes.fromhex(digest)
    if not all(isinstance(name, str) for name in imports):
        raise TypeError
    return _Parsed(digest, imports)


def _parse(content: bytes) -> _Parsed:
    tree = ast.parse(content)
    statements = list(_statements(tree))
    names = sorted(name for name in _imported_names(statements) if _is_own(name))
    # Remove docstrings, so that the digest covers only code
    for node in statements:
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return _Parsed(hashlib.blake2b(ast.dump(tree).encode()).hexdigest(), names)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a module or statement, and the statements inside it that may run."""
    yield node
    if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
        node = ast.Module(node.orelse, [])
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, field, ()):
            yield from _statements(inner)


def _imported_names(statements: Iterable[ast.AST]) -> set[str]:
    names: set[str] = set()
    for node in statements:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            # An imported name may itself be a module
            names.update([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
    return names


def _files(name: str) -> Iterator[str]:
    """Yield the files that an import of a dotted name runs, where they exist: packages, its own."""
    folder = ""
    for part in (*name.split(".")[1:], "__init__"):
        yield from (f"{folder}__init__.py", f"{folder}{part}.py")
        folder += f"{part}/"


def _is_own(name: str) -> bool:
    return name.partition(".")[0] == PACKAGE.name


def _templates(folder: Path) -> Iterator[Path]:
    return (file for file in folder.glob("*.j2") if not file.name.startswith("."))
