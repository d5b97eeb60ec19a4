"""The command `kasu audit`: what it prints and writes, and how it ends."""

import json
import re
import time
from html.parser import HTMLParser

import pytest

from kasu.cli import main
from kasu.files.tables import read_tsv

GOOD, BAD = "sentence_good", "sentence_bad"


def audit(capsys, *arguments):
    """Run; exit status, lines on stdout and lines on stderr."""
    status = main(["audit", *map(str, arguments)])
    printed = capsys.readouterr()
    return status, printed.out.splitlines(), printed.err.splitlines()


def test_every_null_is_one_line(benchmark, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    items = benchmark([{GOOD: "ab", BAD: "c"}] * 3 + [{GOOD: "a", BAD: "cd"}])
    status, out, err = audit(capsys, items)
    assert (status, err) == (0, ["written to items.audit: audit.tsv, audit.json, audit.html"])
    assert out[:3] == [
        "check\tname\tgroup\titems\tfound\tpercent\tlow\thigh\tsays",
        "form\tidentical texts\tall\t4\t0\t0.0\t\t\t",
        "form\tempty texts\tall\t4\t0\t0.0\t\t\t",
    ]
    assert [line for line in out if line.startswith("null")] == [
        "null\tlonger\tall\t4\t\t75.0\t30.1\t95.4\t"
        "best of 5; 21.8–97.0 corrected for 5 tried; not above chance (50.0)",
        "null\tshorter\tall\t4\t\t25.0\t4.6\t69.9\t",
        "null\tmore words\tall\t4\t\t50.0\t15.0\t85.0\t",
        "null\tfewer words\tall\t4\t\t50.0\t15.0\t85.0\t",
        "null\tcopying the context\tall\t4\t\t50.0\t15.0\t85.0\t",
    ]


def test_what_solves_a_phenomenon_is_printed_and_named(benchmark, capsys, tmp_path):
    """Over all items each null is right in half."""
    rows = [{GOOD: "ab", BAD: "c", "type": "x"}, {GOOD: "a", BAD: "cd", "type": "y"}] * 90
    rows += [{GOOD: "ab", BAD: "cd", "type": "z"}] * 2
    status, out, err = audit(capsys, benchmark(rows), "--out", tmp_path / "out")
    assert status == 0
    assert err[0].endswith("audit.html; rows by type without a flaw stand there alone")
    solved = "best of 5; 91.3–100.0 corrected for 15 tried; solves it"
    assert [line for line in out if line.split("\t")[2] in ("x", "y", "z")] == [
        f"null\tlonger\tx\t90\t\t100.0\t95.9\t100.0\t{solved}",
        f"null\tshorter\ty\t90\t\t100.0\t95.9\t100.0\t{solved}",
        "power\tsmallest difference of two models\tz\t2\t\t\t\t\ttoo few items",
    ]
    page = (tmp_path / "out/audit.html").read_text()
    named = page.partition("<p>Named:</p>")[2].partition("</ul>")[0]
    assert re.findall(r"<li>(.*?)[:<]", named) == [
        "duplicates, 98.4 %", "longer (type x), 100.0 %", "shorter (type y), 100.0 %",
    ]  # fmt: skip


def test_the_files_agree(benchmark, capsys, tmp_path):
    rows = [{GOOD: "ab", BAD: "c", "type": kind} for kind in "xyxy"]
    status, out, _ = audit(capsys, benchmark(rows), "--out", tmp_path / "out", "--json")
    assert status == 0
    found = json.loads("\n".join(out))
    assert (tmp_path / "out/audit.json").read_text() == "\n".join(out) + "\n"
    assert {name: found[name] for name in ("file", "form", "items", "options", "chance")} == {
        "file": "items.jsonl", "form": "minimal pairs", "items": 4, "options": 2, "chance": 0.5,
    }  # fmt: skip
    table = read_tsv(tmp_path / "out/audit.tsv")
    assert len(table) == len(found["findings"]) == 9 + 3 * (5 + 1)
    for row, finding in zip(table, found["findings"], strict=True):
        assert (row["name"], row["group"]) == (finding["name"], finding["group"] or "")
        assert row["share"] == ("" if finding["share"] is None else str(finding["share"]))
    page = (tmp_path / "out/audit.html").read_text()
    assert "longer" in page
    assert "minimal pairs, 4 items of 2 options, chance 50.0 %, 2 phenomena (column type)" in page
    assert "http" not in page.replace("http-equiv", "")  # no address: the page is self-contained


def test_a_phenomenon_of_one_item_is_one_line(benchmark, capsys, tmp_path):
    items = benchmark([{GOOD: "a", BAD: "b", "type": kind} for kind in "xxy"])
    status, out, err = audit(capsys, items, "--out", tmp_path / "out")
    line = "one item of type 'y'; expected two or more of each; or another --by, '' for none"
    assert (status, out, err) == (2, [], [f"error: {items}: {line}"])


@pytest.mark.parametrize(("limit", "status"), [("0.75", 0), ("0.74", 1), ("1", 0)])
def test_fail_above(benchmark, capsys, tmp_path, limit, status):
    items = benchmark([{GOOD: "ab", BAD: "c"}] * 3 + [{GOOD: "a", BAD: "cd"}])
    options = ["--out", tmp_path / "out", "--fail-above", limit]
    assert audit(capsys, items, *options)[0] == status
    assert (tmp_path / "out/audit.html").exists()


@pytest.mark.parametrize("limit", ["60", "-1", "nan", "x"])
def test_a_share_is_0_to_1(benchmark, capsys, limit):
    with pytest.raises(SystemExit):
        main(["audit", str(benchmark([{GOOD: "a", BAD: "b"}])), "--fail-above", limit])
    assert "argument --fail-above" in capsys.readouterr().err


class Elements(HTMLParser):
    """The elements of a page and its text."""

    def __init__(self):
        super().__init__()
        self.names, self.text = set(), ""

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)

    def handle_data(self, data):
        self.text += data


