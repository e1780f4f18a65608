"""Messages between nodes: NATS, numbered links, the list of living nodes, roles, and leaving."""
