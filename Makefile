# What the README and CI call. Targets that need tools first install what is missing (envs/setup.sh).

PYTHON ?= python3
CORES ?= 2
BIN := .venv/bin
RESULTS ?= results/real
SNAKEFILES := Snakefile workflow/Snakefile workflow/rules

# Jobs find the tools of the virtual environment without activating it.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup setup-cluster demo test test-units test-workflow test-executors test-cluster test-faults lint docs bench measured mutants lock clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 16

setup: ## install what is missing: .venv and, through apt, Apertium
	@PYTHON="$(PYTHON)" sh envs/setup.sh

# Without Apertium the demo has the studies that need none
DEMO = $(shell command -v lt-proc >/dev/null || echo inflection cloze minimal_sets blm report)
demo: setup ## run the whole workflow on the embedded corpora
	$(BIN)/snakemake $(DEMO) --cores $(CORES)
	@echo "The report$(if $(DEMO), without what needs Apertium): $(CURDIR)/results/demo/report/index.html"

test: setup ## run all tests; those on real data need a mirror (KASU_MIRROR=DIR)
	$(MAKE) --jobs 3 --output-sync=target test-workflow test-units test-executors

# Workflow tests take longest, mostly on one core, so the others give way; those through executors
# mostly wait
EXECUTORS := tests/workflow/cluster/test_slurm.py tests/workflow/cluster/test_storage.py
test-workflow:
	$(BIN)/python -m pytest tests/workflow -m "workflow and not cluster and not faults" $(EXECUTORS:%=--deselect %)

test-units:
	nice $(BIN)/python -m pytest -m "not workflow" --numprocesses $(CORES) --dist worksteal

test-executors:
	$(BIN)/python -m pytest -m "workflow and not cluster and not faults" $(EXECUTORS)

setup-cluster: ## install what the tests with Slurm, a file server and another clock need
	@PYTHON="$(PYTHON)" sh envs/setup.sh cluster

test-cluster: setup-cluster ## run the whole demo through Slurm on this machine; half an hour
	$(BIN)/python -m pytest tests/workflow -m cluster -rP

test-faults: setup-cluster ## strike the demo with forty faults, into results/faults.tsv; a quarter of an hour
	$(BIN)/python -m pytest tests/workflow -m faults

lint: setup ## check style, form and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check $(SNAKEFILES)
	$(BIN)/mypy

docs: setup ## write the config's reference, its schema for editors and the map of systems anew
	$(BIN)/python -m kasu config reference >docs/config.md
	$(BIN)/python -m kasu config schema >workflow/schemas/config.schema.json
	$(BIN)/python tools/parts.py
	$(BIN)/python tools/systems_map.py >docs/systems.md

bench: setup ## measure against peers, into results/bench.tsv; on real data with KASU_MIRROR=DIR
	$(BIN)/python bench

measured: setup ## record the figures of RESULTS in resources/measured; WHY='…' says why some changed
	$(BIN)/python tools/measured.py $(RESULTS) --why "$$WHY"

mutants: setup ## plant 300 faults, run the tests of their area on each; hours; goes on where it stopped
	$(BIN)/python tools/mutants.py

# torch and what only torch needs stay out of the hashes: which wheel it is depends on the index
TORCH := torch|triton|nvidia-.*|cuda-.*
lock: ## write envs/requirements.lock and envs/hashes.lock anew from pyproject.toml
	venv=$$(mktemp -d) && trap 'rm -rf "$$venv"' EXIT && $(PYTHON) -m venv "$$venv" && \
	"$$venv/bin/python" -m pip install --quiet uv && \
	"$$venv/bin/uv" pip compile --quiet --no-config --default-index https://pypi.org/simple \
	  --universal --fork-strategy fewest --python-version 3.11 --extra dev \
	  --generate-hashes --no-annotate --no-header pyproject.toml >"$$venv/all" && \
	{ sed -n '/^#/p' envs/hashes.lock; \
	  awk '/^[^ ]/ {kept = !/^($(TORCH))==/} kept' "$$venv/all"; } >"$$venv/hashes" && \
	{ sed -n '/^#/p' envs/requirements.lock; \
	  { sed -n '/==/s/ .*//p' "$$venv/hashes"; sed -n '/^torch==/s/ .*//p' "$$venv/all"; } \
	  | LC_ALL=C sort -f; } >"$$venv/versions" && \
	cp "$$venv/hashes" envs/hashes.lock && cp "$$venv/versions" envs/requirements.lock

clean: ## remove the demo's results and caches; never downloads
	rm -rf results/demo .pytest_cache .ruff_cache .hypothesis
	find workflow tests bench tools -name __pycache__ -type d -prune -exec rm -rf {} +
