"""HTTP: games, imports, searches, lists and streams."""
