"""Robots: opponents of eight levels for every game. They import ``game_core`` only and use the server's wire."""
