"""Scores of files by models of a folder: the same for every batch size, resumable, plain errors."""

import json
import math
import random
from collections import Counter

import pyarrow.parquet as pq
import pytest
import torch
from transformers import BertForMaskedLM, GPT2LMHeadModel

from kasu.base.errors import KasuError
from kasu.lm.models.definitions import DEFINITIONS
from kasu.lm.models.language_model import LanguageModel, load_model
from kasu.lm.models.shortcuts import PackedLinear
from kasu.lm.scoring import score as scoring
from kasu.lm.scoring.entries import EncodedText, encode_items
from kasu.lm.scoring.items import ItemText
from kasu.lm.scoring.score import (
    SCORES,
    Scoring,
    ToScore,
    make_batches,
    make_shards,
    score_file,
    score_rows,
    score_together,
)

CPU = torch.device("cpu")
MASKED = [name for name, rule in DEFINITIONS.items() if rule.kind == "masked"]


def made_items(number=30, longest=9):
    draw = random.Random(5)
    words = ["etxe", "etxea", "gizonak", "gizon", "du", "ikusi", "otso", "."]
    items = []
    for at in range(number):
        frame = draw.choices(words, k=draw.randint(2, longest))
        frame[draw.randrange(len(frame))] = "[MASK]"
        masked = " ".join(frame)
        for form in ("gizonak", "gizona", "etxe"):
            text = masked.replace("[MASK]", form)
            items.append(ItemText(f"i{at}", f"form_{form}", text, masked, form))
    return items


def write_items(path, items):
    rows = {}
    for item in items:
        row = rows.setdefault(item.item_id, {"item_id": item.item_id, "masked": item.masked})
        row[item.column] = item.form
    path.write_text("".join(json.dumps(row) + "\n" for row in rows.values()), "utf-8")
    return path


def run(folder, model, items, keep=False, **settings):
    settings = {"definitions": ["pll_original"], "device": "cpu", "threads": 1} | settings
    paths = [folder / name for name in ("scores.parquet", "drops.tsv", "work")]
    score_file(model, items, *paths, Scoring(**settings), keep=keep)
    return paths[0]


def one_by_one(network, model, item, definition):
    """The sum of log probabilities, one context at a time, by the plain network."""
    rule = DEFINITIONS[definition]
    (entry,) = encode_items(model, [item], definition, "error", Counter())
    total = 0.0
    for query in rule.queries(entry.text, model.mask):
        with torch.inference_mode():
            logp = network(input_ids=torch.tensor([query.ids])).logits[0].log_softmax(dim=1)
        for at, token in zip(query.positions, query.targets, strict=True):
            value = float(logp[at, token])
            total += value if rule.floor is None else max(value, rule.floor)
    return total / (math.log(2) if rule.unit == "bit" else 1)


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_batches_score_like_a_loop(bert, gpt2, definition):
    kind = DEFINITIONS[definition].kind
    folder, network = (bert, BertForMaskedLM) if kind == "masked" else (gpt2, GPT2LMHeadModel)
    model = load_model(folder, kind, device=CPU)
    plain = network.from_pretrained(folder).eval()
    items = made_items(5)
    entries = encode_items(model, items, definition, "error", Counter())
    found = [row["log_probability"] for row in score_rows(model, entries, definition, 64)]
    expected = [one_by_one(plain, model, item, definition) for item in items]
    assert found == pytest.approx(expected, abs=1e-4)
    assert len(set(found)) > 5


@pytest.mark.parametrize("definition", ["pll_within_word_l2r", "word_released"])
def test_scores_do_not_depend_on_batch_or_order(bert, definition):
    model = load_model(bert, "masked", device=CPU)
    items = made_items()
    mixed = [made_items()[3 * at + form] for at in random.Random(1).sample(range(30), 30)
             for form in range(3)]  # fmt: skip
    runs = []
    for order, tokens in ((items, 2048), (items, 1), (mixed, 100)):
        entries = encode_items(model, order, definition, "error", Counter())
        rows = score_rows(model, entries, definition, tokens)
        runs.append({(row["item_id"], row["column"]): row["log_probability"] for row in rows})
    for other in runs[1:]:
        assert other == pytest.approx(runs[0], abs=1e-4)


