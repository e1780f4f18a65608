"""Draughts: one engine; each variant is a value of ``Laws`` that describes its differences."""