HOSTILE = [
    "<script>alert(1)</script>", "</style><img src=x onerror=alert(1)>", "\x1b[31mred", "a\u202eb",
    "{{ 7 * 7 }}", "=cmd|' /C calc'!A1", "@SUM(1)", "+1", "-1", "a\tb\nc\rd",
]  # fmt: skip


def test_what_comes_from_data_neither_runs_nor_breaks_a_table(benchmark, capsys, tmp_path):
    rows = [
        {GOOD: text, BAD: text, "type": text, "item_id": f"{number}{text}"}
        for number, text in enumerate(HOSTILE * 2)
    ]
    items = benchmark(rows)
    status, _, _ = audit(capsys, items, "--out", tmp_path / "out")
    assert status == 0
    page = Elements()
    page.feed((tmp_path / "out/audit.html").read_text(encoding="utf-8"))
    assert page.names.isdisjoint({"script", "img", "iframe", "link", "a"})
    assert "<script>alert(1)</script>" in page.text
    assert "{{ 7 * 7 }}" in page.text
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", page.text)
    groups = {row["group"] for row in read_tsv(tmp_path / "out/audit.tsv")}
    assert {"'=cmd|' /C calc'!A1", "'@SUM(1)", "'+1", "'-1", r"a\tb\nc\rd"} <= groups
    assert not any(re.match(r"[=+\-@]", group) for group in groups)


@pytest.mark.parametrize("name", ["audit.tsv", "audit.json", "audit.html"])
def test_an_output_that_is_an_input_is_refused(tmp_path, capsys, name):
    items = tmp_path / "audit.tsv"
    items.write_text(f"{GOOD}\t{BAD}\na\tb\n")
    if name != "audit.tsv":
        (tmp_path / name).symlink_to(items)
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / name).symlink_to(items)
    out = tmp_path if name == "audit.tsv" else tmp_path / "out"
    status, printed, err = audit(capsys, items, "--out", out)
    assert (status, printed) == (2, [])
    found = f"an input of this command ({items}); expected another output"
    assert err == [f"error: {out / name}: {found}"]
    assert items.read_text() == f"{GOOD}\t{BAD}\na\tb\n"


def test_an_output_that_is_a_folder_is_refused(benchmark, capsys, tmp_path):
    (tmp_path / "out/audit.json").mkdir(parents=True)
    items = benchmark([{GOOD: "a", BAD: "b"}])
    status, _, err = audit(capsys, items, "--out", tmp_path / "out")
    line = f"error: {tmp_path}/out/audit.json: a folder; expected a file to write"
    assert (status, err) == (2, [line])


def test_the_same_input_gives_the_same_bytes(benchmark, capsys, tmp_path, clean):
    items = benchmark([row | {"lemma": f"l{n % 9}"} for n, row in enumerate(clean["pairs"](1))])
    for name in ("one", "two"):
        audit(capsys, items, "--out", tmp_path / name)
    for file in ("audit.tsv", "audit.json", "audit.html"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_ten_thousand_pairs_take_seconds(benchmark, capsys, tmp_path, clean):
    items = benchmark(clean["pairs"](1, 10_000))
    began = time.process_time()
    assert audit(capsys, items, "--out", tmp_path / "out")[0] == 0
    assert time.process_time() - began < 10
