"""Every verdict that bfloat16 changes is listed."""

import itertools
import json

import precision

from kasu.files.tables import read_tsv


def test_each_changed_verdict_with_its_margins(bert, tmp_path):
    # All orders of four words, two at a time: verdicts of a random network, some of them close
    orders = [" ".join(words) for words in itertools.permutations(["etxe", "gizon", "ikusi", "du"])]
    pairs = tmp_path / "pairs.jsonl"
    rows = [
        {"sentence_good": one, "sentence_bad": other}
        for one, other in itertools.combinations(orders, 2)
    ]
    pairs.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")

    precision.main(str(tmp_path), str(bert), "pll_original", str(pairs))

    (summary,) = read_tsv(tmp_path / "precision.tsv", precision.SUMMARY)
    changed = read_tsv(tmp_path / "precision_changed.tsv", precision.CHANGED)
    assert summary["verdicts"] == str(24 * 23 // 2)
    assert summary["texts"] == str(24 * 23)
    assert 0 < int(summary["changed"]) == len(changed) < 24
    right = {name: int(summary[f"right_{name}"]) for name in ("float32", "bfloat16")}
    won = [float(row["bfloat16"]) > 0 for row in changed]
    assert right["bfloat16"] - right["float32"] == won.count(True) - won.count(False)
    for row in changed:
        margins = [float(row["float32"]), float(row["bfloat16"])]
        assert min(margins) <= 0 <= max(margins)
        assert abs(margins[0] - margins[1]) <= 2 * float(summary["furthest_nat"]) + 1e-4
