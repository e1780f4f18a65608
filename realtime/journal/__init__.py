"""Durable before visible: events are committed here before anybody sees them. Leases decide who may write."""
