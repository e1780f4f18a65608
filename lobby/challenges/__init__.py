"""Challenges: offers to one other person, by name or by link."""
