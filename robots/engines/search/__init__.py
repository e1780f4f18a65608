"""Our own search for draughts and Chinese checkers: alpha-beta with iterative deepening by the rules of ``game_core``.

Results depend on the position, the history and the level only, because the budget is nodes. One exception: a search of
draughts ends after ``draughts_tree.LONGEST_S`` of CPU time, which only positions with very many kings need.
"""
