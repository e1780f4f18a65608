"""Scenarios, one module each, with a function ``run(stage)`` that returns its figures."""
