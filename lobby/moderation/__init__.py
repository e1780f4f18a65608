"""Blocks, reports, bans, and the word filter of chat and profiles."""
