"""Notations of draughts: FEN, the spelling of moves, PDN."""
