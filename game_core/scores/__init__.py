"""Game scores as text: what PGN and PDN have in common. Each game adds its moves and tags."""
