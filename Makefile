# Everything runs in .venv, which the first target makes.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= auto

.PHONY: test lint format bench docs clean

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,dev]'
	touch $@

test: .venv/ready
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy luma rules backends

format: .venv/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/ready
	$(BIN)/python tools/generate_docs.py

bench: .venv/ready
	$(BIN)/python benchmarks/compile_pbr.py

clean:
	rm -rf .venv build dist *.egg-info
