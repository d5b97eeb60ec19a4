"""What mutation testing mutates, and which mutants it draws (`mutants`)."""

import ast
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cosmic_ray.work_item import MutationSpec, WorkItem

LIBRARY = Path("workflow/kasu")
LEFT_OUT = ("figures/*", "*/figures.py", "*/command.py", "*_command.py", "*/__init__.py")
LEAST = 20
SILENT = ("description", "title", "examples")  # arguments that only readers see
SAME = ("Eq_Is", "Is_Eq", "NotEq_IsNot", "IsNot_NotEq")

Span = tuple[tuple[int, int], tuple[int, int]]  # (line, column), from and up to


class Place(NamedTuple):
    """Where a fault can be planted, and the mutations that Cosmic Ray knows there.

    name: the module, the text of its line, where on it, and which of several such lines it is.
    """

    package: str
    name: str
    mutations: list["MutationSpec"]


def modules(root: Path) -> list[Path]:
    """The modules of all packages, relative to the root."""
    library = root / LIBRARY
    paths = (path.relative_to(library) for path in sorted(library.glob("*/**/*.py")))
    return [LIBRARY / path for path in paths if not any(path.match(left) for left in LEFT_OUT)]


def uninteresting(source: str) -> list[Span]:
    """The parts of a module that are not mutated."""
    lines = source.splitlines()

    def span(node: ast.AST) -> Span:
        # Python counts columns in bytes, Cosmic Ray in characters
        ends = ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))
        return tuple((at, len(lines[at - 1].encode()[:column].decode())) for at, column in ends)

    return [span(part) for node in ast.walk(ast.parse(source)) for part in _parts(node)]


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that are not mutated."""
    match node:
        case ast.AnnAssign(annotation=annotation):
            yield annotation
        case ast.arg(annotation=ast.AST() as annotation):
            yield annotation
        case ast.FunctionDef(returns=returns, decorator_list=decorators):
            yield from filter(None, (returns, *decorators))
        case ast.ClassDef(decorator_list=decorators):
            yield from decorators
        case ast.Raise():
            yield from (part for part in ast.walk(node) if isinstance(part, ast.JoinedStr))
        case ast.If(test=ast.Name("TYPE_CHECKING") | ast.Compare(left=ast.Name("__name__"))):
            yield node
        case ast.Call(func=ast.Attribute(value=ast.Name("log" | "logging" | "warnings"))):
            yield node
        case ast.Call(keywords=keywords):
            silent = ("strict",) if ast.unparse(node.func) == "zip" else SILENT
            yield from (keyword.value for keyword in keywords if keyword.arg in silent)


def places(root: Path, module: Path) -> list[Place]:
    """The places of a module, in its order."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names
    from cosmic_ray.work_item import MutationSpec

    source = (root / module).read_text(encoding="utf-8")
    lines = source.split("\n")
    left_out = uninteresting(source)
    nodes = list(ast_nodes(get_ast(source)))
    found: dict[Span, list[MutationSpec]] = defaultdict(list)
    for name in operator_names():
        operator = get_operator(name)
        if operator.arguments() or name.endswith((*SAME, "/RemoveDecorator")):
            continue
        spans = (span for node in nodes for span in operator().mutation_positions(node))
        for occurrence, (start, end) in enumerate(spans):
            left = any(first <= start and end <= last for first, last in left_out)
            # The bare `*` of a signature is no operator
            if not left and not lines[start[0] - 1][start[1] :].startswith("*,"):
                found[start, end].append(MutationSpec(module, name, occurrence, start, end))
    package = module.relative_to(LIBRARY).parts[0]
    named = []
    for (start, end), mutations in sorted(found.items()):
        # Not the number of the line: it moves with every change above
        line = lines[start[0] - 1]
        where = start[1], end[0] - start[0], end[1], lines[: start[0] - 1].count(line)
        named.append(Place(package, f"{module} {line!r} {where}", mutations))
    return named


# What is drawn


def rank(seed: int, *names: object) -> str:
    """A random order that depends on the seed and on nothing but the names."""
    return hashlib.blake2b(f"{seed} {names}".encode(), digest_size=8).hexdigest()


def quotas(sizes: Mapping[str, int], count: int, least: int = LEAST) -> dict[str, int]:
    """How many of `count` mutants each package gets: `least`, the others in proportion to its size.

    Args:
        sizes: how many places a package has.

    Raises:
        ValueError: `count` is less than `least` per package.
    """
    if (spare := count - least * len(sizes)) < 0:
        raise ValueError(f"{count} mutants; expected {least} for each of {len(sizes)} packages")
    shares = {name: spare * size / sum(sizes.values()) for name, size in sizes.items()}
    given = {name: least + int(share) for name, share in shares.items()}
    # The largest remainders get what rounding down has left
    left = sorted(shares, key=lambda name: (int(shares[name]) - shares[name], name))
    for name in left[: count - sum(given.values())]:
        given[name] += 1
    return given


def draw(
    root: Path, found: Iterable[Place], count: int, seed: int, least: int = LEAST
) -> list["WorkItem"]:
    """Draw mutants, one per place."""
    from cosmic_ray.work_item import WorkItem

    packages: dict[str, list[Place]] = defaultdict(list)
    for place in found:
        packages[place.package].append(place)
    wanted = quotas({name: len(places) for name, places in packages.items()}, count, least)
    items: list[WorkItem] = []
    for package, known in sorted(packages.items()):
        known.sort(key=lambda place: rank(seed, place.name))
        drawn = (item for place in known if (item := _mutant(root, place, seed)))
        items += [item for item, _ in zip(drawn, range(wanted[package]), strict=False)]
    return items


def _mutant(root: Path, place: Place, seed: int) -> "WorkItem | None":
    """One mutation of a place: the first in random order that makes another program."""
    from cosmic_ray.work_item import WorkItem

    order = sorted(range(len(place.mutations)), key=lambda at: rank(seed, place.name, at))
    for mutation in (place.mutations[at] for at in order):
        try:
            before, after = versions(root, mutation)
            if ast.dump(ast.parse(before)) != ast.dump(ast.parse(after)):
                return WorkItem.single(rank(seed, place.name), mutation)
        except (SyntaxError, AttributeError):
            # Cosmic Ray cannot replace `module.Error` in a tuple of exceptions
            continue
    return None


def versions(root: Path, mutation: "MutationSpec") -> tuple[str, str]:
    """A module without and with a mutation."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    source = (root / mutation.module_path).read_text(encoding="utf-8")
    operator = get_operator(mutation.operator_name)()
    return source, mutate_code(source, operator, mutation.occurrence)
