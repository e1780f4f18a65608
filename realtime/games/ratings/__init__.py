"""Ratings of finished games: counted at the end, or when a delayed game is released."""
