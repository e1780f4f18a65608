"""Views of many games: lists, mini boards, feeds, and the lobby's list of games."""
