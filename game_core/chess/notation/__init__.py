"""Notations of chess moves: local piece letters, long algebraic, ICCF, announcements; and parsing of typed moves."""
