"""Engines: processes that find the best moves of a position, of our own and others'."""
