"""Simuls in the database: writing, reading, loading."""
