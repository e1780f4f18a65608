"""Several nodes on one database: the bus between them, and their games, lobby and people."""
