"""Durable storage of events, committed before anybody sees them, and leases, which decide who may write."""
