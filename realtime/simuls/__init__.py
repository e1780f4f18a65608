"""Simuls on this server: storage, delivery, and one writer for each. The rules of a simul are in the package ``simul``.

request ──► SimulActor.submit ──► decide ──► SimulStore (one transaction) ──► Feed.apply ──► topic ──► answer
board's game ──► SimulActor.board_changed ──► Feed.observe ──► topic            └─► BoardOutbox ──► tables of the boards
"""
