"""Scores of games: PGN, and PDN of draughts and of the star."""
