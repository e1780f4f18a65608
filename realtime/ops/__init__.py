"""Metrics, logs, and outgoing mail."""
