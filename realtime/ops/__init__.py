"""Metrics, logs, outgoing mail, counters of traffic, and the limit of open files."""
