"""Game scores: PGN for chess, PDN for draughts and Chinese checkers."""
