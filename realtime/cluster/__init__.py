"""Several nodes that serve one database: how they hear of each other, and who does what."""
