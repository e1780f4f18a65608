"""Measurements: ``python -m bench`` or ``make bench``. What the figures mean is told in docs/performance.md.

    harness and client   this process, with PostgreSQL on one core
    server               a process of its own on another core: the real one (``observed``) or a bare one (``bare``)

Every figure is per second of the *server process's* CPU time, and stands next to what the same socket stack does in
the same run when it does nothing else.
"""
