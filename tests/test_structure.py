"""The floors of the library: imports only go down, and in no circle."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

KASU = Path(__file__).resolve().parent.parent / "workflow" / "kasu"
STUDIES = ("agreement", "minimal_sets", "pretraining", "blm", "inflection", "cloze")
FLOORS = {
    "base": 0,
    "corpora": 1,
    "query": 2,
    "neural": 3,
    "lm": 4,
    "transduction": 4,
    **dict.fromkeys(STUDIES, 5),
    "report": 6,
    "cli": 7,
    "__main__": 8,
}


def modules() -> dict[str, Path]:
    """Every module of the library by its dotted name."""
    return {
        ".".join(("kasu", *path.relative_to(KASU).with_suffix("").parts)): path
        for path in KASU.rglob("*.py")
        if path.name != "__init__.py"
    }


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of the library that a module imports, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & set(known)


def room(module: str) -> str:
    return module.split(".")[1]


def test_imports_only_go_down():
    known = modules()
    wrong = [
        f"{module} imports {other}"
        for module, path in known.items()
        for other in imports(path, known)
        if room(module) != room(other) and FLOORS[room(module)] <= FLOORS[room(other)]
    ]
    assert wrong == []


def test_no_module_imports_itself_in_a_circle():
    known = modules()
    graph = {module: imports(path, known) for module, path in known.items()}
    assert set(TopologicalSorter(graph).static_order()) == set(known)


def test_library_knows_nothing_of_snakemake():
    assert [name for name, path in modules().items() if "snakemake." in path.read_text()] == []


def test_every_script_is_named_as_a_rule():
    rules = "".join(p.read_text() for p in (KASU.parent / "rules").glob("*.smk"))
    scripts = {path.name for path in (KASU.parent / "scripts").glob("*.py")}
    assert {name for name in scripts if f"../scripts/{name}" not in rules} == set()
