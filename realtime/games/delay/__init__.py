"""Games with a public delay: the public sees them later than the players."""
