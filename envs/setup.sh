#!/bin/sh
# Set up what Kasu needs and lacks: the virtual environment .venv, Apertium and its Basque
# dictionary; after the word `cluster` also Slurm, a file server and libfaketime, for tests. Does
# nothing when all is there. Where Apertium cannot be installed it warns and goes on. PYTHON names
# the interpreter.
set -eu
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
dictionary=/usr/share/apertium/apertium-eu-es/eu-es.automorf.bin
stamp=.venv/kasu.stamp

fail() {
    echo "error: $1" >&2
    exit 1
}

version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) ||
    fail "$python: no such Python; install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$python: is Python $version; Kasu needs 3.11 or newer: make PYTHON=/path/to/python3"

missing=""
"$python" -c 'import ensurepip, venv' 2>/dev/null || missing="python$version-venv"
if [ "${1:-}" = cluster ] && ! PATH="$PATH:/usr/sbin" command -v slurmctld munged >/dev/null; then
    missing="$missing slurm-wlm munge"
fi
if [ "${1:-}" = cluster ] && ! PATH="$PATH:/usr/sbin" command -v sshd >/dev/null; then
    missing="$missing openssh-server"
fi
if [ "${1:-}" = cluster ] && ! command -v faketime >/dev/null; then
    missing="$missing faketime"
fi

# Install packages of Debian (a list of words); where that cannot be done, set `why`
install() {
    if ! command -v apt-get >/dev/null; then
        why="missing: $1 (names of Debian packages); install them, or use envs/Containerfile"
        return 1
    fi
    if [ "$(id -u)" = 0 ]; then
        sudo=""
    elif sudo -n true 2>/dev/null; then
        sudo="sudo -n"
    else
        why="missing: $1; install them: sudo apt-get install $1"
        return 1
    fi
    echo "Installing $1 ..."
    # $sudo and $1 are lists of words
    # shellcheck disable=SC2086
    if ! { $sudo apt-get update -qq && $sudo env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $1; } >/dev/null; then
        why="apt-get could not install: $1"
        return 1
    fi
}

if [ -n "$missing" ]; then
    install "${missing# }" || fail "$why"
fi
if ! command -v lt-proc >/dev/null || [ ! -f "$dictionary" ]; then
    install "apertium apertium-eu-es lttoolbox" || echo "warning: $why. Only Basque text needs" \
        "them; README says which studies do without" >&2
fi

wanted="$PWD $version $(cat pyproject.toml envs/*.lock | cksum)"
if [ ! -x .venv/bin/python ] || [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    echo "Installing the Python packages into .venv (minutes; 1.9 GB) ..."
    "$python" -m venv .venv || fail ".venv: could not be made"
    # Python compiles a module when it is first imported; most of torch and transformers never is
    pip="-m pip install -qq --no-compile"
    # Which wheel of torch there is depends on the index, so its hash is not checked
    # $pip is a list of words
    # shellcheck disable=SC2086
    { .venv/bin/python $pip --require-hashes --no-deps -r envs/hashes.lock &&
        .venv/bin/python $pip -c envs/requirements.lock torch &&
        .venv/bin/python $pip --no-deps --no-build-isolation -e .; } ||
        fail "pip could not install the packages of envs/hashes.lock and torch into .venv"
    echo "$wanted" >"$stamp"
fi
