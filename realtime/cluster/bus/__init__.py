"""Messaging between nodes: NATS, numbered links, live nodes, replicated feeds, roles, draining, partition guard."""
