"""The floors of the library: imports only go down, and in no circle."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

KASU = Path(__file__).resolve().parent.parent / "workflow" / "kasu"
STUDIES = ("agreement", "minimal_sets", "pretraining", "blm", "inflection", "cloze")
FLOORS = {
    "base": 0,
    "files": 1,
    "config": 2,
    "job": 2,
    "compare": 2,
    "sources": 3,
    "results": 4,
    "corpora": 5,
    "figures": 5,
    "queries": 6,
    "neural": 7,
    "lm": 8,
    "transduction": 8,
    "audits": 9,
    **dict.fromkeys(STUDIES, 10),
    "report": 11,
    "settings": 11,
    "exports": 11,
    "records": 12,
    "reference": 12,
    "cli": 12,
    "config_command": 13,
    "page_command": 13,
    "__main__": 13,
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


def folder_of(module: str) -> str:
    return module.rpartition(".")[0]


def test_no_folder_imports_itself_in_a_circle():
    """By way of other folders, inside a room too."""
    known = modules()
    graph: dict[str, set[str]] = {}
    for module, path in known.items():
        others = set(map(folder_of, imports(path, known)))
        graph.setdefault(folder_of(module), set()).update(others - {folder_of(module)})
    assert set(TopologicalSorter(graph).static_order()) == set(graph)


# One file for each system, one for each network
LARGE = {"kasu.inflection.systems", "kasu.cloze.systems", "kasu.transduction.networks"}


def test_no_folder_has_more_than_twelve_files():
    count = Counter(map(folder_of, modules()))
    assert {folder for folder, files in count.items() if files > 12} - LARGE == set()


COMMON = [name for name, floor in FLOORS.items() if floor < FLOORS[STUDIES[0]]] + ["report"]
PAPERS = re.compile(r"\b[a-z_]+20\d\d\b")  # as the keys of published figures: `basque2018`


def test_common_floors_name_no_study_and_no_paper():
    """In code: names, and strings that are not docstrings.

    Comments and docstrings may cite a paper; the help of a command may show an example.
    """
    # Pretraining is also what `lm` does: its name counts only in a module's
    names = [name if name != "pretraining" else r"kasu\.pretraining" for name in STUDIES]
    studies = re.compile(rf"\b({'|'.join(names)})\b")
    wrong = [
        f"{module}:{line}: {text}"
        for module, path in modules().items()
        if room(module) in COMMON and not module.endswith("command")
        for line, text in words(path)
        if studies.search(text) or PAPERS.search(text)
    ]
    assert wrong == []


def words(path: Path) -> Iterator[tuple[int, str]]:
    """The identifiers and strings of a module with their lines, docstrings and imports apart."""
    tree = ast.parse(path.read_bytes())
    # A string that is a statement of its own is a docstring
    docs = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        for field in ("id", "attr", "name", "arg", "value"):
            text = getattr(node, field, None)
            if isinstance(text, str) and not isinstance(node, ast.alias) and node not in docs:
                yield node.lineno, text


# Whatever else could open a parquet file; only `kasu.files.tables` verifies checksums
OTHER_READERS = re.compile(
    r"\bpyarrow\.(parquet|dataset|feather|orc)\b|\bfrom pyarrow import .*\b(parquet|dataset)\b"
    r"|\b(pd|pandas|pq|ds|pl|polars|duckdb)\.(read_\w+|scan_\w+|ParquetFile|dataset)\b"
)


def test_parquet_is_opened_in_one_module():
    files = [*KASU.rglob("*.py"), *(KASU.parent / "scripts").glob("*.py")]
    found = {path.name for path in files if OTHER_READERS.search(path.read_text(encoding="utf-8"))}
    assert found == {"tables.py"}


def test_library_knows_nothing_of_snakemake():
    assert [name for name, path in modules().items() if "snakemake." in path.read_text()] == []


INTERNALS = re.compile(
    r"\bworkflow\.(_\w+|basedir|dag\w*|deployment_settings|modifier|output_settings|pathvars"
    r"|persistence|register_resource|resource_settings|scheduler|scheduling_settings)\b"
    r"|\.(apply_input_function|expand_input|is_producer|job_rate_limiter|set_params)\b"
)


def test_internals_of_snakemake_are_touched_in_one_file():
    files = [KASU.parent / "Snakefile", *(KASU.parent / "rules").glob("*.smk")]
    found = {path.name for path in files if INTERNALS.search(path.read_text(encoding="utf-8"))}
    assert found == {"internals.smk"}


def test_every_script_is_named_as_a_rule():
    rules = "".join(p.read_text() for p in (KASU.parent / "rules").glob("*.smk"))
    scripts = {path.name for path in (KASU.parent / "scripts").glob("*.py")}
    assert {name for name in scripts if f"../scripts/{name}" not in rules} == set()


def rules() -> list[tuple[str, str]]:
    """Each rule and its text."""
    text = "".join(p.read_text() for p in sorted((KASU.parent / "rules").glob("*.smk")))
    parts = re.split(r"^(?:use rule \w+ as|rule) (\w+)", text, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def test_every_rule_but_downloads_has_the_hash_of_its_code():
    """By which it runs again after a change; downloads never do."""
    wrong = [
        name
        for name, block in rules()
        if re.search(r"^    (params|script):", block, re.M)
        and bool(re.search(r"^        code=(code|lambda )", block, re.M))
        == name.startswith("fetch_")
    ]
    assert wrong == []


def test_what_an_analyser_reads_is_an_input():
    """A package may update it, and it goes by content as other inputs do."""
    of_analysers = {name: block for name, block in rules() if "        analyser=" in block}
    assert sorted(of_analysers) == ["analyse_corpus", "analyse_treebank", "lemmatise"]
    for block in of_analysers.values():
        given, _, _ = block.partition("    output:")
        assert re.search(
            r"^        dictionary=(from_plan|lambda)\b.*dictionary", given, re.MULTILINE
        )
