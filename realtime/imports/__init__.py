"""Games that members bring as PGN: read in a process of their own, stored, listed."""
