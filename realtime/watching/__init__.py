"""Views of many games: lists, mini boards, HTTP streams, television, and the lobby's list of games.

Reads of one game for pages and the HTTP API are here too (``reader.py``).
"""
