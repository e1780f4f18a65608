"""Scenarios, one module each, with a function ``run(bench)`` that returns its figures."""
