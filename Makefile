# make run starts a server from a fresh checkout, make test checks everything. Both begin with what
# `make setup` does; stamp files say what is done already, so that a second start only compares dates.

PYTHON ?= python3
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make requirements"

PAGE := realtime/static/index.html
PAGE_SOURCES := $(shell find web/src web/public web/templates web/*.html web/*.ts web/package.json 2>/dev/null)

# The tests start hundreds of Python processes, which share compiled modules.
unexport PYTHONDONTWRITEBYTECODE

.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: run install setup test test-quick test-slow lint check-web check-core check-rest check-pure check-slow check-properties check-perft browser programs bench bench-plot perft unwinnable docs requirements clean help

help:
	@echo 'make run [ARGS="--port 9000"]   start the server (default: http://127.0.0.1:8000)'
	@echo 'make test                       style, types, every behaviour once (12 minutes)'
	@echo 'make test-quick                 style, types, rules of games and simuls, games on one server (90 seconds)'
	@echo 'make test-slow                  long outages, chaos, deep perft counts, more examples'
	@echo 'make install | setup | lint | bench | bench-plot | perft | unwinnable | docs | requirements | clean'

run: $(VENV)/.run $(PAGE)
	@exec $(BIN)/zeitnot serve $(ARGS)

# What a server needs, without starting it.
install: $(VENV)/.run $(PAGE)

setup: $(VENV)/.dev $(PAGE)

# --- Python -----------------------------------------------------------------------------------------

$(VENV)/.made:
	@$(PYTHON) -c '' 2>/dev/null || { \
		echo "Zeitnot needs Python 3.11 or newer, and '$(PYTHON)' cannot be run. On Debian or Ubuntu:" >&2; \
		echo "    apt-get install python3 python3-venv" >&2; \
		echo "Or name another: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Zeitnot needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) -V 2>&1)." >&2; \
		echo "Name another: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "This Python cannot make a virtual environment (no ensurepip). On Debian or Ubuntu:" >&2; \
		echo "    apt-get install python3-venv" >&2; \
		echo "then run make again." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# The build tools first and pinned like the rest: packages that come as source build with them, offline.
# The lists of requirements are complete, so pip must not resolve anything (--no-deps): it takes `coverage[toml]` for
# another package than the pinned `coverage`, and fails as soon as there is a newer release.
$(VENV)/.build: $(VENV)/.made requirements/build.txt
	$(PIP) --require-hashes --no-deps -r requirements/build.txt
	@touch $@

# Compiles sweep.c too, if it can, and says whether.
$(VENV)/.project: $(VENV)/.build pyproject.toml setup.py game_core/draughts/sweep.c $(wildcard */__init__.py)
	$(PIP) --no-index --no-build-isolation --no-deps -e .
	@$(BIN)/python -c 'from game_core.draughts.speedups import USED; print(USED)'
	@touch $@

$(VENV)/.run: $(VENV)/.project requirements/run.txt
	$(PIP) --require-hashes --no-deps --no-build-isolation -r requirements/run.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	$(PIP) --require-hashes --no-deps --no-build-isolation -r requirements/dev.txt
	@touch $@

