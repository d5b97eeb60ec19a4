"""What code a script depends on, so that a change of a module re-runs the rules that import it."""

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_hash(script: str | Path, *named: str) -> str:
    """Hash the `kasu` modules that a script imports, directly or not, also inside functions.

    Comments, docstrings and layout do not count. Templates beside an imported module do.

    Args:
        named: modules that the script imports by name when it runs.
    """
    digest = hashlib.blake2b(digest_size=8)
    modules = modules_of(Path(script), *named)
    for module in sorted(modules):
        digest.update(f"{module.relative_to(PACKAGE)}\0".encode())
        digest.update(ast.dump(_without_docstrings(module)).encode())
    for file in sorted({file for module in modules for file in _templates(module.parent)}):
        digest.update(f"{file.relative_to(PACKAGE)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def modules_of(script: Path, *named: str) -> set[Path]:
    """The files of all `kasu` modules that a Python file imports, directly or not, or by name."""
    found = {module for name in named for module in _files(name)}
    waiting = [script, *found]
    while waiting:
        for module in _imports(waiting.pop()):
            if module not in found:
                found.add(module)
                waiting.append(module)
    return found


def _imports(file: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            # an imported name may itself be a module
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module]
        else:
            continue
        for name in names:
            yield from _files(name)


def _files(name: str) -> Iterator[Path]:
    package, *rest = name.split(".")
    if package != PACKAGE.name:
        return
    folder = PACKAGE
    for part in rest:
        if (folder / "__init__.py").exists():
            yield folder / "__init__.py"
        if (module := folder / f"{part}.py").exists():
            yield module
        folder = folder / part


def _without_docstrings(module: Path) -> ast.Module:
    tree = ast.parse(module.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return tree


def _templates(folder: Path) -> Iterator[Path]:
    return (file for file in folder.glob("*.j2") if not file.name.startswith("."))
