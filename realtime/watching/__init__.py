"""Views of many games: lists, mini boards, HTTP streams, television, and the lobby's list of games."""
