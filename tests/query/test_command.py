"""The command `kasu query`."""

import json
import subprocess
import sys

import pytest

from kasu.cli import main
from kasu.corpora.treebank import build_treebank, write_conllu

ERGATIVE = "pattern { N [upos=NOUN|PROPN|PRON, Case=Erg]; V -[nsubj]-> N } "
ABSOLUTIVE = "pattern { N [upos=NOUN|PROPN|PRON, Case=Abs]; V -[obj]-> N } "
TEXT = "The girl saw twodogs seen by girls."


@pytest.fixture
def treebank(tmp_path, sentence) -> str:
    """A CoNLL-U file of two sentences."""
    path = tmp_path / "a.conllu"
    other = sentence._replace(sentence_id="s2", comments=["# sent_id = s2"], text=None)
    write_conllu(path, [sentence, other])
    return str(path)


def test_one_line_per_match(treebank, capsys):
    assert main(["query", "pattern { e: V -[1=obl]-> N; M [lemma=girl] }", treebank]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "sentence_id\tmatch\tV\tN\tM\te\ttext",
        f"dogs\t1\t6:seen\t8:girls\t2:girl\tobl:agent\t{TEXT}",
        f"s2\t1\t6:seen\t8:girls\t2:girl\tobl:agent\t{TEXT}",
    ]


def test_matches_of_a_sentence_are_numbered(treebank, capsys):
    assert main(["query", "pattern { N [Number=Plur] }", treebank]) == 0
    rows = [line.split("\t")[:3] for line in capsys.readouterr().out.splitlines()]
    assert rows[1:] == [
        ["dogs", "1", "5:dogs"],
        ["dogs", "2", "8:girls"],
        ["s2", "1", "5:dogs"],
        ["s2", "2", "8:girls"],
    ]


def test_json_lines(treebank, capsys):
    assert main(["query", "--json", "pattern { e: V -[nsubj]-> S }", treebank]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0]) == {
        "treebank": treebank,
        "sentence_id": "dogs",
        "match": 1,
        "nodes": {
            "V": {"id": 3, "form": "saw", "lemma": "see", "upos": "VERB"},
            "S": {"id": 2, "form": "girl", "lemma": "girl", "upos": "NOUN"},
        },
        "edges": {"e": {"source": 3, "label": "nsubj", "target": 2}},
        "text": TEXT,
    }


def test_counts_of_several_treebanks(treebank, tmp_path, capsys):
    parquet = str(tmp_path / "b.parquet")
    build_treebank(treebank, parquet, tmp_path / "counts.tsv")
    assert main(["query", "--count", "pattern { N [Number=Plur] }", treebank, parquet]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "treebank\tsentences\tmatches", f"{treebank}\t2\t4", f"{parquet}\t2\t4", "total\t4\t8",
    ]  # fmt: skip


def test_counts_as_json(treebank, capsys):
    assert main(["query", "--count", "--json", "pattern { N [Number=Plur] }", treebank]) == 0
    expected = {"treebank": treebank, "sentences": 2, "matches": 4}
    assert json.loads(capsys.readouterr().out) == expected


def test_a_request_from_a_file(treebank, tmp_path, capsys):
    (tmp_path / "r.req").write_text("% mine\npattern { N [upos=DET] }")
    assert main(["query", str(tmp_path / "r.req"), treebank]) == 0
    assert "1:The" in capsys.readouterr().out


def test_no_match_is_status_1_and_names_what_is_missing(treebank, capsys):
    assert main(["query", "pattern { N [Cas=Nom]; N -[nsbj]-> M }", treebank]) == 1
    shown = capsys.readouterr()
    assert shown.out == "sentence_id\tmatch\tN\tM\ttext\n"
    assert shown.err == "note: no word has feature Cas\nnote: no word has label nsbj\n"


@pytest.mark.parametrize(
    ("request_text", "name", "message"),
    [
        ("pattern { N [ }", "a.conllu", "error: request:1:15: found '}'; expected a feature\n"),
        (
            "none.req",
            "a.conllu",
            "error: none.req: No such file or directory;"
            " expected a file, or a text such as pattern { N [] }\n",
        ),
        (
            "pattern { N [] }",
            "none.conllu",
            "none.conllu: no such treebank; expected a .conllu or .parquet file\n",
        ),
    ],
)
def test_an_error_is_one_line_and_status_2(treebank, capsys, request_text, name, message):
    assert main(["query", request_text, treebank.replace("a.conllu", name)]) == 2
    err = capsys.readouterr().err
    assert err.endswith(message)
    assert err.count("\n") == 1


def test_help_shows_an_example(capsys):
    with pytest.raises(SystemExit):
        main(["query", "--help"])
    assert "kasu query 'pattern {" in capsys.readouterr().out


def test_kasu_alone_lists_its_subcommands(capsys):
    assert main([]) == 2
    assert "search treebanks with a Grew request" in capsys.readouterr().err


def test_a_closed_pipe_ends_it_silently(treebank):
    command = [
        sys.executable,
        "-m",
        "kasu",
        "query",
        "pattern { A []; B []; C []; D [] }",
        treebank,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.real
@pytest.mark.parametrize(
    ("request_name", "treebanks", "last"),
    [
        ("kat/erg_nom.req", "UD_Georgian-GLC/*.conllu", "total\t81\t84"),
        ("eus/erg_abs.req", "UD_Basque-BDT/*.conllu", "total\t435\t450"),
        ("eus/intransitive_abs.req", "UD_Basque-BDT/*.conllu", "total\t654\t708"),
        ("eus/erg_abs_dat.req", "UD_Basque-BDT/*.conllu", "total\t22\t22"),
        ("eus/dat_abs.req", "UD_Basque-BDT/*.conllu", "total\t78\t80"),
        ("rus/nom_acc.req", "UD_Russian-GSD/*.conllu", "total\t233\t254"),
    ],
)
def test_counts_of_shipped_requests(mirror, requests, capsys, request_name, treebanks, last):
    paths = sorted(map(str, (mirror / "ud").glob(treebanks)))
    assert main(["query", "--count", str(requests / request_name), *paths]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == last


@pytest.mark.real
@pytest.mark.parametrize(
    ("request_text", "matches"),
    [
        (ERGATIVE, 1_177),
        (ERGATIVE + "without { V -[obj]-> O; O [Case=Abs] }", 735),
        (ABSOLUTIVE, 1_889),
        (ABSOLUTIVE + "without { V -[nsubj]-> S; S [Case=Erg] }", 1_425),
    ],
)
def test_overt_co_arguments_are_rare_in_basque(mirror, capsys, request_text, matches):
    paths = sorted(map(str, (mirror / "ud" / "UD_Basque-BDT").glob("*.conllu")))
    main(["query", "--count", request_text, *paths])
    assert capsys.readouterr().out.split()[-1] == str(matches)
