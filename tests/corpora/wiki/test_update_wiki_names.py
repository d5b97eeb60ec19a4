"""The maker of the table of names, on a source tree of four languages."""

import runpy
import sys

import pytest

from kasu.base.errors import KasuError
from kasu.base.paths import ROOT
from kasu.files.tables import read_tsv

TREE = {
    "includes/languages/data/Names.php": """class Names {
        public static $names = [ 'aa' => 'Afar', # not 'bb'
            'aa-cyrl' => 'Афар', 'pt-br' => 'português', ]; }""",
    "includes/language/LanguageCode.php": """
        private const DEPRECATED_LANGUAGE_CODE_MAPPING = [
            // Old ones
            'x-old' => 'xx', // T1
        ];""",
    "includes/language/converters/XxConverter.php": """
    public function getLanguageVariants(): array {
        return [ 'xx', 'xx-two', 'xx-gone' ];
    }""",
    "includes/MagicWordFactory.php": """
        private $mVariableIDs = [ '!', 'pagename', 'server' ];
        private $mDoubleUnderscoreIDs = [ 'notoc' ];""",
    "includes/parser/CoreParserFunctions.php": """
        $noHashFunctions = [ 'lc' ];
        $parser->setFunctionHook( 'int', [ __CLASS__, 'int' ], Parser::SFH_NO_HASH );
        $parser->setFunctionHook( 'tag', [ __CLASS__, 'tag' ], Parser::SFH_OBJECT_ARGS );""",
    "languages/messages/MessagesEn.php": """<?php
$fallback = false;
$namespaceNames = [ NS_MEDIA => 'Media', NS_TALK => 'Talk', NS_FILE => 'File' ];
$namespaceAliases = [ 'Image' => NS_FILE, ];
$magicWords = [
    '!' => [ 1, '!' ],
    'redirect' => [ 0, '#REDIRECT' ],
    'notoc' => [ 0, '__NOTOC__' ],
    'pagename' => [ 1, 'PAGENAME' ],
    'server' => [ 0, 'SERVER' ],
    'lc' => [ 0, 'LC:' ],
    'int' => [ 0, 'INT:' ],
    'tag' => [ 0, 'tag' ],
    'img_left' => [ 1, 'left' ],
];""",
    "languages/messages/MessagesXx.php": """<?php
$fallback = 'xx-two, xx-lost';
$namespaceNames = array( NS_FILE => 'D\\'ata', NS_CATEGORY => "Kata" );
$namespaceGenderAliases = [ NS_CATEGORY => [ 'male' => 'Kato', 'female' => 'Kata' ] ];
$magicWords = [
    'redirect' => [ '0', '#IR', '#REDIRECT' ],
    'notoc' => [ '__NE__' ], /* without a number */
    'lc' => [ '0', 'PET:' , 'a|b' ],
];""",
    "languages/messages/MessagesXx_two.php": "<?php\n$rtl = true;\n",
    "extensions-core/If/If.magic.php": """<?php
$magicWords['en'] = [ 'if' => [ 0, 'if' ], 'default' => [ 0, '#default' ] ];
$magicWords['xx'] = [ 'if' => [ 0, 'se' ], ];""",
    "langlist": "aa\nxx\n",
    "Pages.magic.php": "<?php\n$magicWords['en'] = [ 'disambig' => [ '1', '__DISAMBIG__' ] ];",
}


def table_of(folder, monkeypatch, tree):
    for name, text in tree.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    files = [folder, folder / "langlist", folder / "Pages.magic.php"]
    argv = ["x", *map(str, files), "--table", str(folder / "names.tsv")]
    monkeypatch.setattr(sys, "argv", argv)
    runpy.run_path(str(ROOT / "tools" / "update_wiki_names.py"), run_name="__main__")
    rows = [tuple(row.values()) for row in read_tsv(folder / "names.tsv")]
    assert rows == sorted(rows)
    return rows


def test_the_rows_of_a_source_tree(tmp_path, monkeypatch):
    first, *rows = table_of(tmp_path, monkeypatch, TREE)
    assert first[:4] == ("", "languages", "", "")
    assert {"aa", "xx", "aa-cyrl", "pt-br", "nb"} <= set(first[4].split("|"))
    assert [" ".join(row) for row in rows] == [
        "en function ! case !",
        "en function if  #if",
        "en function int  INT",
        "en function lc  LC",
        "en function pagename case PAGENAME",
        "en function tag  #tag",
        "en namespace -2  Media",
        "en namespace 6  File|Image",
        "en redirect redirect  #REDIRECT",
        "en switch disambig case __DISAMBIG__",
        "en switch notoc  __NOTOC__",
        "no code   nb",
        "simple code   en",
        "x-old code   xx",
        "xx fallback   xx-two",
        "xx function if  #se",
        "xx function lc  PET",
        "xx namespace 14  Kata|Kato",
        "xx namespace 6  D'ata",
        "xx redirect redirect  #IR",
        "xx switch notoc  __NE__",
        "xx variants   xx-two",
    ]


def test_a_name_that_would_be_two_is_an_error(tmp_path, monkeypatch):
    file = "languages/messages/MessagesXx.php"
    tree = TREE | {file: TREE[file].replace("'Kato'", "'Ka|to'")}
    with pytest.raises(KasuError, match=r"xx, namespace 14: the name 'Ka\|to'; expected a name"):
        table_of(tmp_path, monkeypatch, tree)
