"""Exhibitions on this server: stored, told, and led by one writer each. What happens in one is decided by ``simul``.

request ──► Hall.ask ──► decide ──► SimulStore (one transaction) ──► Feed.apply ──► topic ──► answer
board's game ──► Hall.board_changed ──► Feed.observe ──► topic          └─► Errands ──► the tables of the boards
"""
