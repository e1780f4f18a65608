# The server with its page, for linux/amd64 and linux/arm64 (every compiled package has wheels for both):
#   docker build -t zeitnot:0.1.0 .
#   docker buildx build --platform linux/amd64,linux/arm64 -t registry.example/zeitnot:0.1.0 --push .
# Everything that is downloaded is pinned with its hash: requirements/*.txt, web/package-lock.json. The exception is the
# robots' chess engine, a package of the base image's own Debian, which apt verifies by Debian's key.

# The Python that the tests run on. Debian's C library, since PostgreSQL's wheel has none for Alpine's.
ARG PYTHON=python:3.11.16-slim-bookworm
# The same with a C compiler, for game_core/draughts/sweep.c.
ARG COMPILER=python:3.11.16-bookworm

# --- The page: the same for every platform, so it is built once, on the builder's own ---------------
FROM --platform=$BUILDPLATFORM ${PYTHON} AS page
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src
COPY requirements/build.txt requirements/build.txt
RUN python -m venv /tools && /tools/bin/pip install --require-hashes --no-deps -r requirements/build.txt
COPY web/package.json web/package-lock.json web/
RUN cd web && PATH="/tools/bin:$PATH" npm ci --no-audit --no-fund
COPY web web
RUN mkdir realtime && cd web && PATH="/tools/bin:$PATH" npm run build

# --- The packages -----------------------------------------------------------------------------------
FROM ${COMPILER} AS packages
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src
COPY requirements/build.txt requirements/run.txt requirements/
RUN python -m venv /tools && /tools/bin/pip install --require-hashes --no-deps -r requirements/build.txt
RUN /tools/bin/pip wheel --require-hashes --no-build-isolation --no-deps -r requirements/run.txt -w /wheels
COPY pyproject.toml setup.py README.md LICENSE ./
COPY game_core game_core
COPY harness harness
COPY lobby lobby
COPY simul simul
COPY realtime realtime
COPY robots robots
COPY --from=page /src/realtime/static realtime/static
RUN /tools/bin/pip wheel --no-index --no-build-isolation --no-deps -w /wheels .
# A venv without pip, filled from outside: what runs has no tools in it.
RUN python -m venv --without-pip /opt/zeitnot \
    && /tools/bin/pip --python /opt/zeitnot/bin/python install --no-index --no-deps /wheels/*.whl
# Without it the image would be slower and nobody would know.
RUN /opt/zeitnot/bin/python -P -c "from game_core.draughts import speedups as s; exit(s.SPEEDUPS is None and s.USED)"

# --- What runs --------------------------------------------------------------------------------------
FROM ${PYTHON}
RUN python -m pip uninstall --yes --root-user-action=ignore setuptools wheel pip \
    && groupadd --gid 10001 zeitnot \
    && useradd --uid 10001 --gid 10001 --home-dir /var/lib/zeitnot --create-home --shell /usr/sbin/nologin zeitnot
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fairy-stockfish \
    && rm -rf /var/lib/apt/lists/*
COPY --from=packages /opt/zeitnot /opt/zeitnot
# All addresses, for a container's own is not known before. Without ZEITNOT_DATABASE the data are an embedded PostgreSQL's, in
# /var/lib/zeitnot/zeitnot-data: put a volume there.
ENV PATH=/opt/zeitnot/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    ZEITNOT_HOST=0.0.0.0 \
    ZEITNOT_PORT=8000
USER 10001:10001
WORKDIR /var/lib/zeitnot
EXPOSE 8000
# Whether it lives; Kubernetes and compose.yaml ask for themselves.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['ZEITNOT_PORT'] + '/healthz', timeout=2)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["zeitnot"]
CMD ["serve"]
