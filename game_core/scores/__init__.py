"""Scores of games as text: what PGN and its child PDN have in common. Each game adds its moves and its tags."""
