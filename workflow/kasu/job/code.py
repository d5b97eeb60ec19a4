"""Hash a script and the code that it depends on, so that a change of either re-runs its rules."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parent.parent
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class _Parsed(NamedTuple):
    """What a hash needs from a file: a digest of its code, and the modules that it imports."""

    digest: bytes
    imports: frozenset[Path]


class Code:
    """Hashes of scripts and the `kasu` modules that they import; reads each file once."""

    def __init__(self) -> None:
        self._parsed: dict[Path, _Parsed] = {}
        self._hashes: dict[tuple[str, ...], str] = {}

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
        digest = hashlib.blake2b(self._parse(Path(script)).digest, digest_size=8)
        modules = self.modules(Path(script), *named)
        for module in sorted(modules):
            digest.update(f"{module.relative_to(PACKAGE)}\0".encode() + self._parse(module).digest)
        for file in sorted({file for module in modules for file in _templates(module.parent)}):
            digest.update(f"{file.relative_to(PACKAGE)}\0".encode() + file.read_bytes())
        return digest.hexdigest()

    def modules(self, script: Path, *named: str) -> set[Path]:
        """Return the files of all modules that a Python file imports, indirectly or by name too."""
        modules = {module for name in named for module in _files(name)}
        waiting = [script, *modules]
        while waiting:
            new = self._parse(waiting.pop()).imports - modules
            modules |= new
            waiting += new
        return modules

    def _parse(self, file: Path) -> _Parsed:
        if file not in self._parsed:
            self._parsed[file] = _parse(file)
        return self._parsed[file]


def code_hash(script: str | Path, *named: str) -> str:
    """Return `Code.hash` of the files as they are now."""
    return Code().hash(script, *named)


def _parse(file: Path) -> _Parsed:
    tree = ast.parse(file.read_bytes())
    statements = list(_statements(tree))
    imports = frozenset(module for name in _imported_names(statements) for module in _files(name))
    # Remove docstrings, so that the digest covers only code
    for node in statements:
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return _Parsed(hashlib.blake2b(ast.dump(tree).encode()).digest(), imports)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a module or statement, and the statements inside it."""
    yield node
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


def _files(name: str) -> Iterator[Path]:
    """Yield the files that importing a dotted name runs: its packages' and its own."""
    package, *rest = name.split(".")
    if package != PACKAGE.name:
        return
    folder = PACKAGE
    for part in rest:
        for file in (folder / "__init__.py", folder / f"{part}.py"):
            if file.exists():
                yield file
        folder = folder / part


def _templates(folder: Path) -> Iterator[Path]:
    return (file for file in folder.glob("*.j2") if not file.name.startswith("."))
