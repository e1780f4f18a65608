"""Simuls: those that this node runs (``live``), their rows (``store``), and those that other nodes run (``replica``).

Each has one writer. The rules of a simul are in the package ``simul``.

request ──► SimulActor.submit ──► decide ──► SimulStore (one transaction) ──► Feed.apply ──► topic
    ──► BoardOutbox ──► tables of the boards ──► answer
board's game ──► SimulActor.board_changed ──► Feed.observe ──► topic
"""
