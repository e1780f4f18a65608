"""Public offers to play."""
