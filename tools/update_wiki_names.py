"""Write the table of MediaWiki's names in all languages from a copy of its source.

    python tools/update_wiki_names.py MEDIAWIKI LANGLIST [MAGIC ...]

MEDIAWIKI is the folder of a release, with its extensions. LANGLIST is Wikimedia's list of the
codes of its wikis. MAGIC are files of magic words of other extensions (`*.magic.php`). The script
rewrites `resources/mediawiki/names.tsv`; the README beside it says where its names come from.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.corpora.wiki.names import COLUMNS, TABLE
from kasu.files.tables import write_tsv

# The namespaces whose names decide what a reader of an article sees
NAMESPACES = {"NS_MEDIA": "-2", "NS_FILE": "6", "NS_TEMPLATE": "10", "NS_CATEGORY": "14"}
# Words that the parser itself looks for in front of a template's name
MODIFIERS = ("int", "msg", "msgnw", "raw", "safesubst", "subst")
# Functions that extensions outside the release call without `#`
BARE = ("noexternallanglinks", "shortdesc")
# The variables and functions that show nothing, or a text that their arguments and page give
FUNCTIONS = """
! = anchorencode basepagename bidi defaultsort directionmark displaytitle expr formatnum
fullpagename gender grammar if ifeq iferror ifexist ifexpr int invoke language lc lcfirst msg msgnw
namespace noexternallanglinks padleft padright pagename plural raw rootpagename safesubst shortdesc
sitename subpagename subst switch tag time uc ucfirst urlencode
"""
# Codes that link to a wiki but do not name one, and wikis founded since the list was stored; not
# `mos`, with which English pages about style begin
MORE_CODES = """
nb zh-cn zh-tw ann bbc bdr bew bol dga dtp fon iba igl isv kai kaj kge knc kus mag nr nup ppl rki
rsk syl tdd tig tok zgh
"""
# Codes of wikis that stand for another code, besides those that MediaWiki lists
WRITTEN_IN = {"no": "nb", "simple": "en"}

_TOKEN = re.compile(
    r"\s+|(?:\#|//)[^\n]*|/\*.*?\*/"
    r"|(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")|(?P<word>[\w$:\\-]+)|(?P<mark>=>|.)",
    re.DOTALL,
)

Value = str | dict[str, "Value"]
Row = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mediawiki", type=Path)
    parser.add_argument("langlist", type=Path)
    parser.add_argument("magic", type=Path, nargs="*")
    parser.add_argument("--table", type=Path, default=TABLE)
    arguments = parser.parse_args()
    root = arguments.mediawiki
    wikis = [*arguments.langlist.read_text(encoding="utf-8").split(), *MORE_CODES.split()]
    rows = [*read_codes(root, wikis), *read_variants(root), *read_messages(root)]
    rows += read_words(root, arguments.magic)
    rows.sort(key=lambda row: [row[column] for column in COLUMNS])
    write_tsv(arguments.table, rows, COLUMNS)


def read_codes(root: Path, wikis: list[str]) -> Iterator[Row]:
    """The codes that links to other languages begin with, and those that stand for another code.

    MediaWiki has names for more languages than there are wikis in; a title may begin with the code
    of one of these, but hardly with one of several parts, such as `pt-br`.
    """
    names = assigned(root / "includes/languages/data/Names.php", r"static \$names = ")
    yield row("", "languages", "", sorted({*wikis, *(code for code in names if "-" in code)}))
    file = root / "includes/language/LanguageCode.php"
    stand_for = assigned(file, "DEPRECATED_LANGUAGE_CODE_MAPPING = ") | WRITTEN_IN
    for code, meant in stand_for.items():
        yield row(code, "code", "", [meant])


def read_variants(root: Path) -> Iterator[Row]:
    """The variants that a wiki is written in, whose names of namespaces are names there too."""
    named = dict(languages(root))
    for file in sorted((root / "includes/language/converters").glob("*Converter.php")):
        variants = assigned(file, r"function getLanguageVariants\(\): array \{\s*return ")
        main, *others = variants.values()
        if others := [code for code in others if code in named]:
            yield row(main, "variants", "", others)


def read_messages(root: Path) -> Iterator[Row]:
    """Fallbacks, and names of namespaces with their aliases."""
    files = dict(languages(root))
    for code, file in files.items():
        fallbacks = assigned(file, r"^\$fallback = ", "").split(", ")
        if known := [fallback for fallback in fallbacks if fallback in files]:
            yield row(code, "fallback", "", known)
        found: dict[str, list[str]] = {number: [] for number in NAMESPACES.values()}
        for namespace, name in assigned(file, r"^\$namespaceNames = ").items():
            found.get(NAMESPACES.get(namespace, ""), []).append(name)
        for alias, namespace in assigned(file, r"^\$namespaceAliases = ").items():
            found.get(NAMESPACES.get(namespace, ""), []).append(alias)
        for namespace, forms in assigned(file, r"^\$namespaceGenderAliases = ").items():
            found.get(NAMESPACES.get(namespace, ""), []).extend(forms.values())
        for number, names in found.items():
            if names:
                yield row(code, "namespace", number, names)


def read_words(root: Path, extensions: list[Path]) -> Iterator[Row]:
    """Redirects, behaviour switches, variables and parser functions."""
    core = {code: assigned(file, r"^\$magicWords = ") for code, file in languages(root)}
    kinds = core_kinds(root)
    yield from rows_of(core, {word: kinds[word] for word in core["en"] if word in kinds})
    for file in [*sorted(root.glob("extensions-core/*/*.magic.php")), *extensions]:
        text = file.read_text(encoding="utf-8")
        codes = re.findall(r"^\$magicWords\['([\w-]+)'\] = ", text, re.MULTILINE)
        words = {code: assigned(file, rf"^\$magicWords\['{code}'\] = ") for code in codes}
        yield from rows_of(words, extension_kinds(words["en"]))


def core_kinds(root: Path) -> dict[str, str]:
    """What each magic word of the core is."""
    factory = root / "includes/MagicWordFactory.php"
    functions = root / "includes/parser/CoreParserFunctions.php"
    text = functions.read_text(encoding="utf-8")
    hooks = re.findall(r"setFunctionHook\(\s*'(\w+)'(.*?)\);", text, re.DOTALL)
    bare = [name for name, rest in hooks if "SFH_NO_HASH" in rest]
    bare += assigned(functions, r"\$noHashFunctions = ").values()
    bare += assigned(factory, r"\$mVariableIDs = ").values()
    kinds = {name: "#function" for name, _ in hooks} | dict.fromkeys(
        [*bare, *MODIFIERS], "function"
    )
    switches = assigned(factory, r"\$mDoubleUnderscoreIDs = ").values()
    return kinds | dict.fromkeys(switches, "switch") | {"redirect": "redirect"}


def extension_kinds(english: dict[str, Value]) -> dict[str, str]:
    """What each magic word of an extension is; parameters of functions are none of these."""
    kinds = {}
    for word, value in english.items():
        if (name := synonyms(value)[0]).startswith("__"):
            kinds[word] = "switch"
        elif word in BARE:
            kinds[word] = "function"
        elif not name.startswith("#") and "_" not in word:
            kinds[word] = "#function"
    return kinds


def rows_of(words: dict[str, dict[str, Value]], kinds: dict[str, str]) -> Iterator[Row]:
    """The names of these words in each language; English says whether case matters."""
    for word, kind in kinds.items():
        if kind.endswith("function") and word not in FUNCTIONS.split():
            continue
        mark = "#" if kind == "#function" else ""
        case = "case" if words["en"][word]["0"] == "1" else ""
        english = names_of(words["en"][word], kind, mark)
        for code, own in words.items():
            names = names_of(own.get(word, {}), kind, mark)
            if names := english if code == "en" else [n for n in names if n not in english]:
                yield row(code, kind.removeprefix("#"), word.lower(), names, case)


def names_of(value: dict[str, Value], kind: str, mark: str) -> list[str]:
    names = synonyms(value)
    if kind.endswith("function"):
        # A name with a bar, as one language has it, cannot be written in wikitext
        names = [mark + name.removesuffix(":") for name in names if "|" not in name]
    return names


def synonyms(value: dict[str, Value]) -> list[str]:
    """The names of a magic word; some languages leave out the number before them."""
    return [name for name in value.values() if name not in {"0", "1"}]


def row(language: str, kind: str, word: str, names: object, case: str = "") -> Row:
    names = list(dict.fromkeys(names))
    if unfit := [name for name in names if not name or "|" in name]:
        raise KasuError(f"{language}, {kind} {word}", f"the name {unfit[0]!r}", "a name without |")
    return dict(zip(COLUMNS, (language, kind, word, case, "|".join(names)), strict=True))


def languages(root: Path) -> Iterator[tuple[str, Path]]:
    for file in sorted((root / "languages/messages").glob("Messages*.php")):
        yield file.stem.removeprefix("Messages").lower().replace("_", "-"), file


def assigned(file: Path, pattern: str, default: object = None) -> Value:
    """The value that a PHP file assigns where `pattern` ends; lists have their places as keys."""
    text = file.read_text(encoding="utf-8")
    # Some files align the signs of equality
    found = re.search(pattern.replace(" = ", r"\s*=\s*"), text, re.MULTILINE)
    if found is None:
        return {} if default is None else default
    tokens = (token for token in _TOKEN.finditer(text, found.end()) if token.lastgroup)
    return parse(tokens, next(tokens))


def parse(tokens: Iterator[re.Match], token: re.Match) -> Value:
    """A string, a constant or an array of PHP."""
    if token["text"]:
        return re.sub(r"\\(['\"\\])", r"\1", token["text"][1:-1])
    if token["word"] and token["word"] != "array":
        return token["word"]
    if token["word"]:
        next(tokens)
    values: dict[str, Value] = {}
    for token in tokens:
        if token[0] in "])":
            break
        if token[0] == "=>":
            _, key = values.popitem()
            values[key] = parse(tokens, next(tokens))
        elif token[0] != ",":
            values[str(len(values))] = parse(tokens, token)
    return values


if __name__ == "__main__":
    main()
