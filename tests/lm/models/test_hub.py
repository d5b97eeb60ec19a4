"""Models from a mirror, and from an HTTP server on loopback that answers as the hub does."""

import hashlib
import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.seals import folder_hash
from kasu.job.run import job
from kasu.lm.models.hub import fetch_model, model_path

COMMIT = "0123456789abcdef0123456789abcdef01234567"
WEIGHTS = bytes(range(256)) * 40
CONTENT = {"config.json": b'{"a": 1}\n', "vocab.txt": b"x\n", "model.safetensors": WEIGHTS}
SHA256 = hashlib.sha256(WEIGHTS).hexdigest()
PLAIN = dict.fromkeys(CONTENT, "")
API = "/api/models/owner/model/revision/main?blobs=true"


def git_object(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def listing(**changes: object) -> bytes:
    """The hub's answer about a revision."""
    files = [
        {"rfilename": name, "size": len(content), "blobId": git_object(content)}
        for name, content in CONTENT.items()
    ]
    files[2] |= {"blobId": "0" * 40, "lfs": {"sha256": SHA256, "size": len(WEIGHTS)}}
    files.append({"rfilename": "README.md", "size": 9, "blobId": "1" * 40})
    return json.dumps({"id": "owner/model", "sha": COMMIT, "siblings": files} | changes).encode()


class Hub(ThreadingHTTPServer):
    """Serves its files, honours ranges and records what it was asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.asked: list[tuple[str, str | None]] = []
        self.stop_after: dict[str, int] = {}
        self.files = {API: listing()}
        for name, content in CONTENT.items():
            self.files[f"/owner/model/resolve/{COMMIT}/{name}"] = content


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        asked = self.headers.get("Range")
        self.server.asked.append((self.path, asked))
        if self.path not in self.server.files:
            self.send_error(404)
            return
        body = self.server.files[self.path]
        start = int(asked[6:-1]) if asked else 0
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("ETag", '"v1"')
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        self.wfile.write(body[start : self.server.stop_after.pop(self.path, None)])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[Hub]:
    with Hub() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)


class Try:
    """A fetch into a folder."""

    def __init__(self, hub: Hub, folder: Path) -> None:
        self.hub = hub
        self.destination = folder / "models" / "owner" / "model" / "main"
        self.lock = folder / "models" / "owner" / "model" / "main.lock"

    def fetch(self, files=PLAIN, mirrors=(), revision="main", **options) -> None:
        fetch_model(
            "owner/model", revision, files, self.destination, mirrors, self.lock,
            hub=self.hub.url, wait=0, **options,
        )  # fmt: skip

    def landed(self) -> dict[str, bytes]:
        files = (path for path in self.destination.rglob("*") if path.is_file())
        return {path.relative_to(self.destination).as_posix(): path.read_bytes() for path in files}

    def facts(self) -> dict:
        return json.loads(self.lock.read_text())


@pytest.fixture
def trial(hub, tmp_path) -> Try:
    return Try(hub, tmp_path)


def test_the_named_files_land_and_no_other(trial):
    trial.fetch()
    assert trial.landed() == CONTENT
    assert {path.name for path in trial.destination.parent.iterdir()} == {"main", "main.lock"}


def test_the_lock_says_which_commit_a_branch_was_and_what_was_checked(trial):
    trial.fetch(PLAIN | {"model.safetensors": SHA256})
    facts = trial.facts()
    assert facts["revision"] == COMMIT
    assert facts["name"] == "owner/model@main"
    assert facts["bytes"] == 9 + 2 + 10240
    assert facts["verified"] == "publisher"
    assert facts["sha256"] == folder_hash(trial.destination)
    assert facts["files"]["model.safetensors"] == {
        "bytes": 10240,
        "sha256": SHA256,
        "verified": "registry",
    }


def test_a_model_that_lacks_a_file_does_not_land(trial):
    with pytest.raises(KasuError, match=r"resolve/0123.*/spiece\.model: no such file"):
        trial.fetch(PLAIN | {"spiece.model": ""})
    assert not trial.destination.exists()
    assert not trial.lock.exists()


def test_a_cut_download_resumes_within_the_file(trial):
    weights = f"/owner/model/resolve/{COMMIT}/model.safetensors"
    trial.hub.stop_after[weights] = 1000
    trial.fetch()
    assert [asked for path, asked in trial.hub.asked if path == weights] == [None, "bytes=1000-"]
    assert trial.landed() == CONTENT


def test_whole_large_files_of_a_failed_run_are_not_fetched_again(trial):
    vocabulary = trial.hub.files.pop(f"/owner/model/resolve/{COMMIT}/vocab.txt")
    files = {name: PLAIN[name] for name in ("model.safetensors", "config.json", "vocab.txt")}
    with pytest.raises(KasuError, match="HTTP 404"):
        trial.fetch(files)
    trial.hub.files[f"/owner/model/resolve/{COMMIT}/vocab.txt"] = vocabulary
    trial.hub.asked.clear()
    trial.fetch(files)
    assert not [path for path, _ in trial.hub.asked if path.endswith("model.safetensors")]
    assert trial.landed() == CONTENT


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_wrong_bytes_of_the_right_size_are_refused(trial, name):
    trial.hub.files[f"/owner/model/resolve/{COMMIT}/{name}"] = bytes(len(CONTENT[name]))
    with pytest.raises(KasuError, match=rf"{name}: .*; expected [0-9a-f]+ \(publisher|registry\)"):
        trial.fetch()
    assert not trial.destination.exists()


def test_a_checksum_of_the_config_overrides_that_of_the_hub(trial):
    with pytest.raises(KasuError, match=rf"sha256 {SHA256}; expected {'0' * 64} \(registry\)"):
        trial.fetch(PLAIN | {"model.safetensors": "0" * 64})


@pytest.mark.parametrize(
    "said", [b"[]", b"{}", b"nonsense", listing(sha="main"), listing(siblings=[])]
)
def test_an_answer_other_than_a_list_of_files_is_one_line(trial, said):
    trial.hub.files[API] = said
    with pytest.raises(KasuError, match=r": not a list of files"):
        trial.fetch()


def test_another_commit_than_asked_for_is_refused(trial):
    other = "f" * 40
    trial.hub.files[API.replace("main", other)] = listing()
    with pytest.raises(KasuError, match=f"commit {COMMIT}"):
        trial.fetch(revision=other)


def offer(hub: Hub, *names: str) -> None:
    """Give the model these files instead, each of three bytes."""
    files = [{"rfilename": name, "size": 3, "blobId": git_object(b"abc")} for name in names]
    hub.files[API] = listing(siblings=files)
    hub.files |= {f"/owner/model/resolve/{COMMIT}/{name}": b"abc" for name in names}


TOKENIZER = [
    "tokenizer.json", "tokenizer_config.json", "vocab.txt", "vocab.json", "merges.txt",
    "sentencepiece.bpe.model", "special_tokens_map.json", "added_tokens.json",
]  # fmt: skip
OTHERS = ["README.md", "tf_model.h5", "model.onnx", "onnx/model.safetensors", "old/vocab.txt"]


def test_without_names_the_files_that_make_a_model_land(trial):
    offer(
        trial.hub, "config.json", "model.safetensors", "pytorch_model.bin", "modeling.py",
        *TOKENIZER, *OTHERS,
    )  # fmt: skip
    trial.fetch({})
    assert set(trial.landed()) == {"config.json", "model.safetensors", *TOKENIZER}
    assert trial.facts()["verified"] == "publisher"


def test_what_follows_the_network_of_a_sentence_encoder_lands_too(trial):
    files = [
        "config.json", "vocab.txt", "model.safetensors", "modules.json", "1_Pooling/config.json",
        "2_Dense/config.json", "2_Dense/model.safetensors", "sentence_bert_config.json",
        "config_sentence_transformers.json",
    ]  # fmt: skip
    offer(trial.hub, *files, "2_Dense/pytorch_model.bin", "2_Dense/code.py", *OTHERS)
    trial.fetch({})
    assert set(trial.landed()) == set(files)


def test_without_safetensors_all_parts_of_other_weights_land(trial):
    parts = ["pytorch_model-00001-of-00002.bin", "pytorch_model-00002-of-00002.bin"]
    index = "pytorch_model.bin.index.json"
    offer(trial.hub, "config.json", "vocab.txt", *parts, index, *OTHERS)
    trial.fetch({})
    assert set(trial.landed()) == {"config.json", "vocab.txt", *parts, index}


def test_code_of_a_model_lands_only_where_it_may_run(trial):
    offer(trial.hub, "config.json", "vocab.txt", "model.safetensors", "modeling.py")
    trial.fetch({}, remote_code=True)
    assert set(trial.landed()) == {"config.json", "vocab.txt", "model.safetensors", "modeling.py"}


@pytest.mark.parametrize("names", [["config.json", "vocab.txt"], ["model.safetensors"]])
def test_files_that_do_not_make_a_model_are_one_line(trial, names):
    offer(trial.hub, *names)
    with pytest.raises(KasuError, match=r"model owner/model: files .*; expected config\.json, wei"):
        trial.fetch({})


def test_a_mirror_alone_needs_the_names_of_its_files(trial, tmp_path):
    trial.hub.files.clear()
    with pytest.raises(KasuError, match=r"no list of its files .*404.*; expected .*`files` in the"):
        trial.fetch({}, mirrors=[tmp_path])


def test_a_mirror_comes_before_the_net(trial, tmp_path):
    mirror = tmp_path / "mirror"
    folder = mirror / "models" / "owner" / "model" / "main"
    folder.mkdir(parents=True)
    for name, content in CONTENT.items():
        (folder / name).write_bytes(content)
    trial.fetch(mirrors=[mirror])
    assert trial.hub.asked == []
    assert trial.landed() == CONTENT
    assert (trial.facts()["origin"], trial.facts()["verified"]) == ("mirror", "unverified")


def test_a_new_fetch_replaces_the_folder(trial):
    trial.fetch()
    (trial.destination / "old.bin").write_bytes(b"old")
    trial.fetch({name: PLAIN[name] for name in ("config.json", "vocab.txt")})
    assert set(trial.landed()) == {"config.json", "vocab.txt"}


def test_a_model_without_config_is_refused(trial):
    with pytest.raises(KasuError, match=r"model owner/model: files \['vocab\.txt'\]"):
        trial.fetch({"vocab.txt": ""})


def test_the_path_of_a_model_is_its_name_and_revision():
    assert model_path("owner/model", COMMIT) == f"models/owner/model/{COMMIT}"
    assert model_path("camembert-base", "main") == "models/camembert-base/main"


@pytest.mark.parametrize("model", ["", "../x", "a/../b", "a/b/c", "/etc", "a b", "-x", "a/b?x"])
def test_a_name_cannot_leave_its_folder(model):
    with pytest.raises(KasuError, match="model"):
        model_path(model, "main")


@pytest.mark.parametrize("revision", ["", "..", "refs/pr/1", "a b", "x?y"])
def test_a_revision_cannot_leave_its_folder(revision):
    with pytest.raises(KasuError, match="model"):
        model_path("owner/model", revision)


def test_the_hash_of_a_folder_sees_names_and_bytes(tmp_path):
    hashes = set()
    for name, content in (("a", b"1"), ("b", b"1"), ("a", b"2")):
        folder = tmp_path / str(len(hashes))
        folder.mkdir()
        (folder / name).write_bytes(content)
        hashes.add(folder_hash(folder))
        (folder / ".hidden").write_bytes(b"x")
        hashes.add(folder_hash(folder))
    assert len(hashes) == 3


def test_no_folder_has_no_hash(tmp_path):
    with pytest.raises(KasuError, match="nowhere: no file"):
        folder_hash(tmp_path / "nowhere")


def test_two_jobs_that_fetch_one_model_at_once_are_both_right(trial, at_once, tmp_path):
    def fetch(log):
        with job(tmp_path / log, outputs=[str(trial.lock)]):
            trial.fetch()

    both = at_once(partial(fetch, "one.log"), partial(fetch, "two.log"))
    for process in both:
        process.join(20)
    assert [process.exitcode for process in both] == [0, 0]
    assert trial.landed() == CONTENT
    left = {path.name for path in trial.destination.parent.iterdir()}
    assert left == {"main", "main.lock", ".main.lock.sha256"}
