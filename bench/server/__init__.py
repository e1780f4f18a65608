"""Servers under measurement: the real one and a bare baseline, with their CPU time and stage counters."""
