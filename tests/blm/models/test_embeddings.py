"""Vectors of the sentences of BLM problems: from state features, and from a tiny random encoder."""

import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import torch
from transformers import BertConfig, BertModel

from kasu.base.errors import KasuError
from kasu.blm.data.problems import PROBLEMS
from kasu.blm.generation.grammar import STATES
from kasu.blm.models import embeddings as module
from kasu.blm.models.embeddings import embed_problems
from kasu.blm.models.state_features import SPREAD_WIDTH
from kasu.files.tables import read_counts, read_parquet, read_tsv, write_parquet
from kasu.lm.pretraining.tokenizer import train_tokenizer
from kasu.neural.device import pick_device

SETTINGS = {"layer": -1, "pooling": "cls", "tokens_per_batch": 64, "threads": 1}


def text(state: str, word: str = "Oui") -> str:
    return f"{word} , {state} ."


def problem(number: int, *states: str) -> dict[str, object]:
    """A problem whose sentences spell out their states; the last six are the candidates."""
    texts = [text(state) for state in states]
    row = dict.fromkeys(PROBLEMS.names)
    return row | {
        "problem_id": str(number),
        "context": texts[:7],
        "context_states": list(states[:7]),
        "candidates": texts[7:],
        "candidate_states": list(states[7:]),
        "variant": "released",
    }


CONTEXT = [str(state) for state in STATES[:7]]
CANDIDATES = ["pl|pl|pl", "pl|pl|pl;verb=sg", "sg|pl|pl;verb=pl", "pl|sg|pl",
              "pl|pl|pl;conjunct", "pl|pl|pl;third=pl"]  # fmt: skip


@pytest.fixture
def problems(tmp_path) -> list[Path]:
    """Two files of three problems, with 13 distinct sentences in all."""
    paths = [tmp_path / "type_I.parquet", tmp_path / "type_II.parquet"]
    one = problem(1, *CONTEXT, *CANDIDATES)
    two = problem(2, *reversed(CONTEXT), *CANDIDATES)
    write_parquet(paths[0], [one, two], PROBLEMS)
    write_parquet(paths[1], [one], PROBLEMS)
    return paths


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    tokenizer = train_tokenizer([text(state) for state in CONTEXT + CANDIDATES] * 3, 50, 64)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64, initializer_range=0.5,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    return folder


def embed(paths, folder, encoder, code="1", device="cpu", **changes) -> Path:
    out = folder / "embeddings.parquet"
    embed_problems(
        paths, out, folder / "counts.tsv", folder / "cache",
        encoder=encoder, settings=SETTINGS | changes, device=device, code=code,
    )  # fmt: skip
    return out


def vectors(path: Path) -> dict[str, list[float]]:
    table = read_parquet(path)
    return dict(zip(table["sentence"].to_pylist(), table["vector"].to_pylist(), strict=True))


def encoded(monkeypatch) -> list[str]:
    """Collect the sentences that are encoded from now on."""
    seen: list[str] = []
    before = module._network

    def spied(*arguments):
        encode, *others = before(*arguments)
        return lambda texts, after: (seen.extend(texts), encode(texts, after))[1], *others

    monkeypatch.setattr(module, "_network", spied)
    return seen


def test_each_distinct_sentence_has_one_row_in_order(problems, tmp_path):
    table = read_parquet(embed(problems, tmp_path, "states"))
    sentences = table["sentence"].to_pylist()
    assert sentences == sorted({text(state) for state in CONTEXT + CANDIDATES})
    assert table.schema.field("vector").type == pa.list_(pa.float32(), SPREAD_WIDTH)
    assert read_tsv(tmp_path / "counts.tsv") == [
        {"step": "problems", "count": "3"},
        {"step": "sentences", "count": "39"},
        {"step": "distinct", "count": "13"},
        {"step": "distinct vectors", "count": "13"},
    ]


def test_a_sentence_with_two_states_is_one_line(tmp_path):
    row = problem(1, *CONTEXT, *CANDIDATES)
    row["candidate_states"] = [*CANDIDATES[:5], "sg|sg|sg"]
    path = tmp_path / "type_I.parquet"
    write_parquet(path, [row], PROBLEMS)
    row["candidates"] = [*row["candidates"][:5], row["candidates"][0]]
    write_parquet(path, [row], PROBLEMS)
    with pytest.raises(KasuError, match=r"type_I\.parquet: 'Oui , pl\|pl\|pl \.' is .* and "):
        embed([path], tmp_path, "states")


def test_no_problem_is_one_line(tmp_path):
    write_parquet(tmp_path / "none.parquet", [], PROBLEMS)
    with pytest.raises(KasuError, match=r"none\.parquet: no problem"):
        embed([tmp_path / "none.parquet"], tmp_path, "states")


def test_each_sentence_has_the_vector_of_the_encoder(problems, model, tmp_path):
    from kasu.lm.models.encoder import Encoder

    found = vectors(embed(problems, tmp_path, model))
    alone = Encoder(model, torch.device("cpu"))
    for sentence, vector in found.items():
        np.testing.assert_array_equal(alone.encode([sentence], 64)[0], np.float32(vector))


def test_the_same_bytes_whatever_was_cached(problems, model, tmp_path, monkeypatch):
    whole = embed(problems, tmp_path / "a", model).read_bytes()
    embed([problems[1]], tmp_path / "b", model)
    seen = encoded(monkeypatch)
    assert embed(problems, tmp_path / "b", model).read_bytes() == whole
    assert embed(problems, tmp_path / "b", model).read_bytes() == whole
    assert seen == []


