"""Verbs: the code that executes each request, by request type."""
