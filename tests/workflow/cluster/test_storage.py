"""Inputs and outputs on a file server: OpenSSH's, through the SFTP plugin of Snakemake."""

import importlib.util
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.workflow

SERVER = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/home/.ssh/id_rsa.pub
PidFile {folder}/sshd.pid
StrictModes no
PermitRootLogin prohibit-password
Subsystem sftp internal-sftp
"""


class FileServer(NamedTuple):
    """A folder that an SFTP server on this machine holds, and the home whose key opens it."""

    folder: Path
    address: str
    home: Path


def make_key(file: Path) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    # The plugin looks for an RSA key in PEM
    form = ("-q", "-t", "rsa", "-m", "PEM", "-N", "", "-f", str(file))
    subprocess.run(("ssh-keygen", *form), check=True)
    return file.with_suffix(".pub").read_text().rpartition(" ")[0]


@pytest.fixture(scope="module")
def file_server(need, tmp_path_factory) -> Iterator[FileServer]:
    sshd = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin")
    need(sshd is not None and not os.geteuid(), "no sshd, or not root (make setup-cluster)")
    plugin = importlib.util.find_spec("snakemake_storage_plugin_sftp")
    need(plugin is not None, "no snakemake-storage-plugin-sftp")
    folder = tmp_path_factory.mktemp("server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "sshd.conf").write_text(SERVER.format(port=port, folder=folder))
    make_key(folder / "home/.ssh/id_rsa")
    known = f"[127.0.0.1]:{port} {make_key(folder / 'host')}\n"
    (folder / "home/.ssh/known_hosts").write_text(known)
    (folder / "files").mkdir()
    Path("/run/sshd").mkdir(exist_ok=True)  # where sshd locks itself in
    server = subprocess.Popen((sshd, "-D", "-e", "-f", str(folder / "sshd.conf")))
    for _ in range(100):
        if (folder / "sshd.pid").exists():
            break
        time.sleep(0.1)
    yield FileServer(folder / "files", f"sftp://127.0.0.1:{port}{folder}/files", folder / "home")
    server.terminate()
    server.wait(10)


def test_a_rule_reads_from_a_file_server_and_writes_to_it(
    file_server, copy_workflow, local, treebank
):
    copy = copy_workflow()
    shutil.copytree(copy.folder / "resources", file_server.folder / "resources")
    storage = {"default-storage-provider": "sftp", "default-storage-prefix": file_server.address}
    storage |= {"storage-sftp-username": "root", "storage-sftp-max-requests-per-second": "50"}
    options = [word for key, value in storage.items() for word in (f"--{key}", value)]
    done = subprocess.run(
        [*copy.command(treebank), *options],
        cwd=copy.folder, env=copy.environment | {"HOME": str(file_server.home)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    stored = file_server.folder / treebank
    assert stored.read_bytes() == (local.folder / treebank).read_bytes()
    assert not (copy.folder / treebank).exists()
