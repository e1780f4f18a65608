"""Guests, members and bots: names, passwords, tokens, roles, and leaving."""
