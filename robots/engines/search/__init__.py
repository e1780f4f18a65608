"""Our own search for draughts and the star: alpha-beta with iterative deepening over the rules of ``game_core``.

Results depend on the position, the history and the level only: the budget is nodes, never time.
"""
