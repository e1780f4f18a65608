"""Draughts: one engine, and each variant a value that tells it what is different."""
