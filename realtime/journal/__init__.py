"""Durable storage of events, committed before anybody sees them, and leases, which decide who may write.

The rows of games and the ends of rated games are stored here too.
"""
