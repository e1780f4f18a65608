"""Benchmarks: ``python -m bench`` or ``make bench``. docs/performance.md explains the figures.

    harness and client   this process, with PostgreSQL on one core
    server               a separate process on another core: the real one (``observed``) or a bare one (``bare``)

Every figure is per second of the *server process's* CPU time. Beside it is the figure of a bare server, which does
nothing but use the same socket stack in the same run.
"""
