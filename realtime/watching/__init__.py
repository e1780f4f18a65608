"""Many games at once: lists, mini boards, feeds, and the lobby's view of games."""
