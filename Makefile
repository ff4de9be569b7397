# `make demo` and `make test` do all set-up themselves: a virtual environment in .venv, nothing else on the machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types clean

$(VENV)/ready: pyproject.toml grammar/gate.lark grammar/packaging.py
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(VENV)/ready
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(VENV)/ready
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/pyright

clean:
	rm -rf $(VENV) build dist *.egg-info
