"""Decisions in games by the Laws as played over a board, one module for each kind of action."""
