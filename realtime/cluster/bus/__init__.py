"""Messaging between nodes: NATS, numbered links, the list of live nodes, roles, and draining."""
