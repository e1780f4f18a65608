"""Mating chances: solver processes find out who can still win, and dead positions end the game."""