# What dev.txt settles on holds for the other two. `make requirements ARGS=--upgrade` takes newer versions.
requirements: $(VENV)/.dev
	$(COMPILE) pyproject.toml --group dev -o requirements/dev.txt $(ARGS)
	$(COMPILE) pyproject.toml --constraint requirements/dev.txt -o requirements/run.txt
	$(COMPILE) --group build --constraint requirements/dev.txt -o requirements/build.txt
	@! grep -nE 'https?:|index-url|find-links' requirements/*.txt

# --- The page ---------------------------------------------------------------------------------------

web/node_modules/.made: $(VENV)/.build web/package.json web/package-lock.json
	cd web && $(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGE): web/node_modules/.made $(PAGE_SOURCES)
	cd web && $(NPM) run --silent build
	@touch $@

# --- Checks -----------------------------------------------------------------------------------------

# Four processes on two cores: most tests wait more than they compute. Files stay whole, their servers are their own.
SPREAD := -n $(or $(WORKERS),4) --dist loadfile --no-loadscope-reorder
PYTEST := $(BIN)/pytest -q --durations=15
PARTS := $(BIN)/python tests/parts.py

# Each behaviour once: 12 minutes on two cores.
test: setup browser
	@$(PARTS) lint check-web check-core check-rest

# For the inner loop: a minute and a half, the longer part of it only after a change of many files (mypy).
test-quick: setup
	@$(PARTS) lint check-pure

# What is long by nature; CONTRIBUTING.md has the table. Run it before a release.
test-slow: setup browser programs
	@$(PARTS) check-slow check-properties check-perft

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check-web: web/node_modules/.made
	cd web && $(NPM) test --silent

# The core answers for every branch of itself by its own tests alone.
check-core: $(VENV)/.dev
	$(PYTEST) $(SPREAD) -m "not slow and not exhaustive and not hypothesis" tests/game_core --cov=game_core --cov-branch \
		--cov-fail-under=100 --cov-report=term-missing:skip-covered

check-rest: setup browser
	$(PYTEST) $(SPREAD) -m "not slow and (exhaustive or hypothesis or not core)" $(ARGS)

check-pure: setup
	$(PYTEST) $(SPREAD) -m "not slow and not exhaustive and not hypothesis" tests/game_core tests/simul tests/integration/games/test_flow_events.py

check-slow: setup browser programs
	$(PYTEST) $(SPREAD) -m slow $(ARGS)

check-properties: setup
	$(PYTEST) $(SPREAD) -m hypothesis --hypothesis-profile=slow --timeout=1800 $(ARGS)

check-perft: $(VENV)/.dev
	ZEITNOT_PERFT_LEAVES=100000 $(PYTEST) $(SPREAD) tests/game_core/chess/test_perft.py tests/game_core/draughts/test_perft.py \
		--timeout=0 $(ARGS)

browser:
	@tests/browser/install-chromium

programs:
	@tests/install-programs

# One scenario: make bench SCENARIO=moves. Others, and sizes: make bench ARGS=--help
bench: $(VENV)/.dev
	$(BIN)/python -m bench $(SCENARIO) $(ARGS)

# Charts of docs/bench.json, where `make bench ARGS="--save docs/bench.json"` puts its figures.
bench-plot: $(VENV)/.dev
	$(BIN)/python -m bench.plot $(ARGS)

# All published numbers of ways to play on, with at most so many leaves a position: half an hour. Deeper: LEAVES=100000000;
# other files of the same form: FILES="one.perft other.perft".
LEAVES ?= 1000000
FILES ?=

perft: $(VENV)/.dev
	ZEITNOT_PERFT_LEAVES=$(LEAVES) ZEITNOT_PERFT_FILES="$(FILES)" \
		$(BIN)/pytest tests/game_core/chess/test_perft.py tests/game_core/draughts/test_perft.py --timeout=0 -q $(ARGS)

# All published verdicts on who can still win. Without a bound a quarter of an hour; in two minutes:
# make unwinnable ARGS="--nodes 1000"
unwinnable: $(VENV)/.dev
	$(BIN)/python -m bench.unwinnable $(ARGS)

# The tables of the reference and the client's types, which the code writes; tests fail while they say something else.
docs: $(VENV)/.run
	$(BIN)/python -m codegen.protocol_doc
	$(BIN)/python -m codegen.protocol_types
	$(BIN)/python -m codegen.notation_tables
	$(BIN)/python -m codegen.draughts_boards
	$(BIN)/python -m codegen.operations_doc
	$(BIN)/python -m codegen.robots_doc

# Never the data: zeitnot-data/ holds people's games.
clean:
	rm -rf $(VENV) build *.egg-info game_core/draughts/_sweep.* web/node_modules realtime/static robots/engines/chess/wasm .coverage
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -path ./zeitnot-data -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
