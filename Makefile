# Two commands for a fresh clone: `make demo` and `make test`. Both need only Python >= 3.11 and make.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= 2

.PHONY: demo test check tests bench lock clean

demo: .venv/ready
	$(BIN)/compline demo

# Beside each other: one type checker leaves cores idle, and so do tests that wait.
test: .venv/ready
	$(MAKE) --jobs 2 check tests

tests: .venv/ready
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright

bench: .venv/ready
	$(BIN)/python -m tests.bench

# Pinned versions without host names; pip finds them wherever it is set up to look.
lock: .venv/ready
	$(BIN)/pip freeze --exclude-editable --exclude compline > requirements.txt

.venv/ready: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Compline needs Python 3.11 or newer; set PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

clean:
	rm -rf .venv .warehouse
