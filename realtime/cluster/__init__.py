"""Several nodes that share one database: messaging between nodes and division of work."""
