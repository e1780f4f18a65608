"""Games with a public delay: what the public sees, later than the players."""
