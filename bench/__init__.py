"""Benchmarks: ``python -m bench`` or ``make bench``. docs/performance.md explains the figures.

    harness and client   this process, with PostgreSQL on one core
    server               a separate process on another core: the real one (``observed``) or a bare one (``bare``)

Figures of throughput are per second of the *server process's* CPU time. Beside them are those of a bare server,
measured in the same run: it has the same socket stack and no games.
"""
