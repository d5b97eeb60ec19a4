"""The command `kasu query`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kasu.cli import main
from kasu.corpora.treebanks.treebank import build_treebank, write_conllu

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


def test_what_by_names_in_vain_is_noted(treebank, capsys):
    request = "pattern { N [upos=DET] }"
    assert main(["query", "--by", "N.Cas", "--json", request, treebank]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out) == {"N.Cas": "_", "matches": 2}
    assert shown.err == "note: no word has feature Cas\n"


def test_a_node_in_context(treebank, capsys):
    assert main(["query", "--context", "N", "pattern { N [Number=Plur] }", treebank]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "sentence_id\tleft\tN\tright",
        f"dogs\t{'The girl saw two':>40}\tdogs\tseen by girls .",
        f"dogs\t{'The girl saw two dogs seen by':>40}\tgirls\t.",
    ]
    assert len(lines) == 5
    request = "pattern { N [Number=Plur] }"
    assert main(["query", "--context", "N", "--json", request, treebank]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0]) == {
        "sentence_id": "dogs", "left": "The girl saw two", "N": "dogs", "right": "seen by girls .",
    }  # fmt: skip


def test_matches_counted_by_features_of_nodes_and_edges(treebank, capsys):
    request = "pattern { e: H -> N; N [upos=NOUN] }"
    names = ["--by", "N.lemma", "--by", "e.label", "--by", "N.Case"]
    assert main(["query", request, treebank, *names]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "N.lemma\te.label\tN.Case\tmatches",
        "dog\tobj\t_\t2",
        "girl\tnsubj\t_\t2",
        "girl\tobl:agent\t_\t2",
    ]
    assert main(["query", request, treebank, "--by", "e.2", "--json"]) == 0
    rows = map(json.loads, capsys.readouterr().out.splitlines())
    assert [*rows] == [{"e.2": "_", "matches": 4}, {"e.2": "agent", "matches": 2}]
    assert main(["query", "pattern { N [lemma=dog] }", treebank, "--by", "N.__id__"]) == 0
    assert capsys.readouterr().out.splitlines() == ["N.__id__\tmatches", "5\t2"]


@pytest.mark.parametrize("name", ["V.Number[obj]", "V.Number__obj"])
def test_matches_counted_by_a_layered_feature(treebank, capsys, name):
    assert main(["query", "pattern { V [lemma=see] }", treebank, "--by", name]) == 0
    out, err = capsys.readouterr()
    assert (out.splitlines(), err) == ([f"{name}\tmatches", "Plur\t2", "_\t2"], "")


def test_matches_counted_by_spans_and_comments(treebank, capsys):
    request = "pattern { e: H -> N; N [upos=NOUN] }"
    assert main(["query", request, treebank, "--by", "e.length", "--by", "e.delta"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "e.length\te.delta\tmatches", "2\t2\t4", "1\t-1\t2",
    ]  # fmt: skip
    assert main(["query", request, treebank, "--by", "meta.genre", "--by", "e.deep"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["_\t_\t3", "tale\t_\t3"]


def test_matches_do_not_hide_a_name_that_nobody_has(treebank, capsys):
    request = "pattern { V -[1=nsubj, !deep]-> S } without { S [Cas=Nom] }"
    assert main(["query", "--count", request, treebank]) == 0
    assert capsys.readouterr().err == (
        "note: no label has the part deep\nnote: no word has feature Cas\n"
    )


def test_a_treebank_without_heads_is_searched_and_told(tmp_path, capsys):
    (tmp_path / "t.conllu").write_text("1\tBat\tbat\tNUM" + "\t_" * 6 + "\n\n")
    path = str(tmp_path / "t.conllu")
    assert main(["query", "--count", "pattern { N [upos=NUM] }", path]) == 0
    assert capsys.readouterr().err == ""
    assert main(["query", "--count", "pattern { N -[nummod]-> M }", path]) == 1
    assert capsys.readouterr().err == "note: no word has a head\n"


def test_the_matched_sentences_each_once(treebank, capsys):
    request = "pattern { N [Number=Plur] }"  # two in each sentence
    assert main(["query", "--conllu", request, treebank]) == 0
    assert capsys.readouterr().out == Path(treebank).read_text()


def test_a_sample_is_drawn_from_all_and_keeps_their_order(treebank, capsys):
    def drawn(size, seed):
        options = ["--sample", str(size), "--seed", str(seed)]
        assert main(["query", "pattern { N [] }", treebank, *options]) == 0
        rows = (line.split("\t") for line in capsys.readouterr().out.splitlines()[1:])
        return [(row[0] == "s2", int(row[1])) for row in rows]

    everything = drawn(99, 1)
    for seed in range(1, 40):
        sample = drawn(3, seed)
        assert len(sample) == 3
        assert sample == sorted(sample)
        assert set(sample) <= set(everything)
        assert sample == drawn(3, seed)
    assert {each for seed in range(1, 80) for each in drawn(3, seed)} == set(everything)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--context", "M"], "error: --context: no node 'M'; expected N\n"),
        (["--by", "M.Case"], "error: --by: found 'M.Case'; expected N, a dot and a feature\n"),
        (["--by", "E.deep"], "error: --by: found 'E.deep'; expected N, a dot and a feature\n"),
        (["--by", "N"], "error: --by: found 'N'; expected N, a dot and a feature\n"),
        (["--json", "--conllu"], "error: --json: with --conllu; expected one of them\n"),
        (["--count", "--sample", "2"], "error: --sample: with --count; expected one of them\n"),
    ],
)
def test_an_option_that_does_not_fit_the_request(treebank, capsys, options, line):
    assert main(["query", "pattern { N [] }", treebank, *options]) == 2
    assert capsys.readouterr() == ("", line)


def test_an_error_of_a_treebank_stands_alone(tmp_path, capsys):
    (tmp_path / "a.conllu").write_text("no treebank\n\n")
    assert main(["query", "pattern { N [] }", str(tmp_path / "a.conllu")]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "label",
    ["1=nsubj,enhanced=yes", "enhanced=yes", "label=nsubj", "3=x", "!3", "!label"],
)
def test_parts_that_no_basic_edge_has_are_refused(treebank, capsys, label):
    assert main(["query", f"pattern {{ V -[{label}]-> S }}", treebank]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    expected = "of a label; expected 1, 2, subsem, deep, type (edges are those of the basic tree)\n"
    assert shown.err.endswith(expected)


@pytest.mark.parametrize("label", ["!enhanced", "1=nsubj, !enhanced", "!deep", "!type, !subsem"])
def test_parts_that_a_basic_edge_may_lack_are_answered(treebank, label):
    assert main(["query", "--count", f"pattern {{ V -[{label}]-> S }}", treebank]) == 0


def test_a_lexicon_is_refused_where_a_value_stands(treebank, capsys):
    assert main(["query", "pattern { N [lemma=lex.lemma] }", treebank]) == 2
    assert "found 'lex.lemma'; expected a value (quote one with" in capsys.readouterr().err
    assert main(["query", 'pattern { N [lemma="lex.lemma"] }', treebank]) == 1


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
