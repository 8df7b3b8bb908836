# Everything runs in .venv, which the first target makes.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= auto

.PHONY: test lint types format bench bench-full docs mutants clean

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,dev]'
	touch $@

test: .venv/ready
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(MAKE) --no-print-directory types

# luma.rules and luma.backends live beside luma; mypy needs to see them where they are imported from.
types: .venv/ready
	rm -rf build/typed && mkdir -p build/typed/luma
	ln -s $(CURDIR)/luma/* $(CURDIR)/rules $(CURDIR)/backends build/typed/luma/
	$(BIN)/mypy -p luma

format: .venv/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/ready
	$(BIN)/python tools/generate_docs.py

bench: .venv/bench
	$(BIN)/python -m benchmarks.peers --quick

# Everything, for an hour or so of a quiet machine; writes the page about it.
bench-full: .venv/bench
	$(BIN)/python -m benchmarks.peers --keep
	$(BIN)/python -m benchmarks.report

.venv/bench: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[bench]'
	touch $@

# Makes mistakes in a copy of the backends; the conformance suite must notice each of them.
mutants: .venv/ready
	$(BIN)/python -m tools.mutation_check

clean:
	rm -rf .venv build dist *.egg-info
