"""Glicko-2 ratings for each speed and variant."""