def test_a_sentence_whose_state_was_corrected_gets_its_vector(tmp_path):
    first, second, *_ = CONTEXT
    swapped = {first: second, second: first}
    row = problem(1, *CONTEXT, *CANDIDATES)
    corrected = row | {
        name: [swapped.get(state, state) for state in row[name]]
        for name in ("context_states", "candidate_states")
    }
    found = []
    for each in (row, corrected):
        write_parquet(tmp_path / "problems.parquet", [each], PROBLEMS)
        found.append(vectors(embed([tmp_path / "problems.parquet"], tmp_path, "states")))
    before, after = found
    assert after[text(first)] == before[text(second)] != before[text(first)]


def test_only_new_sentences_are_encoded(problems, model, tmp_path, monkeypatch):
    embed(problems, tmp_path, model)
    more = tmp_path / "more.parquet"
    write_parquet(more, [problem(3, *CONTEXT, *CANDIDATES[:5], "sg|sg|sg;repeated")], PROBLEMS)
    seen = encoded(monkeypatch)
    embed([*problems, more], tmp_path, model)
    assert seen == [text("sg|sg|sg;repeated")]


def test_a_killed_run_resumes(problems, model, tmp_path, monkeypatch):
    whole = embed(problems, tmp_path / "a", model).read_bytes()
    monkeypatch.setattr(module, "PART", 5)
    seen = encoded(monkeypatch)
    network = module._network

    def dies(*arguments):
        encode, *others = network(*arguments)

        def some(texts, after):
            if len(seen) >= 5:
                raise KeyboardInterrupt
            return encode(texts, after)

        return some, *others

    with monkeypatch.context() as patch:
        patch.setattr(module, "_network", dies)
        with pytest.raises(KeyboardInterrupt):
            embed(problems, tmp_path / "b", model)
    assert not (tmp_path / "b" / "embeddings.parquet").exists()
    monkeypatch.setattr(module, "PART", 8192)
    assert embed(problems, tmp_path / "b", model).read_bytes() == whole
    assert len(seen) == len(set(seen)) == len(vectors(tmp_path / "b" / "embeddings.parquet"))
    assert len(list((tmp_path / "b" / "cache").iterdir())) == 1
    counts = [(tmp_path / name / "counts.tsv").read_bytes() for name in "ab"]
    assert counts[0] == counts[1]


def test_counts_are_of_all_sentences_whatever_was_cached(
    problems, model, tmp_path, monkeypatch, caplog
):
    short = tmp_path / "short"
    shutil.copytree(model, short)
    path = short / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"model_max_length": 22}))
    unknown = problem(3, *CONTEXT, *CANDIDATES)
    unknown["context"] = [text(state, "Ж") for state in CONTEXT]
    write_parquet(tmp_path / "unknown.parquet", [unknown], PROBLEMS)
    monkeypatch.setattr(module, "PART", 5)
    embed([problems[1]], tmp_path, short)
    for _ in range(2):
        caplog.clear()
        embed([*problems, tmp_path / "unknown.parquet"], tmp_path, short)
        assert read_counts(tmp_path / "counts.tsv") == {
            "problems": 4, "sentences": 52, "distinct": 20, "distinct vectors": 20,
            "with unknown text": 7, "cut": 2,
        }  # fmt: skip
        cut = "2 of 20 sentences are cut: the encoder reads 22 tokens"
        assert [line for line in caplog.messages if "cut" in line] == [cut]


def test_equal_vectors_are_counted_once(problems, model, tmp_path):
    embed(problems, tmp_path, model, layer=0)
    counts = read_counts(tmp_path / "counts.tsv")
    # The embedding of [CLS], whatever follows
    assert (counts["distinct"], counts["distinct vectors"]) == (13, 1)


@pytest.mark.parametrize("change", [{"pooling": "mean"}, {"code": "2"}, {"tokens_per_batch": 80}])
def test_a_cache_made_from_other_facts_is_not_used(problems, model, tmp_path, monkeypatch, change):
    embed(problems, tmp_path, model)
    seen = encoded(monkeypatch)
    embed(problems, tmp_path, model, **change)
    assert len(seen) == len(set(CONTEXT + CANDIDATES))
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_vectors_of_different_devices_or_versions_are_not_mixed(
    problems, model, tmp_path, monkeypatch
):
    out = embed(problems, tmp_path, model, device="auto")
    facts = json.loads(read_parquet(out).schema.metadata[b"kasu"])
    assert facts["device"] == pick_device("auto").type  # not the word in the config
    seen = encoded(monkeypatch)
    embed(problems, tmp_path, model, device=facts["device"])
    assert seen == []
    monkeypatch.setattr("tokenizers.__version__", "0")
    embed(problems, tmp_path, model, device="auto")
    assert len(seen) == len(set(CONTEXT + CANDIDATES))


def test_a_damaged_cache_is_rebuilt(problems, model, tmp_path, monkeypatch):
    whole = embed(problems, tmp_path, model).read_bytes()
    (cached,) = (tmp_path / "cache").iterdir()
    cached.unlink()
    cached.write_bytes(whole[:-50])
    seen = encoded(monkeypatch)
    assert embed(problems, tmp_path, model).read_bytes() == whole
    assert len(seen) == len(set(CONTEXT + CANDIDATES))


def test_a_cache_is_a_link_to_the_finished_file(problems, tmp_path):
    out = embed(problems, tmp_path, "states")
    (cached,) = (tmp_path / "cache").iterdir()
    assert cached.samefile(out)
    assert json.loads(read_parquet(out).schema.metadata[b"kasu"])["encoder"] == "states"


def test_a_second_run_waits_for_the_cache(problems, tmp_path, held_for_a_moment, caplog):
    caplog.set_level("INFO", "kasu")
    held_for_a_moment(tmp_path / "cache")
    embed(problems, tmp_path, "states")
    assert caplog.messages[0].startswith(f"{tmp_path / 'cache'}: process ")
