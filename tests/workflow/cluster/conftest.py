"""A Slurm cluster of one node, for tests: this machine, with the daemons of Debian's packages."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
import yaml

DEFAULT = Path("/etc/slurm/slurm.conf")
"""Where Slurm looks for its configuration. Jobs need it, since the jobstep plugin of Snakemake
deletes SLURM_CONF from their environment."""

CONFIGURATION = """\
ClusterName=kasu
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
# Neither cgroups nor MPI, which a container may lack
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
# A job that takes more memory than it asked for is killed
JobAcctGatherParams=OverMemoryKill
MpiDefault=none
AccountingStorageType=accounting_storage/none
# Jobs share the node by cores and memory, and start at once
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
ReturnToService=2
MinJobAge=600
KillWait=5
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} CoresPerSocket={cores} RealMemory={memory}
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""

# Too little for a training at first, so that Slurm kills it
SCARCE = "100 if attempt == 1 else 2000"


def lacking() -> str:
    """Why there can be no cluster here; empty if there can."""
    programs = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not _which(name)]
    if programs:
        return f"no {programs[0]} (install slurm-wlm and munge: make setup-cluster)"
    if os.geteuid():
        return "Slurm's daemons need root"
    if DEFAULT.exists() and not DEFAULT.is_symlink():
        return f"{DEFAULT} is of another cluster"
    return ""


def _which(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")


class Slurm:
    """The cluster; a context manager that starts and ends its daemons.

    Args:
        folder: where all its files are.
        memory: of the node, in MiB.
    """

    def __init__(self, folder: Path, memory: int = 8000) -> None:
        self.folder = folder
        for name in ("state", "spool"):
            (folder / name).mkdir()
        self.environment = os.environ | {"SLURM_CONF": str(folder / "slurm.conf")}
        host = socket.gethostname().partition(".")[0]
        facts = {"host": host, "folder": folder, "memory": memory, "cores": os.cpu_count()}
        text = CONFIGURATION.format(**facts, ports=_free_ports())
        (folder / "slurm.conf").write_text(text)
        # slurmd reads it even where nothing uses cgroups
        (folder / "cgroup.conf").write_text("CgroupMountpoint=/sys/fs/cgroup\n")
        (folder / "munge.key").write_bytes(os.urandom(1024))
        (folder / "munge.key").chmod(0o600)

    def __enter__(self) -> "Slurm":
        DEFAULT.parent.mkdir(parents=True, exist_ok=True)
        DEFAULT.unlink(missing_ok=True)
        DEFAULT.symlink_to(self.folder / "slurm.conf")
        files = {"key-file": "munge.key", "socket": "munge.socket", "pid-file": "munged.pid"}
        files |= {"log-file": "munged.log", "seed-file": "munge.seed"}
        self.start("munged", "--force", *(f"--{key}={self.folder / files[key]}" for key in files))
        self.start("slurmctld")
        self.start("slurmd")
        self._wait(lambda: self.ask("sinfo", "-h", "-o", "%T") == "idle")
        return self

    def __exit__(self, *_: object) -> None:
        self.ask("scancel", "--user=root")
        for daemon in ("slurmd", "slurmctld", "munged"):
            self.stop(daemon)
        DEFAULT.unlink()

    def stop(self, daemon: str) -> None:
        """End a daemon, and wait until it is gone."""
        pid = self.folder / f"{daemon}.pid"
        if pid.exists():
            number = int(pid.read_text())
            os.kill(number, 15)
            self._wait(lambda: not Path(f"/proc/{number}").exists())

    def ask(self, *command: str) -> str:
        """What a command of Slurm prints."""
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=False
        )
        return done.stdout.strip()

    def start(self, daemon: str, *arguments: str) -> None:
        """Start a daemon, which goes on with the jobs it knew."""
        # It forks itself; its children must not keep the pipes of pytest
        command = (str(_which(daemon)), *arguments)
        null = subprocess.DEVNULL
        subprocess.run(command, env=self.environment, stdout=null, stderr=null, check=True)

    def _wait(self, ready: Callable[[], bool]) -> None:
        for _ in range(300):
            if ready():
                return
            time.sleep(0.1)
        raise TimeoutError(f"Slurm is not ready; see {self.folder}")


def _free_ports() -> list[int]:
    """Two ports that nothing listens on."""
    sockets = [socket.socket() for _ in range(2)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


@pytest.fixture(scope="session")
def treebank() -> str:
    """A target of one job."""
    return "results/demo/treebanks/ka_demo-ud.parquet"


@pytest.fixture(scope="session")
def local(copy_workflow, treebank):
    """A copy in which that target and a study were made without a cluster."""
    copy = copy_workflow()
    done = copy.run("agreement", treebank)
    assert done.returncode == 0, done.stderr
    return copy


@pytest.fixture(scope="session")
def cluster(need, tmp_path_factory) -> Iterator[Slurm]:
    """A running cluster."""
    need(not (reason := lacking()), reason)
    with Slurm(tmp_path_factory.mktemp("slurm")) as started:
        yield started


def _small_node(rules: list[str], text: str) -> str:
    """Edit a cluster's profile: a small node without a GPU, accounts and slow file systems."""
    profile = yaml.safe_load(text)
    profile["set-resources"] = {
        rule: {"gpu": 0, "mem_mb": SCARCE if rule == "train_agreement" else 2000, "runtime": 30}
        for rule in rules
    }
    profile["default-resources"] |= {"mem_mb": "500 * attempt", "runtime": 30}
    profile["latency-wait"] = 5
    if profile["executor"] == "slurm":
        profile["default-resources"] |= {"slurm_account": "test", "slurm_partition": "main"}
        profile["slurm-status-command"] = "squeue"
        profile["slurm-init-seconds-before-status-checks"] = 1
    profile["seconds-between-status-checks"] = 1
    return yaml.safe_dump(profile)


@pytest.fixture
def started(cluster) -> Callable:
    """Start Snakemake with a profile adapted to the cluster."""
    return partial(_started, cluster)


@contextmanager
def _started(cluster, copy, command: list[str], name="slurm") -> Iterator[subprocess.Popen]:
    """Snakemake, ended at the end; its log is `run.log`."""
    texts = [file.read_text() for file in copy.folder.glob("workflow/rules/*.smk")]
    start = re.compile(r"^(?:rule|use rule \w+ as) ", re.M)
    blocks = [block for text in texts for block in start.split(text)[1:]]
    stated = re.compile(r"^ {8}(?:mem_mb|runtime)=", re.M)
    rules = [re.split(r"\W", block)[0] for block in blocks if stated.search(block)]
    copy.edit(f"profiles/{name}/config.yaml", partial(_small_node, rules))
    with (copy.folder / "run.log").open("w") as log:
        run = subprocess.Popen(
            [*command, "--profile", f"profiles/{name}"],
            cwd=copy.folder, stdout=log, stderr=log,
            env=copy.environment | {"SLURM_CONF": cluster.environment["SLURM_CONF"]},
        )  # fmt: skip
    try:
        yield run
    finally:
        run.terminate()
        run.wait(60)