def test_batches_hold_one_length_and_keep_their_bounds():
    asked = {(0,) * length + (number,): [None] * 2 for length in (3, 1) for number in range(5)}
    batches = list(make_batches(asked, tokens=8, answers=6))
    lengths = [[len(ids) for ids in batch] for batch in batches]
    assert lengths == [[2, 2, 2], [2, 2], [4, 4], [4, 4], [4]]
    assert [len(batch) for batch in make_batches(asked, tokens=1, answers=6)] == [1] * 10


def test_an_item_is_never_divided(bert):
    model = load_model(bert, "masked", device=CPU)
    entries = encode_items(model, made_items(), "pll_original", "error", Counter())
    shards = list(make_shards(entries, 300))
    assert len(shards) > 3
    assert sorted(place for shard in shards for place in shard) == list(range(90))
    assert all(len({place // 3 for place in shard}) * 3 == len(shard) for shard in shards)


def test_equal_texts_tie_for_what_is_equal_is_computed_once(bert, gpt2, monkeypatch):
    # No token of either word is known
    items = [
        ItemText("1", column, f"gizona {word} da") for column, word in (("a", "Ѭ"), ("b", "Ꮳ"))
    ]
    for network, definition in ((bert, "pll_original"), (gpt2, "causal")):
        model = load_model(network, DEFINITIONS[definition].kind, device=CPU)
        computed = []

        def spy(ids, rows, positions, targets, model=model, computed=computed):
            computed.extend(
                (*ids[row].tolist(), position, target)
                for row, position, target in zip(rows, positions, targets, strict=True)
            )
            return LanguageModel.log_probabilities(model, ids, rows, positions, targets)

        monkeypatch.setattr(model, "log_probabilities", spy)
        entries = encode_items(model, items, definition, "error", Counter())
        assert entries[0].text.ids == entries[1].text.ids
        one, two = score_rows(model, entries, definition, 512)
        assert one["log_probability"] == two["log_probability"] < 0
        assert len(computed) == len(set(computed)) == one["scored"]


def test_the_head_is_computed_only_where_it_is_needed(bert, gpt2):
    for folder, kind in ((bert, "masked"), (gpt2, "causal")):
        model = load_model(folder, kind, device=CPU)
        rows = []
        head = model.network.get_output_embeddings()
        head.register_forward_hook(lambda module, inputs, output, rows=rows: rows.append(output))
        model.log_probabilities(torch.ones(4, 7, dtype=torch.long), [0, 3], [2, 5], [1, 1])
        assert [output.shape[:-1].numel() for output in rows] == [2]


def test_a_network_of_another_structure_is_computed_everywhere(bert):
    model = load_model(bert, "masked", device=CPU)
    network = BertForMaskedLM.from_pretrained(bert).eval()
    other = torch.nn.Module()
    other.forward = lambda input_ids: network(input_ids=input_ids)
    strange = LanguageModel(other, model.tokenizer, kind="masked", name="other", device=CPU)
    question = (torch.tensor([[2, 5, 6, 3]]), [0, 0], [1, 2], [5, 6])
    expected = model.log_probabilities(*question)
    torch.testing.assert_close(strange.log_probabilities(*question), expected)


def test_linear_layers_are_packed_only_where_that_is_exact(bert, monkeypatch):
    packed = load_model(bert, "masked", device=CPU)
    assert any(isinstance(layer, PackedLinear) for layer in packed.network.modules())
    monkeypatch.setattr(PackedLinear, "forward", lambda self, inputs: inputs.new_zeros(1))
    plain = load_model(bert, "masked", device=CPU)
    assert not any(isinstance(layer, PackedLinear) for layer in plain.network.modules())


def test_bfloat16_is_near(bert):
    items = made_items(4)
    runs = []
    for dtype in ("float32", "bfloat16"):
        model = load_model(bert, "masked", device=CPU, dtype=dtype)
        entries = encode_items(model, items, "pll_original", "error", Counter())
        runs.append([row["per_token"] for row in score_rows(model, entries, "pll_original", 512)])
    assert runs[0] != runs[1]
    assert runs[1] == pytest.approx(runs[0], abs=0.5)


def test_a_file_of_scores(tmp_path, bert):
    items = write_items(tmp_path / "items.jsonl", made_items(3))
    path = run(tmp_path, bert, items, definitions=["word_released", "pll_original"])
    table = pq.read_table(path)
    assert table.schema.equals(SCORES)
    rows = table.to_pylist()
    assert [row["definition"] for row in rows] == ["word_released"] * 9 + ["pll_original"] * 9
    assert [row["column"] for row in rows[:3]] == ["form_gizonak", "form_gizona", "form_etxe"]
    word = rows[0]  # gizon ##ak
    counts = ("tokens", "scored", "unknown", "words", "characters", "bytes")
    assert [word[name] for name in counts] == [2, 2, 0, 1, 7, 7]
    assert word["per_token"] == word["log_probability"] / 2
    assert word["per_byte"] == word["log_probability"] / 7
    sentence = rows[9]
    assert sentence["words"] == len(made_items(1)[0].sentence.split())
    assert (tmp_path / "drops.tsv").read_text() == "reason\tcount\n"
    assert not (tmp_path / "work").exists()


def test_what_is_stored_is_not_computed_again(tmp_path, bert, monkeypatch):
    items = write_items(tmp_path / "items.jsonl", made_items(3))
    whole = run(tmp_path, bert, items, keep=True).read_bytes()
    assert (tmp_path / "work").is_dir()
    (tmp_path / "scores.parquet").unlink()
    monkeypatch.setattr(scoring, "sum_queries", None)
    assert run(tmp_path, bert, items).read_bytes() == whole
    assert not (tmp_path / "work").exists()


def test_a_run_that_was_cut_off_continues_to_the_same_bytes(tmp_path, bert, monkeypatch):
    items = write_items(tmp_path / "items.jsonl", made_items(24))
    settings = {"definitions": ["pll_original", "word_released"], "tokens_per_batch": 48}
    whole = run(tmp_path / "whole", bert, items, **settings).read_bytes()
    done = []
    real = scoring.sum_queries

    def counting(*arguments):
        done.append(1)
        if len(done) == 4:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(scoring, "sum_queries", counting)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "cut", bert, items, **settings)
    assert len(list((tmp_path / "cut/work").glob("*.pt"))) == 3
    assert run(tmp_path / "cut", bert, items, **settings).read_bytes() == whole
    resumed = len(done) - 4
    assert run(tmp_path / "again", bert, items, **settings).read_bytes() == whole
    assert len(done) - 4 - resumed == resumed + 3


def test_files_that_are_scored_together_have_the_bytes_of_their_own_jobs(
    tmp_path, bert, monkeypatch
):
    items = write_items(tmp_path / "items.jsonl", made_items(6))
    alone = run(tmp_path, bert, items).read_bytes()
    scores = {name: tmp_path / f"{name}.parquet" for name in "abc"}
    files = {
        name: ToScore(bert, items, path, tmp_path / f"{name}.tsv") for name, path in scores.items()
    }
    missing = files | {"b": files["b"]._replace(model=tmp_path / "none")}
    settings = Scoring(definitions=["pll_original"], device="cpu", threads=1)
    with pytest.raises(KasuError, match=r"^b failed: .*none"):
        score_together(missing, tmp_path / "together", settings)
    assert scores["a"].read_bytes() == scores["c"].read_bytes() == alone
    # The others are not computed again
    computed = []
    real = scoring.sum_queries
    monkeypatch.setattr(
        scoring, "sum_queries", lambda *given: computed.append(given) or real(*given)
    )
    for path in scores.values():
        path.unlink(missing_ok=True)
    score_together(files, tmp_path / "together", settings)
    assert {path.read_bytes() for path in scores.values()} == {alone}
    once = len(computed)
    score_together(files, tmp_path / "together", settings)
    assert len(computed) - once == 3 * once > 0
    assert not (tmp_path / "together").exists()


def test_items_longer_than_the_model(tmp_path, bert):
    long = ItemText("long", "form_etxe", "", "[MASK] " + "du " * 70, "etxe")
    items = write_items(tmp_path / "items.jsonl", [*made_items(2)[::3], long])
    settings = {"columns": ["form_etxe"]}
    rows = [json.loads(line) | {"form_etxe": "etxe"} for line in items.read_text().splitlines()]
    items.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(KasuError, match=r"item long, form_etxe: 73 tokens .* 64 at most"):
        run(tmp_path, bert, items, **settings)
    path = run(tmp_path, bert, items, too_long="drop", **settings)
    assert pq.read_table(path)["item_id"].to_pylist() == ["i0", "i1"]
    assert "pll_original: longer than the model\t1" in (tmp_path / "drops.tsv").read_text()


@pytest.mark.parametrize(
    ("item", "definition", "error"),
    [
        (
            ItemText("1", "s", "etxe"),
            "word_released",
            r"item 1, s: a whole sentence under word_rel",
        ),
        (
            ItemText("1", "f", "a", "[MASK] a", "\u200b"),
            "word_released",
            "item 1, f: tokenises to no",
        ),
        (ItemText("1", "s", "\u200b"), "pll_original", "item 1, s: tokenises to nothing"),
        (
            ItemText("1", "s", "etxe [MASK]"),
            "pll_original",
            "item 1, s: 1 mask tokens; expected none",
        ),
        (ItemText("1", "f", "", "[MASK] a", "[MASK]"), "word_released", "item 1, f: 2 mask tokens"),
    ],
)
def test_an_item_that_cannot_be_scored_ends_in_one_line(bert, item, definition, error):
    model = load_model(bert, "masked", device=CPU)
    model.tokenizer = EmptyTokens(model.tokenizer)
    with pytest.raises(KasuError, match=error):
        encode_items(model, [item], definition, "error", Counter())


class EmptyTokens:
    """A tokenizer that drops what it does not know, and takes any special token for one."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer

    def __getattr__(self, name):
        return getattr(self.tokenizer, name)

    def __call__(self, text, **options):
        options["split_special_tokens"] = False
        return self.tokenizer(text.replace("\u200b", ""), **options)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"definitions": ["nonsense"]}, "definitions: 'nonsense'; expected word_released"),
        ({"definitions": []}, "definitions: none"),
        ({"definitions": ["causal", "pll_original"]}, "all for masked or all for causal"),
        ({"too_long": "cut"}, "too_long: 'cut'; expected error or drop"),
        ({"tokens_per_batch": 0}, "tokens_per_batch: 0"),
        ({"dtype": "int8"}, "dtype: 'int8'; expected float32 or bfloat16"),
        ({"definitions": ["causal"]}, "answers change with what comes later; expected a causal"),
    ],
)
def test_a_wrong_setting_ends_in_one_line(tmp_path, bert, settings, error):
    items = write_items(tmp_path / "items.jsonl", made_items(1))
    with pytest.raises(KasuError, match=error):
        run(tmp_path, bert, items, **settings)


def test_a_model_without_a_mask_token(bert):
    model = load_model(bert, "masked", device=CPU)
    model.mask = None
    with pytest.raises(KasuError, match="no mask token, which pll_original needs"):
        encode_items(model, made_items(1), "pll_original", "error", Counter())


def test_a_causal_model_gets_its_beginning_of_text_token(gpt2):
    model = load_model(gpt2, "causal", device=CPU)
    assert model.encode("etxe du", special_tokens=True).special == (False, False)
    model.tokenizer.bos_token = "[CLS]"
    text = model.encode("etxe du", special_tokens=True)
    assert (text.ids[0], text.special) == (model.tokenizer.bos_token_id, (True, False, False))
    (entry,) = encode_items(model, [ItemText("1", "s", "etxe du")], "causal", "error", Counter())
    (row,) = score_rows(model, [entry], "causal", 64)
    assert (row["tokens"], row["scored"]) == (2, 2)
    assert model.encode("etxe du", special_tokens=False).ids == text.ids[1:]


def test_measures_per_unit(bigram):
    model = bigram("causal")
    items = [ItemText("1", "s", "gizon ak étxe")]
    entries = encode_items(model, items, "causal_released", "error", Counter())
    (long,) = score_rows(model, entries, "causal_released", 64)
    counts = ("tokens", "scored", "unknown", "words", "characters", "bytes")
    # gizon ak, and a word with a letter that the tokenizer does not know
    assert [long[name] for name in counts] == [3, 2, 1, 3, 13, 14]
    total = long["log_probability"]
    per_unit = [long[f"per_{unit}"] for unit in ("token", "word", "character", "byte")]
    assert per_unit == [total / 2, total / 3, total / 13, total / 14]
    assert (long["unit"], long["vocabulary"]) == ("bit", len(model.tokenizer))


def test_a_score_that_is_not_finite_names_its_item(bigram):
    model = bigram("causal")
    model.network.table = model.network.table.clone()
    (du,) = model.tokenizer("du")["input_ids"]
    model.network.table[:, du] = -math.inf
    items = [ItemText("1", "s", "gizon ak"), ItemText("2", "s", "gizon du")]
    entries = encode_items(model, items, "causal", "error", Counter())
    with pytest.raises(KasuError, match="item 2, s: no finite score; expected a sound model"):
        score_rows(model, entries, "causal", 64)


def test_shards_are_cut_when_they_are_full():
    sizes = [30, 10, 10, 10, 5]
    entries = [
        EncodedText(ItemText(str(at), "s", ""), None, size, size) for at, size in enumerate(sizes)
    ]
    # the shortest first; 5 + 10 reach 15, and so do 10 + 10
    assert list(make_shards(entries, 15)) == [[4, 1], [2, 3], [0]]
    assert list(make_shards(entries, 16)) == [[4, 1, 2], [3, 0]]
    assert list(make_shards(entries[:1], 99)) == [[0]]
    assert list(make_shards([], 15)) == []


def test_batches_are_full_at_their_bounds():
    asked = {(0, number): [None] * 3 for number in range(5)}
    for tokens, answers, sizes in ((4, 99, [2, 2, 1]), (99, 6, [2, 2, 1]), (5, 99, [2, 2, 1]),
                                   (99, 5, [1] * 5), (3, 99, [1] * 5), (99, 99, [5])):  # fmt: skip
        assert [len(batch) for batch in make_batches(asked, tokens, answers)] == sizes


def test_the_smallest_batch_is_one_token():
    assert Scoring(["causal"], tokens_per_batch=1).kind == "causal"


def test_an_item_as_long_as_the_model_is_scored(bert):
    model = load_model(bert, "masked", device=CPU)
    dropped = Counter()
    items = [ItemText(str(count), "s", "du " * count) for count in (62, 63)]
    entries = encode_items(model, items, "pll_original", "drop", dropped)
    assert [(entry.item.item_id, entry.longest, entry.tokens) for entry in entries] == [
        ("62", 64, 62 * 64)
    ]
    assert dropped == {"pll_original: longer than the model": 1}


def test_an_item_is_dropped_whole(bert):
    model = load_model(bert, "masked", device=CPU)
    dropped = Counter()
    items = [
        ItemText("1", "good", "du " * 63),
        ItemText("1", "bad", "du"),
        ItemText("2", "good", "du"),
    ]
    entries = encode_items(model, items, "pll_original", "drop", dropped)
    assert [entry.item.item_id for entry in entries] == ["2"]
    assert dropped.total() == 1
